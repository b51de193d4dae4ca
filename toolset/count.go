package toolset

import "fmt"

// Grouped writes a count with a comma between thousands, as the texts of the
// tools show it.
func Grouped(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", Grouped(n/1000), n%1000)
}

// Counted writes a count and its noun.
func Counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + many
}
