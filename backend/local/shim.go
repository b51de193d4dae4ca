package local

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"time"

	"septet/backend"
)

const (
	// lingerTime is what descendants get to end by themselves after the
	// leader: `exec > >(sort)` writes its output then.
	lingerTime = 250 * time.Millisecond
	// leftoverGrace is what a leftover gets between TERM and KILL.
	leftoverGrace = time.Second
	// askedGrace is what a command gets after a timeout or a cancel: enough
	// for git to remove its index.lock.
	askedGrace = 2 * time.Second
	// confirmTime is how long KILL may take before the outcome is unknown.
	confirmTime = 2 * time.Second
	// lookInterval is how often the state is looked at while something ends.
	lookInterval = 2 * time.Millisecond
	// retryInterval is the same once the outcome is unknown.
	retryInterval = time.Second
)

// maxReportBytes bounds one report: the names of maxLeftoverNames processes, or
// a failure with a path.
const maxReportBytes = 32 << 10

// shimVerb is the hidden argument with which this program runs as a shim, and
// shimName what it is called then. Neither holds anything of the command: a
// `pkill -f` inside it must not find its own shim.
const (
	shimVerb = "__shim"
	shimName = "septet-shim"
)

// The descriptors of a shim. Standard input is /dev/null, and 1 and 2 are the
// command's output.
const (
	ordersFD  = 3 // orders, one JSON value after another; its end means that the server is gone
	reportsFD = 4 // reports, the same; its end without an ending means that the shim is gone
	dirFD     = 5 // the directory to start in
)

// job is what is to be run. The environment is the shim's own, so that not
// even /proc shows a variable that was scrubbed.
type job struct {
	Shell  string
	Script []byte // not a string: JSON would replace what is not UTF-8
}

// arguments is the argument list of the shell. -p keeps BASH_ENV, imported
// functions, SHELLOPTS and CDPATH out; the long options must come first; --
// lets a script begin with a dash.
func (j job) arguments() []string {
	return []string{"bash", "--noprofile", "--norc", "-p", "-c", "--", string(j.Script)}
}

// order is what the server tells a supervisor: its job first, then when to end it.
type order struct {
	Job *job `json:",omitempty"`
	Now bool // end it without grace
}

// report is what a supervisor tells the server. One field is set.
type report struct {
	Starting bool            `json:",omitempty"` // from now on something may run
	Started  int             `json:",omitempty"` // the leader's pid
	Failed   string          `json:",omitempty"` // nothing was started, and why
	Alive    []backend.Alive `json:",omitempty"` // its end could not be confirmed yet
	Ended    *ending         `json:",omitempty"` // nothing is left
}

// line is the report as it is sent: on a line of its own, whatever somebody who
// got hold of the pipe has left there.
func (r report) line() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // a report is plain data
	}
	return slices.Concat([]byte{'\n'}, text, []byte{'\n'})
}

// reportsOf returns the reports among the lines of r, up to its end or failure.
// What is none is left out: a command of root can write there.
func reportsOf(r io.Reader) <-chan report {
	reports := make(chan report)
	go func() {
		defer close(reports)
		lines := bufio.NewReaderSize(r, maxReportBytes)
		for {
			line, long, err := lines.ReadLine()
			for long && err == nil {
				line, long, err = lines.ReadLine()
			}
			if err != nil {
				return
			}
			var got report
			if json.Unmarshal(line, &got) == nil {
				reports <- got
			}
		}
	}()
	return reports
}

// ending is how a command ended.
type ending struct {
	Asked    bool // the server asked for it before the leader ended by itself
	ExitCode int
	Signal   string   // "" when the leader exited
	Leftover []string // names of what outlived the leader and was killed
}
