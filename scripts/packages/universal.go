package main

import "encoding/binary"

// Of the header of a program for several processors; mach-o/fat.h has them.
const (
	fatMagic     = 0xcafebabe
	fatAlignLog2 = 14 // a page of arm64; more than amd64 needs
)

// processors are cputype and cpusubtype, by GOARCH.
var processors = map[string][2]uint32{"amd64": {0x01000007, 3}, "arm64": {0x0100000c, 0}}

// universal is one program for macOS made of those for each processor. The
// signature that the linker gave a program is inside it and stays valid.
func universal(programs []target) []byte {
	if len(programs) == 1 {
		return programs[0].program
	}
	header := binary.BigEndian.AppendUint32(nil, fatMagic)
	header = binary.BigEndian.AppendUint32(header, uint32(len(programs)))
	var body []byte
	const page = 1 << fatAlignLog2 // the header fits in the first
	for _, t := range programs {
		for _, field := range []uint32{processors[t.arch][0], processors[t.arch][1], uint32(page + len(body)), uint32(len(t.program)), fatAlignLog2} {
			header = binary.BigEndian.AppendUint32(header, field)
		}
		body = padded(append(body, t.program...), page)
	}
	return append(padded(header, page), body...)
}

// padded is data filled up with zeros to a multiple of size.
func padded(data []byte, size int) []byte {
	return append(data, make([]byte, (size-len(data)%size)%size)...)
}
