package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"septet/internal/cli/settings"
)

// verdict is what doctor thinks of one thing.
type verdict string

const (
	fine   verdict = "ok"
	warn   verdict = "warn"
	broken verdict = "broken"
)

// finding is one line of doctor.
type finding struct {
	Check   string  `json:"check"`
	Verdict verdict `json:"verdict"`
	Fact    string  `json:"fact"`
	Hint    string  `json:"hint,omitempty"` // the next step, when there is one
}

// checkup collects what doctor found.
type checkup struct {
	Findings []finding          `json:"findings"`
	Settings []settings.Setting `json:"settings"`
}

func (c *checkup) say(check string, v verdict, hint, format string, args ...any) {
	c.Findings = append(c.Findings, finding{check, v, fmt.Sprintf(format, args...), hint})
}

// fail says that something is broken, with the hint of the error.
func (c *checkup) fail(check string, err error) {
	f := asPrinted(err)
	c.say(check, broken, f.hint, "%s", f.fact)
}

func (c *checkup) broken() bool {
	for _, f := range c.Findings {
		if f.Verdict == broken {
			return true
		}
	}
	return false
}

func doctorCommand(p Program) *cobra.Command {
	var o options
	asJSON := false
	cmd := &cobra.Command{
		Use:   "doctor [--json]",
		Short: "Say what works here, what does not and what to do",
		Long: `Look at everything that septet serve would use with the same flags: the roots,
bash, git, the place of its own state, limits, the kernel, the hosts that start
it, and which settings are in force and from where. Nothing is changed.

Exit code: 1 when something is broken.`,
		Example: "  septet doctor\n  septet doctor --workspace ~/project --mode read-only --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := o.examine(cmd, p)
			if err := c.print(cmd.OutOrStdout(), asJSON); err != nil {
				return err
			}
			if c.broken() {
				return &failure{code: exitFailed}
			}
			return nil
		},
	}
	o.register(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	listFlags(cmd, "workspace", "read", "write", "skills", "mode", "tools", "state", "no-journal", "config", "json")
	return cmd
}

// factIndent is where the facts begin.
const factIndent = len("broken vscode          ")

func (c *checkup) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, c)
	}
	s := newScreen(w)
	colours := map[verdict]string{fine: green, warn: cyan, broken: red}
	for _, f := range c.Findings {
		s.line(s.paint(colours[f.Verdict], fmt.Sprintf("%-7s", f.Verdict)) + fmt.Sprintf("%-15s ", f.Check) + prose(f.Fact, s.columns, factIndent))
		if f.Hint != "" {
			s.line(strings.Repeat(" ", factIndent) + "hint: " + prose(f.Hint, s.columns, factIndent+len("hint: ")))
		}
	}
	s.line("")
	s.line("In force:")
	rest := ""
	for _, setting := range c.Settings {
		if setting.Source != settings.Default {
			s.line(fmt.Sprintf("  %-15s %s  (%s)", setting.Name, setting.Value, setting.Source))
			rest = " for the rest"
		}
	}
	s.line("  the defaults of septet serve --help" + rest)
	return s.err
}
