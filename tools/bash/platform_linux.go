package bash

// gnu says whether the programs of the system are the ones the lists are
// about. Those of other systems share the names and not the flags: "sed -i" of
// BSD takes a value.
const gnu = true
