package shell

import (
	"context"
	"strings"
)

// conversions of printf that only print. n assigns and ( is a time format.
const conversions = "diouxXeEfFgGaAcsbq%"

// runPrintf allows a format that only prints.
func runPrintf(_ context.Context, c *call) error {
	if err := c.noPatterns(); err != nil {
		return err
	}
	args := c.words[1:]
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil
	}
	format := args[0].text
	if strings.HasPrefix(format, "-") {
		return refuse(badFlag, "printf: %s", format)
	}
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return nil
		}
		rest = strings.TrimLeft(rest, "-+ #0123456789.*'hlLjzt")
		if rest == "" || !strings.Contains(conversions, rest[:1]) {
			return refuse(badScript, "printf: the format holds a conversion that is not on the list")
		}
		format = rest[1:]
	}
}
