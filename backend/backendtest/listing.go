package backendtest

import (
	"fmt"
	"reflect"
	"testing"

	"septet/backend"
	"septet/safepath"
)

func testReadDir(t *testing.T, p Place) {
	p.put(t, "b.txt", "1234")
	p.put(t, "sub/inner", "x")
	p.put(t, ".hidden", "")
	p.put(t, "B", "12")
	check(t, p.Outside.Symlink("sub/inner", p.abs("link")))
	check(t, p.Outside.Symlink("nowhere", p.abs("dangling")))
	check(t, p.Outside.Mkfifo(p.abs("pipe")))
	want := []string{
		".hidden file 0 ", "B file 2 ", "b.txt file 4 ", "dangling symlink 0 nowhere",
		"link symlink 0 sub/inner", "pipe other 0 ", "sub directory 0 ",
	}
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []string
		for offset := 0; offset < len(want); offset += limit {
			page := p.page(t, ".", offset, limit)
			if page.Total != len(want) {
				t.Fatalf("total %d, want %d", page.Total, len(want))
			}
			for _, e := range page.Entries {
				got = append(got, fmt.Sprintf("%s %s %d %s", e.Name, e.KindName(), e.Size, e.Target))
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("pages of %d: %q\nwant %q", limit, got, want)
		}
	}
	if page := p.page(t, ".", 100, 10); page.Total != len(want) || len(page.Entries) != 0 {
		t.Errorf("past the end: %+v", page)
	}
}

func (p Place) page(t *testing.T, name string, offset, limit int) backend.Page {
	t.Helper()
	page, err := p.Files.ReadDir(t.Context(), p.path(t, name, safepath.Read, safepath.Directory), offset, limit)
	check(t, err)
	return page
}

// testOddNames: a name on a page is safe to show, and a path again.
func testOddNames(t *testing.T, p Place) {
	for _, name := range []string{"new\nline", "\x1b[31mred", "not utf8 \xff", `back\slash`, "dir \u202e"} {
		p.put(t, "d/"+name, name)
	}
	check(t, p.Outside.Symlink("to\nnowhere", p.abs("link")))
	if got := p.page(t, ".", 0, 2).Entries[1].Target; got != `to\u000anowhere` {
		t.Errorf("target %q", got)
	}
	page := p.page(t, "d", 0, 10)
	if len(page.Entries) != 5 {
		t.Fatalf("page %+v", page)
	}
	for _, e := range page.Entries {
		f, err := p.Files.Open(t.Context(), p.path(t, "d/"+e.Name, safepath.Read, safepath.File))
		if err != nil {
			t.Errorf("%q cannot be opened: %v", e.Name, err)
			continue
		}
		content := make([]byte, f.Size())
		_, err = f.ReadAt(content, 0)
		f.Close()
		if err != nil || safepath.Escape(string(content)) != e.Name {
			t.Errorf("%q holds %q (%v)", e.Name, content, err)
		}
	}
}

func testStat(t *testing.T, p Place) {
	p.put(t, "f", "1234")
	info, err := p.Files.Stat(t.Context(), p.path(t, "f", safepath.Read, safepath.File))
	check(t, err)
	if info.Size != 4 || info.Kind != safepath.KindFile || info.Mode != 0o644 {
		t.Errorf("info %+v", info)
	}
	_, err = p.Files.Stat(t.Context(), p.target(t, "missing"))
	refused(t, err, safepath.NotFound, "missing")
}
