package main

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// programs names the files of the servers; an empty one is left out.
type programs struct {
	septet, reference, mark3labs, commander string
}

// contestant is a server on one tree.
type contestant struct {
	name    string
	command []string
	env     []string
	words   dialect
	slow    bool // calls take so long that the mixed ones are made in one round only
}

// contestants has septet first. Each server has a home of its own in scratch
// and sees nothing else of the user.
func contestants(p programs, scratch, dir string) ([]*contestant, error) {
	list := []*contestant{
		{name: "septet", command: []string{p.septet, "serve", "--workspace", dir}, words: septetWords},
		{name: "server-filesystem", command: []string{"node", p.reference, dir}, words: referenceWords},
		{name: "mcp-filesystem-server", command: []string{p.mark3labs, dir}, words: mark3labsWords},
		{name: "desktop-commander", command: []string{"node", p.commander, "--no-onboarding"}, words: commanderWords, slow: true},
	}
	present := list[:1]
	for i, program := range []string{p.reference, p.mark3labs, p.commander} {
		if program != "" {
			present = append(present, list[i+1])
		}
	}
	for _, c := range present {
		home := filepath.Join(scratch, "home", c.name)
		if err := os.MkdirAll(home, 0o700); err != nil {
			return nil, err
		}
		c.env = []string{"HOME=" + home, "TMPDIR=" + home, "PATH=" + os.Getenv("PATH"), "SHELL=/bin/bash"}
		if c.name == "desktop-commander" {
			if err := c.silence(home, dir); err != nil {
				return nil, err
			}
		}
	}
	return present, nil
}

// silence keeps desktop-commander from the network: no telemetry, its flags
// from an URL that needs no connection, and a file where it looks for the
// browser that it would fetch otherwise.
func (c *contestant) silence(home, dir string) error {
	c.env = append(c.env, "DESKTOP_COMMANDER_DISABLE_TELEMETRY=1", `DC_FLAG_URL=data:application/json,{"flags":{}}`)
	own := filepath.Join(home, ".claude-server-commander")
	browser := filepath.Join(own, "puppeteer-cache/chrome/none/chrome-linux64")
	if err := os.MkdirAll(browser, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(browser, "chrome"), nil, 0o600); err != nil {
		return err
	}
	config, err := json.Marshal(args{
		"telemetryEnabled": false, "allowedDirectories": []string{dir}, "defaultShell": "/bin/bash",
		"pendingWelcomeOnboarding": false, "welcomeOnboardingEligible": false,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(own, "config.json"), config, 0o600)
}
