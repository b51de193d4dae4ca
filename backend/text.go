package backend

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"septet/safepath"
)

// SniffBytes is how much of a file's beginning is looked at to tell binary from
// text: what git, grep and editors look at.
const SniffBytes = 8 << 10

// TextStart says why a file that begins with head is no UTF-8 text, or nil.
// It judges by the byte order mark and by NUL bytes; an error is an *Error
// with InvalidUTF8 or Binary. size is the file's, in bytes.
func TextStart(path string, head []byte, size int64) error {
	head = head[:min(len(head), SniffBytes)]
	if name := wideEncoding(head); name != "" {
		return &Error{
			Code: InvalidUTF8,
			Fact: fmt.Sprintf("%s is not UTF-8: the byte order mark at byte 0 says %s", path, name),
			Hint: "convert a copy with bash: iconv -f " + name + " -t UTF-8",
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return binaryError(path, head, size)
	}
	return nil
}

// CheckText says why content, all of a file, is no UTF-8 text, or nil.
func CheckText(path string, content []byte) error {
	size := int64(len(content))
	if err := TextStart(path, content, size); err != nil {
		return err
	}
	return CheckWindow(path, content, 0, size)
}

// CheckWindow is CheckText for a part of a file that begins at byte offset and
// holds whole characters. The file's size is for the message.
func CheckWindow(path string, window []byte, offset, size int64) error {
	if bytes.IndexByte(window, 0) >= 0 {
		return binaryError(path, window, size)
	}
	at := invalidUTF8(window)
	if at < 0 {
		return nil
	}
	return &Error{
		Code: InvalidUTF8,
		Fact: fmt.Sprintf("%s is not UTF-8: byte 0x%02x at byte offset %d", path, window[at], offset+int64(at)),
		Hint: "look at it with bash (xxd, file) or convert a copy with iconv",
	}
}

// invalidUTF8 is the index of the first byte that is no UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// wideEncoding names the encoding a byte order mark announces, or "". The
// UTF-32 mark begins like that of UTF-16, so it is asked for first.
func wideEncoding(head []byte) string {
	for _, mark := range []struct{ bytes, name string }{
		{"\xff\xfe\x00\x00", "UTF-32LE"}, {"\x00\x00\xfe\xff", "UTF-32BE"},
		{"\xff\xfe", "UTF-16LE"}, {"\xfe\xff", "UTF-16BE"},
	} {
		if bytes.HasPrefix(head, []byte(mark.bytes)) {
			return mark.name
		}
	}
	return ""
}

func binaryError(path string, head []byte, size int64) *Error {
	return &Error{
		Code: Binary,
		Fact: fmt.Sprintf("%s is binary: %s, %d bytes", path, FileType(head), size),
		Hint: "look at it with bash, e.g. file or xxd",
	}
}

// signatures are first bytes of common binary files, from the formats' own
// documents.
var signatures = []struct {
	at    int // byte offset
	bytes string
	name  string
}{
	{0, "\x89PNG\r\n\x1a\n", "PNG image"},
	{0, "\xff\xd8\xff", "JPEG image"},
	{0, "GIF8", "GIF image"},
	{8, "WEBP", "WebP image"},
	{0, "BM", "bitmap image"},
	{0, "\x00\x00\x01\x00", "icon image"},
	{0, "%PDF-", "PDF document"},
	{0, "PK\x03\x04", "ZIP archive (also docx, xlsx, jar)"},
	{0, "\x1f\x8b", "gzip data"},
	{0, "BZh", "bzip2 data"},
	{0, "\xfd7zXZ\x00", "xz data"},
	{0, "\x28\xb5\x2f\xfd", "zstd data"},
	{0, "7z\xbc\xaf\x27\x1c", "7z archive"},
	{257, "ustar", "tar archive"},
	{0, "\x7fELF", "ELF executable or object"},
	{0, "\xcf\xfa\xed\xfe", "Mach-O executable or object"},
	{0, "\xca\xfe\xba\xbe", "Java class or universal Mach-O"},
	{0, "MZ", "Windows executable"},
	{0, "\x00asm", "WebAssembly module"},
	{0, "!<arch>\n", "ar archive or static library"},
	{0, "SQLite format 3\x00", "SQLite database"},
	{0, "OggS", "Ogg media"},
	{0, "ID3", "MP3 audio"},
	{8, "WAVE", "WAV audio"},
	{4, "ftyp", "MP4 media"},
	{0, "wOF2", "WOFF2 font"},
	{0, "\x00\x01\x00\x00", "TrueType font"},
}

// FileType names what a file with these first bytes is, as far as its
// signature tells.
func FileType(head []byte) string {
	for _, s := range signatures {
		if len(head) >= s.at && bytes.HasPrefix(head[s.at:], []byte(s.bytes)) {
			return s.name
		}
	}
	return "unknown type"
}

// tooLargeText is for a file or content over MaxTextBytes.
func tooLargeText(what string, size int64) *Error {
	return &Error{
		Code: safepath.TooLarge,
		Fact: fmt.Sprintf("%s is %d bytes; at most %d can be written or edited", what, size, MaxTextBytes),
		Hint: "change it with bash, or write the text in several files",
	}
}
