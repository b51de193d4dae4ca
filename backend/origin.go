package backend

import "sort"

// Origin tells which of the bytes that a command wrote a text stands for. The
// two differ where a sequence was dropped, a frame overwritten, or a byte
// shown as an escape. Nil: the text is those bytes.
type Origin []Step

// Step is a place in the text and the same place in the bytes, both counted
// from the beginning of the text. Up to the next step the two run side by side
// when they are equally long; otherwise what is between is one piece that
// cannot be cut. Before the first step and after the last they run side by
// side.
type Step struct{ Text, Raw int32 }

// Before is the last place at or before at, where a rune of the text starts or
// the text ends, where it may be cut.
func (o Origin) Before(at int) (text, raw int) {
	from, to := o.around(at)
	if whole(from, to) {
		at = int(from.Text)
	}
	return at, int(from.Raw) + at - int(from.Text)
}

// After is the first place at or after at where the text may be cut.
func (o Origin) After(at int) (text, raw int) {
	from, to := o.around(at)
	if whole(from, to) && at > int(from.Text) {
		return int(to.Text), int(to.Raw)
	}
	return at, int(from.Raw) + at - int(from.Text)
}

// around returns the last step at or before at, and the one after it: the
// same when there is none.
func (o Origin) around(at int) (from, to Step) {
	next := sort.Search(len(o), func(i int) bool { return int(o[i].Text) > at })
	if next > 0 {
		from = o[next-1]
	}
	if next < len(o) {
		return from, o[next]
	}
	return from, from
}

// whole reports whether what is between two steps is one piece.
func whole(from, to Step) bool { return to.Text-from.Text != to.Raw-from.Raw }
