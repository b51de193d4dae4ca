package shell

// writeTable are the programs that change files of the workspace and only the
// ones they are told. Every operand is literal, strictly below a writable root
// and in no protected place; flags that name other files are left out.
//
// ln makes links, after which names mean other things; chmod, tar, unzip,
// patch, install, truncate and dd do more than their operands say.
var writeTable = []row{
	// Makes directories.
	{name: "mkdir", parser: getopt, from: coreutils, short: "pv", shortValue: "m", operands: owned, check: checkMkdir, long: "mode= parents verbose"},
	// Makes files and sets times; -r takes them from another file.
	{name: "touch", parser: getopt, from: coreutils, short: "acm", shortValue: "dt", operands: owned, check: checkTouch, long: "no-create date= time="},
	// Removes empty directories; -p also those above.
	{name: "rmdir", parser: getopt, from: coreutils, short: "v", operands: owned, check: checkRmdir, long: "ignore-fail-on-non-empty verbose"},
	// Removes; --no-preserve-root is left out.
	{name: "rm", parser: getopt, from: coreutils, short: "dfirRvI", operands: owned, check: checkRm, long: "force interactive? one-file-system recursive dir verbose"},
	// Copies; -l and -s make links, -L and -H follow them, -b -S make more
	// files, -t and --parents change where a copy goes. With -a -d -P -r -R a
	// link is copied as a link.
	{name: "cp", parser: getopt, from: coreutils, short: "adfinpPrRuvx", operands: owned, check: checkCp,
		long: "archive force interactive no-clobber no-dereference recursive update verbose one-file-system preserve? no-preserve= reflink? sparse= attributes-only"},
	// Moves; as for cp.
	{name: "mv", parser: getopt, from: coreutils, short: "finuv", operands: owned, check: checkMv, long: "force interactive no-clobber update verbose"},
	// Writes what it reads.
	{name: "tee", parser: getopt, from: coreutils, short: "aip", operands: owned, check: checkTee, long: "append ignore-interrupts output-error?"},
	// w and the flags w and e of s write and execute: only a part of the
	// language is read. -i with a suffix keeps another file.
	{name: "sed", parser: getopt, from: gnuSed, short: "nErsuz", shortValue: "e", shortMaybe: "i", operands: owned, check: checkSed,
		long: "quiet silent expression= in-place regexp-extended separate unbuffered null-data posix"},
}
