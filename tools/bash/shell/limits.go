package shell

const (
	// MaxCommandBytes bounds what is analysed. A person asked about more would
	// not read it, and the parser's cost stays in the microseconds.
	MaxCommandBytes = 16 << 10
	// MaxSimpleCommands bounds one line; past it a list is a script.
	MaxSimpleCommands = 32
	// MaxNesting bounds brackets in brackets. Nothing that nests is recognised,
	// and the parser takes a quarter of a second for 16 KiB of "(".
	MaxNesting = 16
	// MaxPatterns bounds the words of one line that are patterns: directories
	// are read for each.
	MaxPatterns = 32
	// MaxGlobNames bounds what the patterns of one command expand to: each
	// name is resolved.
	MaxGlobNames = 1000
	// MaxTreeEntries bounds the directories that rm, cp and mv may take: each
	// entry is looked at, at about 15 us.
	MaxTreeEntries = 10_000
	// MaxDirectories bounds the places that a line may be in at one time.
	MaxDirectories = 8
)
