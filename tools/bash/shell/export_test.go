package shell

import "strings"

// HarmlessKey is harmlessKey.
func HarmlessKey(key string) bool { return harmlessKey(key) }

// Programs are the names of all rows but those of bash that change it (cd) or
// tell of it (":", type), and git.
func Programs() []string {
	var names []string
	for _, table := range [...][]row{readTable, writeTable} {
		for _, r := range table {
			if r.name != "cd" && r.name != ":" && r.name != "type" && r.name != "git" {
				names = append(names, r.name)
			}
		}
	}
	return names
}

// FlagCommands gives, for each program that only reads, one command line for
// every flag its row accepts. A flag that sub-commands of git share is given
// to the first.
func FlagCommands() map[string][]string {
	all := map[string][]string{"find": findCommands()}
	for _, r := range readTable {
		if !r.builtin && r.run == nil {
			all[r.name] = rowCommands(&r, r.name, operandsFor(&r))
		}
	}
	sed := *findRow("sed")
	sed.shortMaybe, sed.shortValue = "", ""
	sed.long = strings.NewReplacer("in-place", "", "expression=", "").Replace(sed.long)
	all["sed"] = append(rowCommands(&sed, "sed", "p main.go"), "sed -e p main.go", "sed -n '1,2p;3d;/x/q' main.go", "sed 's/x/y/gpI2' main.go")
	seen := map[string]bool{}
	for i := range gitTable {
		g := &gitTable[i]
		words := strings.TrimSpace("git " + g.name + " " + g.verb)
		for _, command := range rowCommands(&g.row, words, operandsFor(&g.row)) {
			flag, _, _ := strings.Cut(strings.TrimPrefix(command, words+" "), " ")
			if !strings.HasPrefix(flag, "--") || !seen[flag] {
				all["git"] = append(all["git"], command)
			}
			seen[flag] = true
		}
	}
	return all
}

// operandsFor is what makes a program do its work, so that its flags matter.
func operandsFor(r *row) string {
	switch r.name {
	case "tr":
		return "a b"
	case "seq", "sleep":
		return "0"
	case "date":
		return "+%F"
	case "id", "groups":
		return "root"
	case "comm", "join", "diff", "cmp":
		return "main.go README.md"
	case "blame":
		return "main.go"
	case "log", "show", "shortlog", "merge-base", "rev-parse":
		return "HEAD"
	case "branch", "tag":
		return "" // an operand would make one
	}
	switch r.operands {
	case none:
		return ""
	case patterned, owned:
		return "x main.go"
	case paths:
		return "main.go"
	case texts:
		return "x"
	}
	return ""
}

func rowCommands(r *row, words, operands string) []string {
	commands := []string{words + " " + operands}
	add := func(flag string) { commands = append(commands, words+" "+flag+" "+operands) }
	for _, letter := range r.short {
		add("-" + string(letter))
	}
	for _, letter := range r.shortMaybe {
		add("-" + string(letter))
		add("-" + string(letter) + "1")
	}
	for _, letter := range r.shortAttached + r.shortValue {
		add("-" + string(letter) + "1")
	}
	for entry := range strings.FieldsSeq(r.long) {
		name := strings.TrimRight(entry, "=:?@>")
		switch mark := entry[len(name):]; mark {
		case "":
			add("--" + name)
		case ">":
			add("--" + name + " HEAD")
		case "?":
			add("--" + name)
			add("--" + name + "=1")
		case "@":
			add("--" + name + "=src")
		default:
			add("--" + name + "=1")
		}
	}
	return commands
}

func findCommands() []string {
	var commands []string
	for test := range strings.FieldsSeq(findTests) {
		if !strings.Contains("! ( ) , -not -a -and -o -or", test) {
			commands = append(commands, "find . "+test)
		}
	}
	for value := range strings.FieldsSeq(findValues) {
		commands = append(commands, "find . "+value+" 1", "find . "+value+" f")
	}
	for path := range strings.FieldsSeq(findPaths) {
		commands = append(commands, "find . "+path+" main.go")
	}
	return append(commands, `find . \( -name x -o ! -name y \) -and -not -name z , -print`)
}

// Covers reports whether the row of a program covers a version.
func Covers(program, line string) bool { return covers(findRow(program).from, program, line) }

// RowFaults lists what contradicts itself in the tables.
func RowFaults() []string {
	var faults []string
	for _, table := range [...][]row{readTable, writeTable} {
		for _, r := range table {
			faults = append(faults, r.faults()...)
			if r.builtin == (len(r.from) > 0) {
				faults = append(faults, r.name+" is of no version, or a builtin of one")
			}
		}
	}
	for _, g := range gitTable {
		faults = append(faults, g.faults()...)
	}
	return faults
}

func (r *row) faults() []string {
	var faults []string
	seen := map[string]bool{}
	letters := strings.Split(r.short+r.shortValue+r.shortAttached+r.shortMaybe, "")
	for entry := range strings.FieldsSeq(r.long) {
		letters = append(letters, strings.TrimRight(entry, "=:?@>"))
	}
	for _, name := range letters {
		if seen[name] {
			faults = append(faults, r.name+": "+name+" stands in two lists")
		}
		seen[name] = true
	}
	if len(letters) > 0 && (r.parser == words || r.parser == expression) {
		faults = append(faults, r.name+" has flags and no parser for them")
	}
	for name := range strings.FieldsSeq(r.negative) {
		if mark, _ := findLong(r.long, name); mark != '=' && !strings.Contains(r.shortValue, name) {
			faults = append(faults, r.name+": "+name+" takes no value in a word of its own")
		}
	}
	return faults
}
