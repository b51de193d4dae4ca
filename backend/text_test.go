package backend

import (
	"strings"
	"testing"

	"septet/safepath"
)

func TestCheckText(t *testing.T) {
	for _, tt := range []struct {
		content string
		code    safepath.Code
		fact    string
	}{
		{"", "", ""},
		{"plain\r\n\ttext \x1b[0m\u2028é\ufeff", "", ""},
		{"\ufefftext", "", ""},
		{"a\x00", Binary, "f is binary: unknown type, 2 bytes"},
		{"\x7fELF\x02\x00", Binary, "f is binary: ELF executable or object, 6 bytes"},
		{"PK\x03\x04\x00", Binary, "f is binary: ZIP archive (also docx, xlsx, jar), 5 bytes"},
		{"RIFF\x00\x00\x00\x00WEBPVP8 ", Binary, "f is binary: WebP image, 16 bytes"},
		{strings.Repeat("\x00", 257) + "ustar", Binary, "f is binary: tar archive, 262 bytes"},
		{"\xff\xfeh\x00i\x00", InvalidUTF8, "f is not UTF-8: the byte order mark at byte 0 says UTF-16LE"},
		{"\xfe\xff\x00h", InvalidUTF8, "f is not UTF-8: the byte order mark at byte 0 says UTF-16BE"},
		{"\xff\xfe\x00\x00h\x00\x00\x00", InvalidUTF8, "f is not UTF-8: the byte order mark at byte 0 says UTF-32LE"},
		{"\x00\x00\xfe\xff\x00\x00\x00h", InvalidUTF8, "f is not UTF-8: the byte order mark at byte 0 says UTF-32BE"},
		{"abc\x80", InvalidUTF8, "f is not UTF-8: byte 0x80 at byte offset 3"},
		{"surrogate \xed\xa0\x80", InvalidUTF8, "f is not UTF-8: byte 0xed at byte offset 10"},
		{"overlong \xc0\xaf", InvalidUTF8, "f is not UTF-8: byte 0xc0 at byte offset 9"},
		{"a real \ufffd is text, a cut \xef\xbf", InvalidUTF8, "f is not UTF-8: byte 0xef at byte offset 26"},
	} {
		err := CheckText("f", []byte(tt.content))
		if safepath.CodeOf(err) != tt.code || err != nil && err.Error() != tt.fact {
			t.Errorf("%.40q: got %v, want %s %s", tt.content, err, tt.code, tt.fact)
		}
	}
}

func FuzzCheckText(f *testing.F) {
	f.Add("text")
	f.Add("caf\xe9")
	f.Fuzz(func(t *testing.T, content string) {
		err := CheckText("f", []byte(content))
		if (err == nil) != (strings.ToValidUTF8(content, "") == content && !strings.Contains(content, "\x00")) {
			t.Errorf("%q: %v", content, err)
		}
	})
}

func TestCaveats(t *testing.T) {
	if said := (Change{}).Caveats(); len(said) != 0 {
		t.Errorf("nothing happened, yet %q", said)
	}
	all := Change{NonAtomic: true, ReplaceWindow: true, HardLinks: 2, DroppedSetID: true, ParentMoved: true, Unrecorded: true}.Caveats()
	if len(all) != 6 || all[2] != "2 other names of the old file keep the old content." {
		t.Errorf("%d sentences: %q", len(all), all)
	}
}
