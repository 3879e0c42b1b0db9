// Package teamfile reads and writes teams as files: *.agentflow.yaml, agents.yml and
// agent-config.yaml, and converts between them and OpenClaw configs.
package teamfile

import (
	"agentflow/backend/errcode"
	"agentflow/backend/openclaw"
	"agentflow/backend/topology"
)

// Base says where a team was read from a gateway.
type Base struct {
	Hash    string `json:"hash"`
	Gateway string `json:"gateway,omitempty"`
}

// File is a team file's content.
type File struct {
	Team    topology.Topology `json:"team"`
	Base    *Base             `json:"base,omitempty"`    // nil for a new team
	Unknown []Unknown         `json:"unknown,omitempty"` // keys kept as they are
	Format  Format            `json:"format"`
}

// Unknown is a key that the product does not know.
type Unknown struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// Format names a kind of file.
type Format string

// The formats.
const (
	AgentFlow       Format = "agentflow"
	OpenClawMap     Format = "openclaw-map"
	OpenClawList    Format = "openclaw-list"
	OpenClawEntries Format = "openclaw-entries"
	AgentsYML       Format = "agents-yml"
	AgentConfig     Format = "agent-config"
)

// Formats lists the formats Convert writes.
func Formats() []Format {
	return []Format{OpenClawMap, OpenClawList, OpenClawEntries, AgentsYML, AgentConfig, AgentFlow}
}

// Options of Convert.
type Options struct {
	File  string           // the source's name, for messages
	Agent topology.AgentID // which agent an agent-config holds; "" where there is only one
	Home  string           // for default workspaces in openclaw-map; "" leaves them out
}

var errNotYet = errcode.New(errcode.Unavailable, "teamfile: not written yet")

// Read reads a file of any format. Errors name file and line.
func Read(data []byte, file string) (File, error) { return File{}, errNotYet }

// Detect finds out a file's format by its content; the name only breaks ties.
func Detect(data []byte, file string) (Format, error) { return "", errNotYet }

// Write returns the team file that holds team and base. An existing file is edited in
// place and keeps every byte it can; nil gives a fresh one. Losses name secrets left out.
func Write(existing []byte, team *topology.Topology, base *Base) ([]byte, []openclaw.Loss, error) {
	return nil, nil, errNotYet
}

// Convert turns one format into another. Losses name what the target cannot hold.
func Convert(data []byte, to Format, opts Options) ([]byte, []openclaw.Loss, error) {
	return nil, nil, errNotYet
}
