package shell

// readTable are the programs that only read. The flags are those of GNU
// coreutils 9.1, grep 3.8, sed 4.9, findutils 4.9, diffutils 3.8, util-linux
// 2.38, binutils 2.40, xxd 2022, file 5.44 and ripgrep 13 and 15; "from" says
// which others have them. What is left out writes, executes, follows links out
// of the roots or reads names from a file; where a program has no such flag
// its comment says "nothing".
var readTable = []row{
	// Builtins of bash: nothing.
	{name: ":", builtin: true, run: anyWords},
	{name: "true", builtin: true, run: anyWords},
	{name: "false", builtin: true, run: anyWords},
	{name: "echo", builtin: true, run: anyWords},
	{name: "pwd", parser: getoptFirst, builtin: true, short: "LP"},
	{name: "type", parser: getoptFirst, builtin: true, short: "afpPt", operands: texts},
	// -v and %n assign a variable, such as PATH; %( ) is left out with them.
	{name: "printf", parser: expression, builtin: true, run: runPrintf},
	// -v and -R evaluate a subscript, which may hold a command.
	{name: "test", parser: expression, builtin: true, run: runTest},
	{name: "[", parser: expression, builtin: true, run: runTest},
	// It changes where relative paths lead.
	{name: "cd", builtin: true, run: runCd},

	// Nothing writes. -L and -H follow links out of the roots.
	{name: "ls", parser: getopt, from: coreutils, here: true, short: "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1", shortValue: "ITw", operands: paths, glob: true,
		long: "all almost-all author escape block-size= ignore-backups color? directory classify? file-type full-time group-directories-first no-group human-readable si hide= indicator-style= inode ignore= kibibytes numeric-uid-gid literal hide-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero"},
	// Nothing.
	{name: "cat", parser: getopt, from: coreutils, short: "AbeEnstTuv", operands: paths, glob: true,
		long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"},
	// Nothing.
	{name: "head", parser: getopt, from: coreutils, short: "qvz", shortValue: "cn", negative: " c n bytes lines ", number: true, operands: paths, glob: true,
		long: "bytes= lines= quiet silent verbose zero-terminated"},
	// Nothing writes. -f, -F, --follow and --retry never end, and neither does
	// the old "+1f", which is no file's name.
	{name: "tail", parser: getopt, from: coreutils, short: "qvz", shortValue: "cn", negative: " c n bytes lines ", number: true, operands: paths, glob: true, check: checkTail,
		long: "bytes= lines= quiet silent verbose zero-terminated"},
	// --files0-from reads names from a file.
	{name: "wc", parser: getopt, from: coreutils, short: "clLmw", operands: paths, glob: true, long: "bytes chars lines max-line-length words"},
	// Nothing.
	{name: "stat", parser: getopt, from: coreutils, short: "fLt", shortValue: "c", operands: paths, glob: true, long: "dereference file-system format= printf= terse"},
	// -L follows links out of the roots; -X and --files0-from read names from a file.
	{name: "du", parser: getopt, from: coreutils, here: true, short: "0abchkmlsSx", shortValue: "Bdt", operands: paths, glob: true,
		long: "null all apparent-size block-size= bytes total max-depth= human-readable inodes count-links separate-dirs si summarize threshold= time? time-style= exclude= one-file-system"},
	// --sync makes the kernel write.
	{name: "df", parser: getopt, from: coreutils, short: "ahHiklPT", shortValue: "Btx", operands: paths,
		long: "all block-size= human-readable si inodes local no-sync output? portability total type= print-type exclude-type="},
	// Nothing: text only.
	{name: "basename", parser: getoptFirst, from: coreutils, short: "az", shortValue: "s", operands: texts, long: "multiple suffix= zero"},
	{name: "dirname", parser: getoptFirst, from: coreutils, short: "z", operands: texts, long: "zero"},
	// Nothing.
	{name: "realpath", parser: getopt, from: coreutils, short: "eLmPqsz", operands: paths, glob: true,
		long: "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to@ relative-base@"},
	{name: "readlink", parser: getopt, from: coreutils, short: "efmnqsvz", operands: paths, glob: true,
		long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero"},
	// Nothing.
	{name: "which", parser: getoptFirst, from: whichTool, short: "a", operands: texts},
	{name: "uname", parser: getopt, from: coreutils, short: "asnrvmpio", long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system"},
	{name: "id", parser: getopt, from: coreutils, short: "agGnruz", operands: texts, long: "group groups name real user zero"},
	{name: "whoami", from: coreutils},
	{name: "logname", from: coreutils},
	{name: "arch", from: coreutils},
	{name: "tty", parser: getopt, from: coreutils, short: "s"},
	// An operand, and flags that read a file, set the name.
	{name: "hostname", from: hostnameTools},
	{name: "groups", from: coreutils, operands: texts},
	{name: "nproc", parser: getopt, from: coreutils, long: "all ignore="},
	// -s and a bare operand set the clock; -f and -r read files.
	{name: "date", parser: getopt, from: coreutils, short: "uR", operands: owned, max: 1, check: checkDate, long: "utc universal rfc-email"},
	// -o and --output write; --compress-program runs a program; -T writes
	// elsewhere (what does not fit into memory would go to the directory of
	// temporary files, and in Environment there is none); --files0-from and --random-source read a file. A name that
	// begins with a dash would be one of them: no patterns.
	{name: "sort", parser: getopt, from: coreutils, short: "bcCdfghiMmnRrsuVz", shortValue: "kSt", operands: paths,
		long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort batch-size= check? debug key= merge stable buffer-size= field-separator= parallel= unique zero-terminated"},
	// A second operand is written.
	{name: "uniq", parser: getopt, from: coreutils, short: "cdDiuz", shortValue: "fsw", operands: paths, max: 1,
		long: "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars="},
	// Nothing.
	{name: "cut", parser: getopt, from: coreutils, short: "nsz", shortValue: "bcdf", operands: paths, glob: true,
		long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated"},
	{name: "tr", parser: getoptFirst, from: coreutils, short: "cCdst", operands: texts, max: 2, long: "complement delete squeeze-repeats truncate-set1"},
	{name: "nl", parser: getopt, from: coreutils, short: "p", shortValue: "bdfhilnsvw", negative: " i v line-increment starting-line-number ", operands: paths, glob: true,
		long: "body-numbering= section-delimiter= footer-numbering= header-numbering= line-increment= join-blank-lines= number-format= no-renumber number-separator= starting-line-number= number-width="},
	// Nothing.
	{name: "rev", parser: getopt, from: utilLinux, operands: paths, glob: true},
	// What comes from a pipe is kept in a temporary file: operands only.
	{name: "tac", parser: getopt, from: coreutils, short: "br", shortValue: "s", operands: paths, glob: true, check: checkFilesOnly, long: "before regex separator="},
	// Nothing.
	{name: "paste", parser: getopt, from: coreutils, short: "sz", shortValue: "d", operands: paths, glob: true, long: "delimiters= serial zero-terminated"},
	{name: "comm", parser: getopt, from: coreutils, short: "123z", operands: paths, max: 2, long: "check-order nocheck-order output-delimiter= total zero-terminated"},
	{name: "join", parser: getopt, from: coreutils, short: "iz", shortValue: "aejotv12", operands: paths, max: 2,
		long: "ignore-case check-order nocheck-order header zero-terminated"},
	{name: "fold", parser: getopt, from: coreutils, short: "bs", shortValue: "w", operands: paths, glob: true, long: "bytes spaces width="},
	{name: "expand", parser: getopt, from: coreutils, short: "i", shortValue: "t", operands: paths, glob: true, long: "initial tabs="},
	// -l runs pr; -r follows links; -X, --from-file and --to-file read names.
	// Two directories are compared through the links in them: files only.
	{name: "diff", parser: getopt, from: diffutils, short: "abBcdEeinNpqstTuwyZ", shortValue: "CFIUW", operands: owned, max: 2, check: checkDiff,
		long: "normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty new-file unidirectional-new-file ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr minimal speed-large-files color?"},
	// Nothing. A third and fourth operand are numbers, left out.
	{name: "cmp", parser: getopt, from: diffutils, short: "bls", shortValue: "in", operands: paths, max: 2, long: "print-bytes ignore-initial= verbose bytes= quiet silent"},
	// -c and --check read names from a file.
	{name: "md5sum", parser: getopt, from: coreutils, short: "btz", operands: paths, glob: true, long: "binary tag text zero"},
	{name: "sha1sum", parser: getopt, from: coreutils, short: "btz", operands: paths, glob: true, long: "binary tag text zero"},
	{name: "sha256sum", parser: getopt, from: coreutils, short: "btz", operands: paths, glob: true, long: "binary tag text zero"},
	{name: "cksum", parser: getopt, from: coreutils, shortValue: "a", short: "z", operands: paths, glob: true, long: "algorithm= tag untagged zero"},
	// Nothing.
	{name: "od", parser: getopt, from: coreutils, short: "abcdfiloxsv", shortValue: "AjNtS", shortMaybe: "w", operands: paths, glob: true,
		long: "address-radix= endian= skip-bytes= read-bytes= strings? format= output-duplicates width?"},
	// -f reads its format from a file.
	{name: "hexdump", parser: getopt, from: utilLinux, short: "bcCdovx", shortValue: "ens", operands: paths, glob: true},
	// An operand @FILE is replaced by the words in the file.
	{name: "strings", parser: getopt, from: binutils, short: "aofw", shortValue: "ents", number: true, operands: paths, check: checkStrings,
		long: "all print-file-name bytes= radix= encoding= output-separator="},
	// Nothing.
	{name: "base64", parser: getopt, from: coreutils, short: "di", shortValue: "w", operands: paths, max: 1, long: "decode ignore-garbage wrap="},
	// -r writes, and so does a second operand.
	{name: "xxd", parser: firstLetter, from: vimXxd, short: "abeEipuCd", shortValue: "cglos", negative: " s ", operands: paths, max: 1, check: checkXxd},
	// -C compiles a magic file; -m and -f read files; -z and -Z run programs;
	// -p and -s touch times and devices. An ELF file that comes from a pipe is
	// kept in a temporary file: operands only.
	{name: "file", parser: getopt, from: darwinsys, short: "0bEhiklLnNrv", shortValue: "eFP", operands: paths, check: checkFilesOnly,
		long: "brief mime mime-type mime-encoding apple extension keep-going dereference no-dereference no-buffer no-pad print0 raw separator= exclude= parameter= version"},
	// Nothing.
	{name: "seq", parser: getoptFirst, from: coreutils, short: "w", shortValue: "fs", number: true, operands: texts, max: 3, long: "equal-width format= separator="},
	{name: "sleep", from: coreutils, operands: texts},
	// -f reads a file; -R and --dereference-recursive follow links.
	{name: "grep", parser: getopt, from: gnuGrep, short: "abcEFGhHiInlLopPqrsTUvVwxyz", shortValue: "ABCdDem", number: true, operands: patterned, glob: true,
		long:  "extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match max-count= byte-offset line-number line-buffered with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive include= exclude= exclude-dir= files-without-match files-with-matches count initial-tab null before-context= after-context= context= color? colour? binary",
		check: checkGrep},
	// --pre and --hostname-bin run a program, -z runs decompressors, -L follows
	// links, -f and --ignore-file read a file, and --debug and --trace show what ignore files
	// of directories above the roots say. An ignore file may be a link.
	{name: "rg", parser: clap, from: ripgrep, here: true, short: "0abcFHhiIlnNopPqsSuUvVwx.", shortValue: "ABCdeEgjmMrtT", operands: patterned, check: checkRipgrep,
		long: "files after-context= before-context= context= auto-hybrid-regex binary block-buffered byte-offset case-sensitive color= colors= column context-separator= count count-matches crlf dfa-size-limit= encoding= engine= field-context-separator= field-match-separator= files-with-matches files-without-match fixed-strings glob= glob-case-insensitive heading hidden iglob= ignore-case ignore-file-case-insensitive include-zero invert-match json line-buffered line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall no-config no-filename no-heading no-hidden no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap no-unicode null null-data one-file-system only-matching passthru pcre2 pretty quiet regex-size-limit= regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-not= type-list unrestricted vimgrep with-filename word-regexp"},
	// -exec -execdir -ok -okdir run programs; -delete -fprint -fprint0 -fprintf
	// -fls write; -L and -follow follow links; -files0-from reads names.
	{name: "find", parser: expression, from: findutils, run: runFind},

	{name: "git", from: gitSCM, run: runGit},
}
