package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"septet/session"
)

// options are the flags of serve, which call, tools and demo take too.
type options struct {
	workspace string   // "" is the current directory
	read      []string // more roots to read
	write     []string // more roots to read and write
	skills    string   // directory, "auto" or "none"
	protect   []string // more protected patterns

	mode  string
	tools []string // nil is every tool the mode allows

	session   string
	state     string // "" is the user's state directory
	noJournal bool

	structured    bool
	framing       string
	drain         time.Duration
	maxFrame      byteSize
	searchTimeout time.Duration
	searchThreads int // 0 is one per processor

	env          []string // KEY=VALUE
	keepEnv      []string
	scrubSecrets bool

	logLevel string
	logFile  string // "" is stderr
	config   string
}

func (o *options) register(f *pflag.FlagSet) {
	o.registerPlaces(f)
	o.registerProtocol(f)
	f.StringVar(&o.mode, "mode", string(session.ModeDefault), "`MODE`: default, accept-edits or read-only")
	f.StringSliceVar(&o.tools, "tools", nil, "only these tools, comma separated `NAMES`")
	f.StringVar(&o.session, "session", "", "`ID` under which changes are recorded")
	f.StringVar(&o.state, "state", "", "`DIR` of the program's own state (default the user's state directory)")
	f.BoolVar(&o.noJournal, "no-journal", false, "record no changes; nothing can be undone")
	f.StringArrayVar(&o.env, "env", nil, "`K=V` for commands; may be repeated")
	f.StringArrayVar(&o.keepEnv, "keep-env", nil, "`NAME` of a variable that commands keep; may be repeated")
	f.BoolVar(&o.scrubSecrets, "scrub-secrets", false, "hide variables from commands whose names look like secrets")
	f.StringVar(&o.logLevel, "log-level", "warn", "`LEVEL` of log lines: debug, info, warn, error, disabled")
	f.StringVar(&o.logFile, "log-file", "", "append log lines to `FILE` (default stderr)")
	f.StringVar(&o.config, "config", "", "configuration `FILE`, or none\n(default septet/config.toml in the user's configuration)")
}

func (o *options) registerPlaces(f *pflag.FlagSet) {
	f.StringVar(&o.workspace, "workspace", "", "working directory and read-write root `DIR` (default the current directory)")
	f.StringArrayVar(&o.read, "read", nil, "one more root `DIR` to read; may be repeated")
	f.StringArrayVar(&o.write, "write", nil, "one more root `DIR` to read and write; may be repeated")
	f.StringVar(&o.skills, "skills", "none", "root `DIR` of skills to read; auto is ~/.agents/skills, none is none")
	f.StringArrayVar(&o.protect, "protect", nil, "`PATTERN` of names that are never written; may be repeated")
}

func (o *options) registerProtocol(f *pflag.FlagSet) {
	o.maxFrame = defaultMaxFrame
	f.BoolVar(&o.structured, "structured", false, "add structured content and output schemas to results")
	f.StringVar(&o.framing, "framing", "auto", "`KIND` of frames: auto, line or header")
	f.DurationVar(&o.drain, "drain", 1500*time.Millisecond, "`TIME` that running calls have after the end of input")
	f.Var(&o.maxFrame, "max-frame", "largest accepted frame, `SIZE` with KiB, MiB or GiB")
	f.DurationVar(&o.searchTimeout, "search-timeout", 30*time.Second, "`TIME` after which a search answers with what it has")
	f.IntVar(&o.searchThreads, "search-threads", 0, "`N` threads of one search (default one per processor)")
}

// check refuses values that no part of the program could use.
func (o *options) check() error {
	if !slices.Contains(session.Modes, session.Mode(o.mode)) {
		return usage("modes are default, accept-edits and read-only", "unknown mode %q", o.mode)
	}
	if !slices.Contains([]string{"auto", "line", "header"}, o.framing) {
		return usage("framings are auto, line and header", "unknown framing %q", o.framing)
	}
	if o.drain < 0 || o.searchTimeout <= 0 || o.searchThreads < 0 {
		return usage("give times such as 1.5s and a count of at least 1", "--drain, --search-timeout and --search-threads must not be negative")
	}
	if o.session != "" && !session.ValidName(o.session) {
		return usage("a name has 1 to 64 letters, digits, dots, hyphens and underscores", "--session %q is not a name", o.session)
	}
	for _, name := range o.keepEnv {
		if name == "" || strings.Contains(name, "=") {
			return usage("--keep-env NAME, or --env NAME=VALUE", "--keep-env %q is not the name of a variable", name)
		}
	}
	for i, name := range o.tools {
		o.tools[i] = strings.TrimSpace(name)
	}
	for _, pair := range o.env {
		if name, _, found := strings.Cut(pair, "="); !found || name == "" {
			return usage("--env NAME=VALUE", "--env %q has no name and value", pair)
		}
	}
	return nil
}

// defaultMaxFrame is four times the largest frame that a useful call needs:
// 1 MiB of content, every byte of it escaped as six.
const defaultMaxFrame byteSize = 16 << 20

// byteSize is a flag value in bytes, written as a number and a unit.
type byteSize int

var byteUnits = []struct {
	suffix string
	bytes  int
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"", 1}}

func (b *byteSize) Set(s string) error {
	for _, unit := range byteUnits {
		digits, found := strings.CutSuffix(s, unit.suffix)
		if !found {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(digits))
		if err != nil || n <= 0 || n > math.MaxInt32/unit.bytes {
			break
		}
		*b = byteSize(n * unit.bytes)
		return nil
	}
	return fmt.Errorf("%q is not a size such as 16MiB", s)
}

func (b *byteSize) String() string {
	for _, unit := range []int{2, 1, 0} {
		u := byteUnits[unit]
		if int(*b) >= u.bytes && int(*b)%u.bytes == 0 {
			return strconv.Itoa(int(*b)/u.bytes) + u.suffix
		}
	}
	return strconv.Itoa(int(*b))
}

func (b *byteSize) Type() string { return "size" }
