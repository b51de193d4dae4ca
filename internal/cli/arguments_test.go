package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// schema is that of a tool with a string, an integer and a boolean.
func schema(t *testing.T) inputSchema {
	t.Helper()
	var s inputSchema
	text := `{"properties":{"path":{"type":"string"},"limit":{"type":"integer"},"all":{"type":"boolean"}}}`
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTypedArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		words string
		want  string // JSON, or "" for a wrong command line
	}{
		{"path=5", `{"path":"5"}`},
		{"limit=5", `{"limit":5}`},
		{"limit=five", `{"limit":"five"}`},
		{"all=true", `{"all":true}`},
		{"path=", `{"path":""}`},
		{"path=a=b", `{"path":"a=b"}`},
		{"path=@" + file, `{"path":"from a file\n"}`},
		{"path=-", `{"path":"from stdin"}`},
		{"unknown=1", `{"unknown":"1"}`},
		{"limit=5 limit=6", ""},
		{"path=- content=-", ""},
		{"path=a\xff", ""},
		{"path=@/dev/zero", ""},
		{"path", ""},
		{"=5", ""},
		{"path=@" + file + ".missing", ""},
	} {
		got, err := typedArguments(strings.Fields(row.words), nil, schema(t), &onceReader{Reader: strings.NewReader("from stdin")})
		if row.want == "" {
			if f, ok := err.(*failure); !ok || f.code != exitUsage || f.hint == "" {
				t.Errorf("%s: %v is no usage failure with a hint", row.words, err)
			}
			continue
		}
		text, _ := json.Marshal(got)
		if err != nil || string(text) != row.want {
			t.Errorf("%s: %s, %v; want %s", row.words, text, err, row.want)
		}
	}
}

func TestWholeArguments(t *testing.T) {
	for _, row := range []struct {
		text, stdin string
		want        string // "" for a wrong command line
	}{
		{`{"path":"a","limit":12345678901234567890}`, "", `{"limit":12345678901234567890,"path":"a"}`},
		{"-", `{"a":{"b":[1]}}`, `{"a":{"b":[1]}}`},
		{`[1]`, "", ""},
		{`null`, "", ""},
		{`{"a":1,"a":2}`, "", ""},
		{`{"a":1} x`, "", ""},
		{"{\"a\":\"\xff\"}", "", ""},
		{`{"a":`, "", ""},
		{"-", "", ""},
	} {
		got, err := wholeArguments(row.text, &onceReader{Reader: strings.NewReader(row.stdin)})
		if row.want == "" {
			if err == nil {
				t.Errorf("%s%s was accepted", row.text, row.stdin)
			}
			continue
		}
		text, _ := json.Marshal(got)
		if err != nil || string(text) != row.want {
			t.Errorf("%s: %s, %v; want %s", row.text, text, err, row.want)
		}
	}
}

func TestWordsWinOverWholeArguments(t *testing.T) {
	whole, err := wholeArguments(`{"path":"a","limit":1}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := typedArguments([]string{"limit=2"}, whole, schema(t), nil)
	text, _ := json.Marshal(got)
	if want := `{"limit":2,"path":"a"}`; err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"Finds names, e.g. *.go. More.": "Finds names, e.g. *.go.",
		"One\nline. Two.":               "One line.",
		"No stop":                       "No stop",
	} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}
