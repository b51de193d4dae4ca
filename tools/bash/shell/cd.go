package shell

import "context"

// runCd allows one directory that exists, is reached through no link and lies
// in the roots. Then the shell's idea of "..", by text, and the kernel's, by
// object, are the same.
func runCd(_ context.Context, c *call) error {
	args := c.words[1:]
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) != 1 || args[0].glob || len(args[0].text) > 0 && args[0].text[0] == '-' {
		return refuse(badDirectory, "cd takes one plain directory")
	}
	c.line.changed = true
	c.entered = []string{}
	for _, dir := range c.dirs {
		place, err := c.enter(dir, args[0].text)
		if err != nil {
			return err
		}
		c.entered = union(c.entered, []string{place.Path})
	}
	return nil
}

func (c *call) enter(dir, name string) (Place, error) {
	if err := checkName(name); err != nil {
		return Place{}, err
	}
	place, err := c.line.workspace.Look(join(dir, name))
	switch {
	case err != nil:
		return Place{}, err
	case place.Kind != Directory:
		return Place{}, refuse(badDirectory, "%s is not a directory", join(dir, name))
	case place.Linked:
		return Place{}, refuse(throughLink, "%s leads through a link", join(dir, name))
	}
	return place, nil
}
