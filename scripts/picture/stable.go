//go:build linux

package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// varying are the texts that differ from run to run: ids of changes, also cut
// short; of processes; of sessions; and times.
var varying = regexp.MustCompile(`\b(?:[a-z2-7]{16}|recorded as [a-z2-7]{8}|[0-9a-f]{8}-\d+|[A-Z2-7]{26}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\b`)

// shownTime stands for every time.
var shownTime = time.Date(2026, time.January, 2, 15, 4, 5, 0, time.UTC)

// stable gives what varies a value that depends on nothing but the order in
// which it is met, so that a picture that was drawn again differs only when the
// program says something else.
type stable map[string]string

func (s stable) lines(lines []string) []string {
	for _, line := range lines {
		for _, found := range varying.FindAllString(line, -1) {
			s.meet(found)
		}
	}
	var pairs []string
	for _, found := range slices.SortedFunc(maps.Keys(s), longestFirst) {
		pairs = append(pairs, found, s[found])
	}
	replacer := strings.NewReplacer(pairs...)
	replaced := make([]string, len(lines))
	for i, line := range lines {
		replaced[i] = replacer.Replace(line)
	}
	return replaced
}

// longestFirst lets a whole id be replaced before what it is cut to.
func longestFirst(a, b string) int {
	return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
}

// meet gives a text its value. An id of a change is also shown cut short.
func (s stable) meet(found string) {
	if _, known := s[found]; known {
		return
	}
	digest := sha256.Sum256(fmt.Appendf(nil, "septet %d", len(s)))
	letters := base32.StdEncoding.EncodeToString(digest[:])
	switch {
	case strings.HasPrefix(found, "recorded"):
		s[found] = "recorded as " + strings.ToLower(letters[:8])
	case strings.Contains(found, ":"):
		s[found] = shownTime.Format(time.DateTime)
	case strings.Contains(found, "-"):
		s[found] = hex.EncodeToString(digest[:4]) + found[8:]
	case len(found) == 26:
		s[found] = letters[:26]
	default:
		s[found] = strings.ToLower(letters[:16])
		s[found[:8]] = s[found][:8]
	}
}
