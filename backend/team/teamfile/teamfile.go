// Package teamfile reads and writes teams as files: *.agentflow.yaml, agents.yml and
// agent-config.yaml, and converts between them and OpenClaw configs. It is pure.
package teamfile

import (
	"bytes"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// Base says where a team was read from a gateway.
type Base struct {
	Hash    string `json:"hash"`
	Gateway string `json:"gateway,omitempty"`
}

// File is a team file's content.
type File struct {
	Team    topology.Topology        `json:"team"`
	Base    *Base                    `json:"base,omitempty"`    // nil for a new team
	Unknown []Unknown                `json:"unknown,omitempty"` // keys kept as they are
	Format  Format                   `json:"format"`
	Lines   map[topology.AgentID]int `json:"-"` // where each agent stands
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

// Values of details.reason of the VALIDATION_ERROR for a file that isn't a team, or has a mistake.
const (
	ReasonNotATeam   = "not_a_team" // it is nothing like a team
	ReasonVersion    = "team_version"
	ReasonNoID       = "no_id" // details.kind: agent, group or note
	ReasonIDTwice    = "id_twice"
	ReasonType       = "wrong_type" // details.kind: what details.field must be
	ReasonConnection = "connection_incomplete"
)

// keyKind is the key of the details that makes a reason finer.
const keyKind = "kind"

// Formats lists the formats Convert writes.
func Formats() []Format {
	return []Format{OpenClawMap, OpenClawList, OpenClawEntries, AgentsYML, AgentConfig, AgentFlow}
}

// Read reads a file of any format. Errors are VALIDATION_ERROR and name file and line.
func Read(data []byte, file string) (File, error) {
	doc, err := parse(data, file)
	if err != nil {
		return File{}, err
	}
	return read(doc)
}

func read(doc *docedit.Document) (File, error) {
	format, err := detect(doc)
	if err != nil {
		return File{}, err
	}
	r := reader{doc: doc, out: File{Format: format, Lines: map[topology.AgentID]int{}}}
	switch format {
	case AgentFlow:
		r.team()
	case AgentsYML:
		r.rooms()
	case AgentConfig:
		r.process()
	default:
		r.config()
	}
	return r.out, r.err
}

// parse takes JSON and JSON5 for what they are, and everything else as YAML.
func parse(data []byte, file string) (*docedit.Document, error) {
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, errcode.New(errcode.Validation, "%s: this is not a team: it isn't a text file", file).
			With(errcode.KeyFile, file).With(errcode.KeyReason, ReasonNotATeam)
	}
	switch strings.ToLower(path.Ext(file)) {
	case ".json", ".json5":
		return docedit.FromJSON5(data, file)
	case ".yaml", ".yml":
		return docedit.Parse(data, file)
	}
	text := bytes.TrimSpace(data)
	if bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("//")) || bytes.HasPrefix(text, []byte("/*")) {
		doc, err := docedit.FromJSON5(data, file)
		if err == nil {
			return doc, nil
		}
		if flow, yerr := docedit.Parse(data, file); yerr == nil {
			return flow, nil
		}
		return nil, err
	}
	return docedit.Parse(data, file)
}

// Detect finds out a file's format by its content; the name only breaks ties.
func Detect(data []byte, file string) (Format, error) {
	doc, err := parse(data, file)
	if err != nil {
		return "", err
	}
	return detect(doc)
}

func detect(doc *docedit.Document) (Format, error) {
	root := doc.Root()
	if !docedit.IsMap(root) {
		return "", notATeam(doc, "a map of keys is expected")
	}
	agents := docedit.Get(root, "agents")
	switch {
	case docedit.Get(root, keyVersion) != nil:
		return AgentFlow, nil
	case docedit.IsMap(docedit.Get(root, "agent")):
		return AgentConfig, nil
	case docedit.IsList(agents):
		if items := docedit.Items(agents); len(items) > 0 && docedit.Get(items[0], "id") != nil {
			return "", doc.Fail(root, "this looks like a team file without its first key. Add agentflow: 1").
				With(errcode.KeyReason, ReasonNotATeam)
		}
		return AgentsYML, nil
	}
	r, err := gatewayconfig.Read(doc)
	if err != nil {
		return "", err
	}
	switch r.Shape {
	case gatewayconfig.Map:
		return OpenClawMap, nil
	case gatewayconfig.List:
		return OpenClawList, nil
	case gatewayconfig.Entries:
		return OpenClawEntries, nil
	}
	if agents != nil || strings.HasPrefix(path.Base(doc.File()), "openclaw") {
		return OpenClawEntries, nil
	}
	return "", notATeam(doc, "neither agentflow, agents nor agent stands in it")
}

func notATeam(doc *docedit.Document, why string) error {
	return doc.Fail(doc.Root(), "this is not a team: %s. A new team begins with agentflow: 1", why).
		With(errcode.KeyReason, ReasonNotATeam)
}

// reader reads one document; the first error stays.
type reader struct {
	doc *docedit.Document
	out File
	err error
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	r.take(r.doc.Fail(n, format, args...))
}

func (r *reader) take(e *errcode.Error) {
	if r.err == nil {
		r.err = e
	}
}

// noID refuses an agent, a group or a note without an ID.
func (r *reader) noID(n *yaml.Node, kind string) {
	r.take(r.doc.Fail(n, "this %s has no id. Give it one", kind).
		With(errcode.KeyReason, ReasonNoID).With(keyKind, kind))
}

// twice refuses an ID that another agent of the file has.
func (r *reader) twice(n *yaml.Node, id topology.AgentID, first int) {
	r.take(r.doc.Fail(n, "the id %q is used twice: in line %d and in line %d. Give one of the agents another id", id,
		first, n.Line).With(errcode.KeyReason, ReasonIDTwice).With("id", string(id)).With("first", first))
}

// wrongTypes are the types that a value must have, by the details.kind of their reason.
var wrongTypes = map[string]string{
	"text": "%s must be a text", "list": "%s must be a list", "map": "%s must be a map",
	"number": "%s must be a number", "whole": "%s must be a whole number", "flag": "%s must be true or false",
}

// everyItem begins what messages call the items of a list.
const everyItem = "every item of "

// mustBe refuses a value of the wrong type.
func (r *reader) mustBe(v *yaml.Node, what, kind string) {
	e := r.doc.Fail(v, wrongTypes[kind], what).With(errcode.KeyReason, ReasonType)
	if list, item := strings.CutPrefix(what, everyItem); item {
		what, kind = list, kind+"_items"
	}
	r.take(e.With(errcode.KeyField, what).With(keyKind, kind))
}

func (r *reader) unknown(path string, key *yaml.Node) {
	const most = 1000
	if len(r.out.Unknown) < most {
		r.out.Unknown = append(r.out.Unknown, Unknown{path, key.Line})
	}
}

// config reads an OpenClaw config of any shape.
func (r *reader) config() {
	reading, err := gatewayconfig.Read(r.doc)
	if err != nil {
		r.err = err
		return
	}
	first := map[topology.AgentID]int{}
	for _, p := range gatewayconfig.Places(r.doc) { // a config can keep doubles, a team can't
		if line, again := first[p.ID]; again {
			r.twice(p.Node, p.ID, line)
			return
		}
		first[p.ID] = p.Node.Line
	}
	r.out.Team = reading.Topology
	for _, f := range reading.Unknown {
		r.out.Unknown = append(r.out.Unknown, Unknown{f.Path, f.Line})
	}
}
