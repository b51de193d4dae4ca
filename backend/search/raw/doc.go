// Package raw reads directories and files below a held directory with as few
// system calls as a search needs.
//
// Everything is opened relative to its directory's descriptor, by one name,
// without following a link; nothing is ever opened by path. Where the kernel
// can say at once, it is asked in a way that never blocks and without telling
// the scheduler, which costs more than the call; whatever would block is asked
// again the ordinary way. Network file systems are always asked that way.
package raw
