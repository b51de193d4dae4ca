package safepath

import "testing"

func TestWindowsRefusal(t *testing.T) {
	for _, raw := range []string{
		`\\host\share\x`, `//host/share`, `\/host/share`, `\\?\C:\x`, `\\.\PhysicalDrive0`, `//?/C:/x`, `\??\C:\x`, `/x`, `\x`,
		`C:x`, `c:`, `C:..\x`, `f.txt:stream`, `f.txt::$DATA`, `C:/a/f:s`, `1:/x`,
		"NUL", "nul.txt", "COM1", "COM\u00b9", "com\u00b3.log", "LPT9", "CONIN$", "CONOUT$", "aux.txt", "a/CON/b", "con .txt", "NUL ", "PRN",
		"a.", "a ", "dir./x", "dir /x", ".git.", ".git /config",
	} {
		if windowsRefusal(raw) == "" {
			t.Errorf("%q is accepted", raw)
		}
	}
	for _, raw := range []string{"x", "a/b", `a\b`, `C:\w\x`, "c:/w/x", "..", "../x", "./x", "com", "COM10", "COMX", "console.txt", "nullable", "a.b.c", ".gitignore", "lpt"} {
		if why := windowsRefusal(raw); why != "" {
			t.Errorf("%q is refused: %s", raw, why)
		}
	}
}
