// Package shell says what a shell command would do before it runs.
//
// A command is recognised by closed lists only: of characters, of syntax, of
// programs, of their flags and of their operands. Whatever is on no list is
// Ask, with a reason; nothing is ever guessed to be harmless. Recognising a
// command does not confine it: it runs with every right of its user, and what
// is said here holds only in the environment that Environment makes.
//
// The lists are data, one row a program (table_read.go, table_write.go,
// gitrows.go). A row's comment answers "what in it writes or executes?"; a
// flag that does is not on the row.
package shell
