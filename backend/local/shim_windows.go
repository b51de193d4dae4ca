package local

// ShimMain must be called first in main, as elsewhere. There is no shim on
// Windows: a Job Object does its work.
func ShimMain() string { return "" }

// AdoptOrphans has nothing to do: the system ends a job's processes when this
// process ends.
func AdoptOrphans() error { return nil }
