package safepath

// String names the kind as a sentence does.
func (k Kind) String() string {
	switch k {
	case KindFile:
		return "a regular file"
	case KindDirectory:
		return "a directory"
	case KindSymlink:
		return "a symbolic link"
	case KindOther:
		return "a device, pipe, socket or kernel file"
	}
	return "of unknown kind"
}
