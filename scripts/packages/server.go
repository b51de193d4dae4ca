package main

import (
	"crypto/sha256"
	"fmt"
)

// serverSchema is the newest that the registry of servers has published.
const serverSchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// serverEntry is the program as the registry of servers lists it.
type serverEntry struct {
	Schema      string          `json:"$schema"`
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Repository  sourceAt        `json:"repository"`
	Version     string          `json:"version"`
	Packages    []serverPackage `json:"packages"`
}

type sourceAt struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

// serverPackage is a bundle that clients download; they check its digest.
type serverPackage struct {
	RegistryType string    `json:"registryType"`
	Identifier   string    `json:"identifier"`
	Version      string    `json:"version"`
	FileSHA256   string    `json:"fileSha256"`
	Transport    transport `json:"transport"`
}

type transport struct {
	Type string `json:"type"`
}

func (r *release) writeServer(bundle string, packed []byte) error {
	entry, err := indented(serverEntry{
		Schema: serverSchema, Name: serverName, Title: title, Description: summary,
		Repository: sourceAt{repository, "github"}, Version: r.number(),
		Packages: []serverPackage{{
			RegistryType: "mcpb",
			Identifier:   repository + "/releases/download/" + r.version + "/" + bundle,
			Version:      r.number(),
			FileSHA256:   fmt.Sprintf("%x", sha256.Sum256(packed)),
			Transport:    transport{"stdio"},
		}},
	})
	if err != nil {
		return err
	}
	return r.write("server.json", entry)
}
