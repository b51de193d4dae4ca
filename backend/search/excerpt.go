package search

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"septet/backend"
	"septet/backend/search/line"
)

// excerpt makes the shown form of a line: valid UTF-8 and, when long, cut
// around the match that begins at start. before and after are bytes of the
// line that are not in part.
func excerpt(part []byte, start int, before, after int64) string {
	part = line.WithoutReturn(part)
	if len(part) <= backend.MaxMatchBytes && before == 0 && after == 0 {
		if text := readable(part); len(text) <= backend.MaxMatchBytes {
			return text
		}
	}
	for room := backend.MaxMatchBytes - cutMarkBytes; ; room /= 2 {
		from, to := window(part, start, room)
		text := readable(part[from:to])
		if len(text) <= backend.MaxMatchBytes-cutMarkBytes {
			return cutMark(before+int64(from), "[%s bytes]...") + text + cutMark(after+int64(len(part)-to), "...[%s bytes]")
		}
	}
}

// window chooses room bytes of the line, a quarter of them before the match,
// at the limits of characters.
func window(part []byte, start, room int) (from, to int) {
	from = max(0, min(start-room/4, len(part)-room))
	to = min(len(part), from+room)
	for k := 0; k < utf8.UTFMax-1 && from > 0 && from < len(part) && !utf8.RuneStart(part[from]); k++ {
		from++
	}
	for k := 0; k < utf8.UTFMax-1 && to < len(part) && to > from && !utf8.RuneStart(part[to]); k++ {
		to--
	}
	return from, to
}

func cutMark(bytes int64, form string) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf(form, strconv.FormatInt(bytes, 10))
}

// readable escapes what is not UTF-8, and NUL, as \xNN.
func readable(text []byte) string {
	if utf8.Valid(text) && !strings.Contains(string(text), "\x00") {
		return string(text)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else {
			b.Write(text[i : i+n])
		}
		i += n
	}
	return b.String()
}
