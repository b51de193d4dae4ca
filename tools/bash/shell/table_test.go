package shell_test

import (
	"testing"

	"septet/tools/bash/shell"
)

// TestRowsAreWellFormed: a letter or name stands in one list of a row, a row
// with flags says how they are parsed, and a program says which versions it
// was written from.
func TestRowsAreWellFormed(t *testing.T) {
	for _, fault := range shell.RowFaults() {
		t.Error(fault)
	}
}
