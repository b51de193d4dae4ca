// Package backend defines what a tool may ask of the place it works in: files,
// processes and search. Tools hold these interfaces only, so that another
// machine, a container or a tree in memory can stand in.
package backend

// Operations gathers the three backends of one place. It is built once, in
// main, and injected. A backend never decides visibility or permission.
type Operations struct {
	Files     FileSystem // required
	Processes Process    // required
	Search    Searcher   // required
}
