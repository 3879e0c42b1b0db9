// Package bundle packs teams into one file that can be given away, *.agentflow.zip:
// team files with their places, groups and notes, the named versions of their history,
// and a README that says what is in it and what was left out. Secrets are never packed.
// It is pure.
package bundle

import (
	"bytes"
	"strings"
	"time"

	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// Ending is how a bundle's name ends.
const Ending = ".agentflow.zip"

// What one bundle may hold. Reading stops at these, whatever the file says of itself.
const (
	MaxBytes    = 20 << 20 // of the file
	MaxUnpacked = 64 << 20 // of everything in it
	MaxFiles    = 1000
)

// Bundle is what one file holds.
type Bundle struct {
	Name  string
	At    time.Time // when one of its teams was last edited; zero if unknown
	Teams []Team
}

// Team is one team with the versions that were given along.
type Team struct {
	Name     string
	Topology *topology.Topology
	Versions []Version // the oldest first
}

// Version is a named state of a team's history.
type Version struct {
	Name     string
	At       time.Time
	Author   string
	Topology *topology.Topology
}

// FileName is what a bundle is called when it is saved.
func FileName(name string) string {
	return strings.TrimSuffix(teamfile.AgentFlow.FileName(name), ".agentflow.yaml") + Ending
}

// Content is one file in a bundle.
type Content struct {
	Path string `json:"path" doc:"Path in the zip file."`
	Size int    `json:"size" doc:"Size in bytes."`
}

// LeftOut is one thing that was left out.
type LeftOut struct {
	gatewayconfig.Loss
	Team    string `json:"team,omitempty"`
	Item    string `json:"item,omitempty" doc:"ID of a group or note."`
	Version string `json:"version,omitempty" doc:"Name of the version. Empty: the current team."`
}

// Report says what a bundle holds and what does not stand in it.
type Report struct {
	Files  []Content `json:"files"`
	Losses []LeftOut `json:"losses" doc:"What was left out."`
	Readme string    `json:"readme"`
}

// Is reports whether a file is a zip, which no other format here is.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("PK\x05\x06"))
}

const (
	manifestName = "agentflow.json"
	readmeName   = "README.md"
)

// manifest is agentflow.json: the order and the names, which a zip does not keep.
type manifest struct {
	Bundle int            `json:"agentflowBundle"`
	Name   string         `json:"name"`
	At     time.Time      `json:"at,omitzero"`
	Teams  []manifestTeam `json:"teams"`
}

type manifestTeam struct {
	Name     string            `json:"name"`
	File     string            `json:"file"`
	Versions []manifestVersion `json:"versions,omitempty"`
}

type manifestVersion struct {
	Name   string    `json:"name"`
	At     time.Time `json:"at"`
	Author string    `json:"author,omitempty"`
	File   string    `json:"file"`
}
