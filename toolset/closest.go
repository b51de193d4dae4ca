package toolset

import "strings"

// Closest returns the known name that name was probably meant to be, or "": at
// most a third of the letters are wrong, rounded up.
func Closest(name string, known []string) string {
	folded := fold(name)
	best, bestDistance := "", maxNameBytes
	for _, k := range known {
		f := fold(k)
		if f == folded {
			return k
		}
		distance := editDistance(folded, f)
		if strings.Contains(folded, f) || (len(folded) > 2 && strings.Contains(f, folded)) {
			distance = min(distance, 1)
		}
		if distance <= mistakes(max(len(folded), len(f))) && distance < bestDistance {
			best, bestDistance = k, distance
		}
	}
	return best
}

// mistakes is how many letters of so many may be wrong.
func mistakes(letters int) int { return (letters + 2) / 3 }

// maxNameBytes bounds what is compared: the distance costs the product of the
// lengths.
const maxNameBytes = 64

func fold(s string) string {
	if len(s) > maxNameBytes {
		s = s[:maxNameBytes]
	}
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
}

// editDistance is Levenshtein's, by bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
