package main

import (
	_ "embed"
	"io/fs"
)

//go:embed image/Dockerfile
var dockerfile []byte

// writeImage writes what an image is built from, as one archive that can be
// given to "docker build -". It holds the programs of the release, so that an
// image is made without a toolchain and without anything from elsewhere.
func (r *release) writeImage() error {
	context := tree{}
	context.add("Dockerfile", dockerfile)
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		root := tree{"home": {fs.ModeDir | fs.ModeSticky | 0o777, nil}, "work": {fs.ModeDir | 0o755, nil}}
		root.addProgram("septet", t.program)
		if err := r.addLicenses(root, t); err != nil {
			return err
		}
		packed, err := root.tar(r.time)
		if err != nil {
			return err
		}
		context.add("linux-"+t.arch+".tar", packed)
	}
	if len(context) == 1 {
		return nil // no program for an image
	}
	packed, err := context.tarGz(r.time)
	if err != nil {
		return err
	}
	return r.write("septet-"+r.version+"-image.tar.gz", packed)
}
