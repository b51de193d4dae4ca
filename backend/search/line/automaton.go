package line

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// State numbers. An ordinary state's number is the place of its row in the
// table; these are in the first row, which is not used.
const (
	unknown uint32 = iota // not built yet, or a character to decode
	matched               // the line matches
	dead                  // nothing can match any more before the line ends
	special = dead        // the last number that is no row
)

// automaton decides about lines one character at a time. Its states are sets
// of places in the program. It is not safe for concurrent use.
type automaton struct {
	expr    *Expression
	stride  uint32 // length of a row
	table   []uint32
	states  []state           // by row
	known   map[string]uint32 // key of a state to its number
	start   uint32
	limit   int // bytes of table and states
	used    int
	emptied int // times the table was emptied: numbers from before mean nothing

	stack []uint32 // of the closure
	seen  []uint32 // generation in which an instruction was reached
	round uint32
	set   []uint32 // result of the closure: instructions that test a character
}

// state is a set of places in the program, before the conditions that depend
// on the next character.
type state struct {
	at    []uint32 // sorted
	first bool     // at the beginning of the line
	word  bool     // the character before is a word character
	ended bool     // the character before is a carriage return, and the line matches if it ends before that
}

func newAutomaton(e *Expression, limit int) *automaton {
	a := &automaton{expr: e, stride: uint32(e.classes.count()), limit: limit, seen: make([]uint32, len(e.prog.Inst))}
	a.reset()
	return a
}

// reset forgets every state.
func (a *automaton) reset() {
	a.table = append(a.table[:0], make([]uint32, a.stride)...)
	a.states = append(a.states[:0], state{})
	a.known = map[string]uint32{}
	a.used = 0
	a.emptied++
	a.start = a.add(state{first: true})
}

// full reports that the next state would go over the limit.
func (a *automaton) full() bool { return a.used > a.limit }

// add returns the number of a state.
func (a *automaton) add(s state) uint32 {
	key := s.key()
	if id, ok := a.known[key]; ok {
		return id
	}
	id := uint32(len(a.table))
	a.table = append(a.table, make([]uint32, a.stride)...)
	a.states = append(a.states, s)
	a.known[key] = id
	a.used += int(a.stride)*4 + 2*len(key) + 64
	return id
}

func (s *state) key() string {
	key := make([]byte, 1, 1+4*len(s.at))
	for i, flag := range []bool{s.first, s.word, s.ended} {
		if flag {
			key[0] |= 1 << i
		}
	}
	for _, at := range s.at {
		key = binary.LittleEndian.AppendUint32(key, at)
	}
	return string(key)
}

// next returns the state after a character of the class, building it.
func (a *automaton) next(from uint32, class uint8) uint32 {
	s := a.states[from/a.stride]
	to := a.build(s, class)
	a.table[from+uint32(class)] = to
	return to
}

func (a *automaton) build(s state, class uint8) uint32 {
	if class == lineEnd {
		if s.ended || a.matchesAtEnd(s) {
			return matched
		}
		return a.start
	}
	word := a.expr.classes.word[class]
	if a.closure(s, conditions(s, word)) {
		return matched
	}
	to := state{word: word, at: a.take(a.expr.classes.sample[class])}
	if class == carriageReturn {
		to.ended = a.matchesAtEnd(s)
	}
	if a.closure(state{at: to.at}, 0) {
		return matched
	}
	if len(to.at) == 0 && !to.ended && a.expr.anchored {
		return dead
	}
	return a.add(to)
}

// take moves every instruction of the closure over the character.
func (a *automaton) take(r rune) []uint32 {
	var at []uint32
	for _, pc := range a.set {
		in := &a.expr.prog.Inst[pc]
		if takes(in, r) {
			at = append(at, in.Out)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

func takes(in *syntax.Inst, r rune) bool {
	switch in.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	}
	return in.MatchRune(r)
}

// matchesAtEnd reports whether the line matches if it ends here.
func (a *automaton) matchesAtEnd(s state) bool {
	return a.closure(s, conditions(s, false)|syntax.EmptyEndLine|syntax.EmptyEndText)
}

// conditions returns the empty-width conditions that hold between the state
// and a next character that is, or is not, a word character.
func conditions(s state, word bool) syntax.EmptyOp {
	var c syntax.EmptyOp
	if s.first {
		c |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	}
	if s.word != word {
		return c | syntax.EmptyWordBoundary
	}
	return c | syntax.EmptyNoWordBoundary
}

// closure follows everything that takes no character, from the state and from
// the beginning of the program, for a match may begin anywhere. It leaves the
// instructions that take one in a.set and reports whether the end was reached.
func (a *automaton) closure(s state, holds syntax.EmptyOp) bool {
	a.round++
	a.set = a.set[:0]
	a.stack = append(append(a.stack[:0], s.at...), uint32(a.expr.prog.Start))
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.seen[pc] == a.round {
			continue
		}
		a.seen[pc] = a.round
		switch in := &a.expr.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			a.stack = append(a.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^holds == 0 {
				a.stack = append(a.stack, in.Out)
			}
		case syntax.InstFail:
		default:
			a.set = append(a.set, pc)
		}
	}
	return false
}
