package server

import (
	"crypto/rand"
	"encoding/hex"
)

// newRunID tells the calls of this process from those of others that share a
// session. Reading random bytes cannot fail.
func newRunID() string {
	var b [4]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
