package journal

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"septet/backend"
)

// kept fills a store with ten changes of one file, an hour apart, of a hundred
// bytes each, prunes it and counts the contents and diffs that stay.
func kept(t *testing.T, now time.Time, maxBytes int64) (contents, diffs int, records []stored) {
	t.Helper()
	s := New(Config{State: t.TempDir(), Workspace: "/w"})
	defer s.Close()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 10 {
		before := []byte(strings.Repeat(fmt.Sprint(i), 100))
		in := intent{id: fmt.Sprintf("change%d", i), path: "a.txt", before: before, sums: digests{digestOf(before), "x"}}
		check(t, s.intend(t.Context(), in))
		hunks := []backend.Hunk{{Lines: []string{""}}}
		empty, err := json.Marshal(hunks)
		check(t, err)
		hunks[0].Lines[0] = strings.Repeat("x", 100-len(empty))
		check(t, s.applied(t.Context(), in, backend.Change{Hunks: hunks}))
		at := begin.Add(time.Duration(i) * time.Hour).UnixNano()
		for _, table := range []string{"blob", "diff"} {
			_, err := s.database.Exec(`UPDATE `+table+` SET used = ? WHERE rowid = (SELECT max(rowid) FROM `+table+`)`, at)
			check(t, err)
		}
	}
	check(t, s.write(t.Context(), "prune", func(tx transaction) error { return prune(tx, now, maxBytes) }))
	check(t, s.database.QueryRow(`SELECT count(*) FROM blob`).Scan(&contents))
	check(t, s.database.QueryRow(`SELECT count(*) FROM diff`).Scan(&diffs))
	records, err := query(t.Context(), s.database.DB, `1 ORDER BY c.seq`)
	check(t, err)
	return contents, diffs, records
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestRetention(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		now  time.Time
		max  int64
		want int
	}{
		"all fits":            {begin, 10000, 10},
		"the newest that fit": {begin, 350, 3},
		"exactly":             {begin, 400, 4},
		"too old":             {begin.Add(MaxContentAge + 4*time.Hour), 10000, 6},
		"both":                {begin.Add(MaxContentAge + 4*time.Hour), 250, 2},
		"all too old":         {begin.Add(2 * MaxContentAge), 10000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			contents, diffs, records := kept(t, tt.now, tt.max)
			if contents != tt.want || diffs != tt.want {
				t.Errorf("%d contents and %d diffs stay, want %d", contents, diffs, tt.want)
			}
			for i, r := range records {
				if expired := i < 10-tt.want; r.Expired != expired {
					t.Errorf("record %d: expired is %v", i, r.Expired)
				}
				if err := undoable(r); (err != nil) != r.Expired {
					t.Errorf("record %d: undoable says %v", i, err)
				}
			}
			if len(records) != 10 {
				t.Errorf("%d records are left of 10", len(records))
			}
		})
	}
}

func TestPruningShortensTheDatabase(t *testing.T) {
	s := New(Config{State: t.TempDir(), Workspace: "/w"})
	defer s.Close()
	for i := range 8 {
		before := []byte(strings.Repeat(fmt.Sprint(i), 100<<10))
		check(t, s.intend(t.Context(), intent{id: fmt.Sprint(i), before: before, sums: digests{before: digestOf(before)}}))
	}
	pages := func() (n int) {
		check(t, s.database.QueryRow(`PRAGMA page_count`).Scan(&n))
		return n
	}
	full := pages()
	check(t, s.write(t.Context(), "prune", func(tx transaction) error { return prune(tx, time.Now(), 100<<10) }))
	if left := pages(); left > full/4 {
		t.Errorf("%d of %d pages are left", left, full)
	}
}

// A content that is seen again is as young as the change that saw it.
func TestContentSeenAgainStays(t *testing.T) {
	s := New(Config{State: t.TempDir(), Workspace: "/w"})
	defer s.Close()
	for i, text := range []string{"old", "other", "old"} {
		in := intent{id: fmt.Sprint(i), before: []byte(text), sums: digests{before: digestOf([]byte(text))}}
		check(t, s.intend(t.Context(), in))
	}
	check(t, s.write(t.Context(), "prune", func(tx transaction) error { return prune(tx, time.Now(), 3) }))
	if content, kept, err := contentOf(t.Context(), s.database.DB, digestOf([]byte("old"))); string(content) != "old" || !kept || err != nil {
		t.Errorf("content is %q, %v", content, err)
	}
	if _, kept, _ := contentOf(t.Context(), s.database.DB, digestOf([]byte("other"))); kept {
		t.Error("the older content stayed")
	}
}

// The clock was set back: what is recorded now is kept before what was
// recorded in its future, and the bounds hold.
func TestAClockThatWasSetBack(t *testing.T) {
	s := New(Config{State: t.TempDir(), Workspace: "/w"})
	defer s.Close()
	record := func(text string) {
		in := intent{id: text, before: []byte(text), sums: digests{before: digestOf([]byte(text))}}
		check(t, s.intend(t.Context(), in))
		check(t, s.applied(t.Context(), in, backend.Change{}))
	}
	record("1 old")
	future := time.Now().AddDate(9, 0, 0).UnixNano()
	for _, table := range []string{"blob", "diff"} {
		_, err := s.database.Exec(`UPDATE `+table+` SET used = ?`, future)
		check(t, err)
	}
	for i := range 4 {
		record(fmt.Sprintf("%d new", i))
	}
	check(t, s.write(t.Context(), "prune", func(tx transaction) error { return prune(tx, time.Now(), 10) }))
	for text, want := range map[string]bool{"1 old": false, "0 new": false, "1 new": false, "2 new": true, "3 new": true} {
		if _, kept, err := contentOf(t.Context(), s.database.DB, digestOf([]byte(text))); kept != want || err != nil {
			t.Errorf("%q is kept: %v, %v", text, kept, err)
		}
	}
}
