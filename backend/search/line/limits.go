package line

// Bounds, and the points at which one way of searching gives way to another.
const (
	// MaxClasses bounds the width of the automaton's table. An expression that
	// tells more kinds of characters apart is left to package regexp.
	MaxClasses = 250

	// maxTableBytes bounds the automaton of one worker. It is thrown away when
	// it is full and built again as far as the text needs it.
	maxTableBytes = 4 << 20
	// minBytesPerState is how much text a state must have been good for when
	// the table is full; with less, building costs more than package regexp.
	minBytesPerState = 64

	// minWindow is scanned by one stream after a hit, for hits come together;
	// without one the window doubles up to maxWindow.
	minWindow = 2 << 10
	maxWindow = 64 << 10
	// fourStreams is the window from which on four streams pay: the processor
	// waits for one stream's table most of the time, so four cost as much.
	fourStreams = 8 << 10

	// maxPieces bounds how many texts are looked for side by side; with more,
	// the automaton is faster.
	maxPieces = 4
	// prefixBonus is what it is worth that the lines need not be read from
	// their beginning.
	prefixBonus = 30
	// highWorth is the worth of a byte that is no ASCII: that of the most common
	// of them by itself.
	highWorth = 150
	// maxFoldedBytes bounds a piece of which either case will do: every place
	// that has its rare bytes is compared with all of it.
	maxFoldedBytes = 64
	// commonRank is the rank from which on a byte is in almost every line, so
	// that looking for it finds nothing out.
	commonRank = 200

	// probeMisses are free: so few say nothing about the text.
	probeMisses = 16
	// minBytesPerMiss is what a false hit of the rare byte may cost: with less
	// text between them, comparing whole texts is faster.
	minBytesPerMiss = 32
	// minBytesPerLine is what a line that holds the text and does not match
	// must be good for: with less text between them, looking for the text
	// finds nothing out.
	minBytesPerLine = 256
	// foldWindow is searched for one case and then for the other, so that the
	// rarer of the two does not make every search go to the end.
	foldWindow = 4 << 10

	// blockBytes is how much of a long line is read at once.
	blockBytes = 64 << 10
)
