package shell

// writeTable are the programs that change files of the workspace and only the
// ones they are told. Every operand is literal, strictly below a writable root
// and in no protected place; flags that name other files are left out.
//
// ln makes links, after which names mean other things; chmod, tar, unzip,
// patch, install, truncate and dd do more than their operands say.
var writeTable = []row{
	// Makes directories.
	{name: "mkdir", short: "pv", shortValue: "m", operands: owned, check: checkMkdir, long: "mode= parents verbose"},
	// Makes files and sets times; -r takes them from another file.
	{name: "touch", short: "acm", shortValue: "dt", operands: owned, check: checkTouch, long: "no-create date= time="},
	// Removes empty directories; -p also those above.
	{name: "rmdir", short: "v", operands: owned, check: checkRmdir, long: "ignore-fail-on-non-empty verbose"},
	// Removes; --no-preserve-root is left out.
	{name: "rm", short: "dfirRvI", operands: owned, check: checkRm, long: "force interactive? one-file-system recursive dir verbose"},
	// Copies; -l and -s make links, -L and -H follow them, -b -S make more
	// files, -t and --parents change where a copy goes.
	{name: "cp", short: "adfinpPrRuvx", operands: owned, check: checkCp,
		long: "archive force interactive no-clobber no-dereference recursive update verbose one-file-system preserve? no-preserve= reflink? sparse= attributes-only"},
	// Moves; as for cp.
	{name: "mv", short: "finuv", operands: owned, check: checkMv, long: "force interactive no-clobber update verbose"},
	// Writes what it reads.
	{name: "tee", short: "aip", operands: owned, check: checkTee, long: "append ignore-interrupts output-error?"},
	// w and the flags w and e of s write and execute: only a part of the
	// language is read. -i with a suffix keeps another file.
	{name: "sed", short: "nErsuz", shortValue: "e", shortMaybe: "i", operands: owned, check: checkSed,
		long: "quiet silent expression= in-place regexp-extended separate unbuffered null-data posix"},
}
