// Package safepath turns the paths that callers name into checked handles.
//
// It promises that no read or write through a CheckedPath leaves the
// authorised roots and that no write enters a protected place, even while
// another process of the same user swaps names. It does not promise anything
// about hard links that somebody else made, about bind mounts of a part of a
// protected directory, or about programs that are run.
package safepath
