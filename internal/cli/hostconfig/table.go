package hostconfig

// The order is that of the help text.
//
// A host with a file for each project gets the entry there, because what the
// agent may touch is a matter of the project. The others have one file of the
// user's.

// Hosts are the programs that are known.
func Hosts() []Host {
	return []Host{
		{
			Name: "claude-code", Title: "Claude Code", Note: "Claude Code asks once whether to trust the servers of a project.",
			project: ".mcp.json", format: strictJSON, table: []string{"mcpServers"},
			workspace: "${CLAUDE_PROJECT_DIR:-.}", entry: commandAndArgs,
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", Note: "Quit Claude Desktop and start it again.",
			user: claudeDesktopFile, format: strictJSON, table: []string{"mcpServers"}, entry: commandAndArgs,
		},
		{
			Name: "vscode", Title: "Visual Studio Code", Note: "Start the server from the line above its entry, or with MCP: List Servers.",
			project: ".vscode/mcp.json", format: commentedJSON, table: []string{"servers"},
			workspace: "${workspaceFolder}", entry: typedCommandAndArgs,
		},
		{
			Name: "cursor", Title: "Cursor", Note: "Switch the server on in Cursor's settings, under MCP.",
			project: ".cursor/mcp.json", format: commentedJSON, table: []string{"mcpServers"},
			workspace: "${workspaceFolder}", entry: commandAndArgs,
		},
		{
			Name: "zed", Title: "Zed", Note: "Zed starts the server in the folder of the project.",
			user: zedFile, format: commentedJSON, table: []string{"context_servers"}, startsIn: true, entry: commandAndArgs,
		},
		{
			Name: "codex", Title: "Codex", Note: "Codex starts the server in the directory of the session.",
			user: codexFile, format: tomlFormat, table: []string{"mcp_servers"}, startsIn: true, entry: commandAndArgs,
		},
		{
			Name: "gemini", Title: "Gemini CLI", Note: "Gemini CLI starts the server in the directory it was started in.",
			project: ".gemini/settings.json", format: commentedJSON, table: []string{"mcpServers"}, startsIn: true, entry: commandAndArgs,
		},
		{
			Name: "opencode", Title: "OpenCode", Note: "OpenCode starts the server in the directory of the project.",
			project: "opencode.json", variant: "opencode.jsonc", format: commentedJSON, table: []string{"mcp"}, startsIn: true, entry: openCodeEntry,
		},
		{
			Name: "crush", Title: "Crush", Note: "Crush starts the server in the directory it was started in.",
			project: "crush.json", variant: ".crush.json", scripts: []string{".crushrc", "crushrc"}, format: strictJSON, table: []string{"mcp"}, startsIn: true, entry: typedCommandAndArgs,
		},
		{
			Name: "goose", Title: "Goose", Note: "Goose starts the server in the directory of the session.",
			user: gooseFile, format: yamlFormat, table: []string{"extensions"}, startsIn: true, entry: gooseEntry,
		},
		{
			Name: "windsurf", Title: "Windsurf", Note: "Press Refresh in the list of servers of Windsurf, now Devin Desktop.",
			user: windsurfFile, format: strictJSON, table: []string{"mcpServers"}, entry: commandAndArgs,
		},
	}
}

func commandAndArgs(l Launch) entry {
	return entry{{"command", l.Command, true}, {"args", l.Args, true}}
}

func typedCommandAndArgs(l Launch) entry {
	return append(entry{{"type", "stdio", true}}, commandAndArgs(l)...)
}

func openCodeEntry(l Launch) entry {
	return entry{{"type", "local", true}, {"command", append([]string{l.Command}, l.Args...), true}, {"enabled", true, false}}
}

// gooseTimeoutSeconds is longer than any command of bash may run.
const gooseTimeoutSeconds = 600

func gooseEntry(l Launch) entry {
	return entry{
		{"type", "stdio", true}, {"name", ServerName, false}, {"enabled", true, false},
		{"cmd", l.Command, true}, {"args", l.Args, true},
		{"timeout", gooseTimeoutSeconds, false},
	}
}
