// Package safepath turns the paths that callers name into checked handles.
//
// A path is canonicalised by name and then walked again from the held handle
// of its root without following any link; what is done is done to a parent
// handle and one name. A prefix test alone is lost to a program that swaps a
// directory with a link after the test; os.Root alone follows links into
// protected places and refuses those that leave a root and come back.
//
// # What is promised
//
// No read or write through a [CheckedPath] leaves the authorised roots, and
// no write enters a protected place, even while another process of the same
// user swaps names. A write is atomic where the file system can rename, and it
// never replaces content that was not seen: the exchange is looked at before
// anything is removed.
//
// # What is not
//
//   - Hard links that somebody else made: the file is an ordinary file here.
//   - Bind mounts of a part of a protected directory, and of anything else
//     into a root: a mount is followed.
//   - The target of a protected link that lies elsewhere in the tree than on
//     the way to the path: with sub/.git a link to gd, gd is known as protected
//     at the root and along sub, not when gd/config itself is named. What a
//     --protect pattern names is protected by that name only.
//   - Moving a directory to another place, or giving it a protected name,
//     between the check and the write: the write goes to the directory that was
//     checked, and Committed.ParentMoved says so.
//   - A program that holds the old file open while it is replaced: what it
//     writes afterwards goes to the old file.
//   - A network file system that hangs: the call hangs with it.
//   - Programs that are run.
//
// On darwin a directory must be readable to be passed through, since there is
// no O_PATH, and ACLs are not carried over to a replaced file. On Windows
// there is no atomic exchange, so that Committed.ReplaceWindow is set on each
// replace; owner and access list of a replaced file are those its directory
// gives; a name that needs an escape cannot be addressed, because the
// backslash separates; short names of directories are not expanded, so that a
// path spelled with one is outside a root spelled without; and a process can
// only be started in a path, not in a handle. Both are built and their pure
// parts tested, but their races are measured on Linux only.
package safepath
