package cli

import "testing"

func TestProse(t *testing.T) {
	for _, c := range []struct {
		text            string
		columns, indent int
		want            string
	}{
		{"one two three four five six seven", 0, 0, "one two three four five six seven"},
		{"one two three four five six seven", 20, 0, "one two three four\nfive six seven"},
		{"one two three four five six seven", 25, 5, "one two three four\n     five six seven"},
		{"one two three four five six seven", 24, 5, "one two three four five six seven"}, // too narrow
		{"exactly twenty wide.", 20, 0, "exactly twenty wide."},
		{"aaaa  bbbb\ncccc", 20, 0, "aaaa  bbbb\ncccc"},
		{"/a/very/long/path/that/stays and more", 20, 0, "/a/very/long/path/that/stays\nand more"},
		{"see /a/very/long/path/that/stays", 20, 0, "see\n/a/very/long/path/that/stays"},
		{"one/very/long/path/that/stays", 20, 0, "one/very/long/path/that/stays"},
		{"ÄÖÜ ÄÖÜ ÄÖÜ ÄÖÜ ÄÖÜ ÄÖÜ", 20, 0, "ÄÖÜ ÄÖÜ ÄÖÜ ÄÖÜ ÄÖÜ\nÄÖÜ"},
		{"one two three four      five", 20, 0, "one two three four\nfive"},
		{"    indented words that are broken", 20, 0, "    indented words\nthat are broken"},
	} {
		if got := prose(c.text, c.columns, c.indent); got != c.want {
			t.Errorf("%q in %d from %d: %q, want %q", c.text, c.columns, c.indent, got, c.want)
		}
	}
}
