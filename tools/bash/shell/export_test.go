package shell

// Programs are the names of all rows but those of bash that change it (cd) or
// tell of it (":", type), and git.
func Programs() []string {
	var names []string
	for _, table := range [...][]row{readTable, writeTable} {
		for _, r := range table {
			if r.name != "cd" && r.name != ":" && r.name != "type" && r.name != "git" {
				names = append(names, r.name)
			}
		}
	}
	return names
}
