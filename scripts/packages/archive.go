package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"maps"
	"slices"
	"time"
)

// tree is what an archive holds, by slash-separated name.
type tree map[string]file

// file is a file or, with fs.ModeDir, an empty directory.
type file struct {
	mode fs.FileMode
	data []byte
}

func (t tree) add(name string, data []byte)        { t[name] = file{0o644, data} }
func (t tree) addProgram(name string, data []byte) { t[name] = file{0o755, data} }

// below is the same tree under one more directory.
func (t tree) below(dir string) tree {
	moved := tree{}
	for name, f := range t {
		moved[dir+"/"+name] = f
	}
	return moved
}

// tar packs the tree so that the bytes depend on nothing but its contents and
// the time: sorted names, owner 0, no names of users, no access times.
func (t tree) tar(at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		f := t[name]
		header, err := tar.FileInfoHeader(info{name, f, at}, "")
		if err != nil {
			return nil, err
		}
		header.Name, header.Format = name, tar.FormatUSTAR
		if f.mode.IsDir() {
			header.Name += "/"
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}

// tarGz is the tar, compressed. A gzip header has a time and a system too; both
// are left unset.
func (t tree) tarGz(at time.Time) ([]byte, error) {
	plain, err := t.tar(at)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

// zip packs the tree likewise. Modes are kept: bundles are unpacked on Unix too.
func (t tree) zip(at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
		header.SetMode(t[name].mode)
		part, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(t[name].data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}

// info is the file as package tar wants to be told of it.
type info struct {
	name string
	file
	at time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(len(i.data)) }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.at }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
