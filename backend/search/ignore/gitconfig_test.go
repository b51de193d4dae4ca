package ignore

import (
	"slices"
	"testing"
)

func TestExcludesFile(t *testing.T) {
	for _, c := range []struct {
		name, config, excludes string
		includes               []string
	}{
		{"plain", "[core]\n\texcludesFile = ~/.gitignore\n", "~/.gitignore", nil},
		{"case, last wins", "[CORE]\nEXCLUDESFILE=/a\nexcludesfile = /b\n", "/b", nil},
		{"quotes, comment", "[core] excludesfile = \"/a b # \" ; c\n", "/a b # ", nil},
		{"escapes", "[core]\nexcludesfile = \"/a\\\"\\\\b\"\n", "/a\"\\b", nil},
		{"joined lines", "[core]\nexcludesfile = /a\\\nb\n", "/ab", nil},
		{"trailing blanks, crlf", "[core]\r\nexcludesfile = /a  \r\n", "/a", nil},
		{"subsection is another section", "[core \"x\"]\nexcludesfile = /a\n", "", nil},
		{"key without value", "[core]\nbare\nexcludesfile = /a", "/a", nil},
		{"includes", "[include]\npath = x\n[include]\npath=~/y\n[includeIf \"gitdir:~/\"]\npath = z\n", "", []string{"x", "~/y"}},
		{"garbage", "]][=\n[core\nexcludesfile = /a\n", "/a", nil},
	} {
		excludes, includes := ExcludesFile([]byte(c.config))
		if excludes != c.excludes || !slices.Equal(includes, c.includes) {
			t.Errorf("%s: got %q %q, want %q %q", c.name, excludes, includes, c.excludes, c.includes)
		}
	}
}
