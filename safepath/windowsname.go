package safepath

import (
	"fmt"
	"strings"
)

// windowsRefusal returns why raw cannot be a path on Windows, "" when it can.
// It is looked at before any system call: to open \\host\share sends the
// user's password hash to that host, and to open a device has effects.
func windowsRefusal(raw string) (fact string) {
	p := strings.ReplaceAll(raw, `\`, "/")
	shown := echo(raw)
	switch {
	case strings.HasPrefix(p, "//"), strings.HasPrefix(p, "/??/"):
		return shown + ": network and device paths are not allowed"
	case strings.HasPrefix(p, "/"):
		return shown + ": a path from the root of a drive must name the drive"
	}
	rest := p
	if hasDrive(p) {
		if rest = p[2:]; !strings.HasPrefix(rest, "/") {
			return shown + ": a path relative to a drive is not allowed"
		}
	}
	for part := range strings.SplitSeq(rest, "/") {
		if why := windowsNameRefusal(part); why != "" {
			return fmt.Sprintf("%s: the name %s %s", shown, Escape(part), why)
		}
	}
	return ""
}

func hasDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z'
}

func windowsNameRefusal(name string) (why string) {
	switch {
	case name == "" || name == "." || name == "..":
		return ""
	case strings.ContainsRune(name, ':'):
		return "holds a colon, which names a stream"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "ends in a dot or a blank, which Windows drops"
	case isWindowsDevice(name):
		return "is a device"
	}
	return ""
}

// isWindowsDevice knows the names that are devices in every directory and with
// every extension. The digits of ports come in superscript too.
func isWindowsDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	port, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		port, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok && len([]rune(port)) == 1 && strings.Contains("0123456789\u00b9\u00b2\u00b3", port)
}
