package shell

// findRow returns the row of a program, or nil.
func findRow(name string) *row {
	for _, table := range [...][]row{readTable, writeTable} {
		for i := range table {
			if table[i].name == name {
				return &table[i]
			}
		}
	}
	return nil
}
