package main

// Placeholders: who publishes the program, and where, is not decided. Both are
// in server.json and in the manifest of the bundle, and these are the one place
// to set them. The registry of servers wants the name to be below an account
// that the publisher has.
const (
	publisher  = "OWNER"
	serverName = "io.github.OWNER/septet"
	repository = "https://github.com/OWNER/septet"
)

const (
	title = "septet"
	// summary has at most 100 characters, the most that the registry takes.
	summary = "Seven tools for an agent, in one static binary: read, write, edit, grep, glob, list, bash"
)
