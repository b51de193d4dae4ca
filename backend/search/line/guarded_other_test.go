//go:build !unix

package line

import "testing"

// guarded returns ordinary memory: there is no portable way to guard it.
func guarded(_ *testing.T, size int) []byte { return make([]byte, size) }
