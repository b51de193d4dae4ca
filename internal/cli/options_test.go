package cli

import "testing"

func TestByteSize(t *testing.T) {
	for _, row := range []struct {
		text  string
		bytes int // 0 is refused
		shown string
	}{
		{"16MiB", 16 << 20, "16MiB"},
		{"1 KiB", 1 << 10, "1KiB"},
		{"1GiB", 1 << 30, "1GiB"},
		{"1536", 1536, "1536"},
		{"2048KiB", 2 << 20, "2MiB"},
		{"16MB", 0, ""},
		{"-1MiB", 0, ""},
		{"0", 0, ""},
		{"", 0, ""},
		{"9GiB", 0, ""}, // over what an int holds everywhere
		{"99999999999999999999", 0, ""},
	} {
		var b byteSize
		err := b.Set(row.text)
		if (err != nil) != (row.bytes == 0) || int(b) != row.bytes {
			t.Errorf("Set(%q) = %d, %v; want %d", row.text, b, err, row.bytes)
		}
		if err == nil && b.String() != row.shown {
			t.Errorf("%q is shown as %s, want %s", row.text, b.String(), row.shown)
		}
	}
}
