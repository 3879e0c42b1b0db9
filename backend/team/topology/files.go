package topology

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology/internal/keepboth"
	"agentflow/backend/team/topology/internal/rawjson"
)

// MaxFile is how many bytes one workspace file of a team can have.
const MaxFile = 1 << 20

// FieldFiles is the name of the field with an agent's workspace files.
const FieldFiles = "files"

// fileField is how one workspace file is named as a field: "files.SOUL.md".
const fileField = FieldFiles + "."

// fileNames are the files that a gateway serves from an agent's workspace, in the order in which people see them.
var fileNames = []string{
	"SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "MEMORY.md",
}

// FileNames returns the names of the workspace files that a team can hold.
func FileNames() []string { return slices.Clone(fileNames) }

// IsFileName reports whether a workspace file of this name can be in a team.
func IsFileName(name string) bool { return slices.Contains(fileNames, name) }

// Files are workspace files of one agent by name. A file that isn't among them is left as it is on the gateway.
type Files map[string]AgentFile

// AgentFile is the content of a workspace file.
type AgentFile struct {
	Content string `json:"content" doc:"Markdown text, at most 1 MiB."`
	// BasedOn lets a merge see whether the gateway's file changed after somebody began to edit it. It isn't
	// content: two files with the same text are the same.
	BasedOn string `json:"basedOn,omitempty" doc:"SHA-256 of the gateway's file that the text was edited from, as hexadecimal digits. Default: none, the gateway's file wasn't seen."`
	// Base counts only where its hash is BasedOn. The gateway's file may change, and nothing else keeps that text.
	Base string `json:"base,omitempty" doc:"Text that basedOn is the hash of. A merge compares both sides with it. Default: none."`
}

// HashFile returns what gateways call the hash of a file: its SHA-256 in hexadecimal digits.
func HashFile(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// AboutTokens returns about how many tokens a text is: four letters for one, or a little more than one character of
// Japanese. The page counts alike, in units of UTF-16.
func AboutTokens(text string) int {
	narrow, wide := 0, 0
	for _, r := range text {
		if r < 0x300 {
			narrow++
		} else {
			wide += utf16.RuneLen(r)
		}
	}
	return int(math.Ceil(float64(narrow)/4 + float64(wide)*0.8))
}

// Applied returns the file as it is once a gateway holds it.
func (f AgentFile) Applied() AgentFile {
	return AgentFile{Content: f.Content, BasedOn: HashFile(f.Content)}
}

// basis returns the text that the file was edited from, if it was kept with the edit.
func (f AgentFile) basis() (AgentFile, bool) {
	return AgentFile{Content: f.Base, BasedOn: f.BasedOn}, f.BasedOn != "" && HashFile(f.Base) == f.BasedOn
}

// FileOf returns the name of the file that a field is about, and whether it is about one.
func FileOf(field string) (name string, ok bool) { return strings.CutPrefix(field, fileField) }

// FileField names one workspace file as a field of a change.
func FileField(name string) string { return fileField + name }

// sameFiles reports whether both have the same texts. An empty file is the same as none: gateways can't delete a file,
// so one that a team no longer has stays there empty.
func sameFiles(a, b Files) bool {
	return !slices.ContainsFunc(fileKeys(a, b), func(name string) bool { return a[name].Content != b[name].Content })
}

// fileKeys lists the names in any of the maps, the known ones in their order.
func fileKeys(all ...Files) []string {
	var out []string
	for _, files := range all {
		for name := range files {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	place := func(name string) int {
		return (slices.Index(fileNames, name) + len(fileNames) + 1) % (len(fileNames) + 1)
	}
	slices.SortFunc(out, func(a, b string) int {
		if p := place(a) - place(b); p != 0 {
			return p
		}
		return strings.Compare(a, b)
	})
	return out
}

// value returns a file's text as JSON, or nil if there is no such file.
func (f Files) value(name string) json.RawMessage {
	if file, ok := f[name]; ok {
		return rawjson.Of(file.Content)
	}
	return nil
}

// with returns the files with another text of one of them; nil takes the file out of the team.
func (f Files) with(name string, v json.RawMessage) (Files, error) {
	out := maps.Clone(f)
	if v == nil || string(v) == "null" {
		delete(out, name)
		if len(out) == 0 {
			return nil, nil
		}
		return out, nil
	}
	file := out[name]
	if err := json.Unmarshal(v, &file.Content); err != nil {
		return nil, err
	}
	if out == nil {
		out = Files{}
	}
	out[name] = file
	return out, nil
}

// diff reports each file that differs, from was to f, as sameFiles sees it.
func (f Files) diff(was Files, report func(field string, before, after json.RawMessage)) {
	if sameFiles(f, was) {
		return
	}
	for _, name := range fileKeys(was, f) {
		if was[name].Content != f[name].Content {
			report(fileField+name, was.value(name), f.value(name))
		}
	}
}

// files merges workspace files one by one; c says what they belong to.
func (m *merger) files(c Conflict, id func(field string) string, base, mine, theirs Files) Files {
	base = basis(base, mine, theirs)
	out := maps.Clone(mine)
	for _, name := range fileKeys(base, mine, theirs) {
		field := fileField + name
		c.ID, c.Field = id(field), field
		c.Base, c.Mine, c.Theirs = base.value(name), mine.value(name), theirs.value(name)
		v := m.field(c)
		next, err := out.with(name, v)
		if err != nil {
			continue // the value came from one of the three
		}
		out = next
		if file, ok := out[name]; ok { // theirs is what was seen last
			file.BasedOn = cmp.Or(theirs[name].BasedOn, file.BasedOn)
			if _, known := file.basis(); !known {
				file.Base = ""
			}
			out[name] = file
		}
	}
	return out
}

// withBasis returns base with the workspace files from which mine was edited, see basis.
func withBasis(base, mine, theirs *Topology) *Topology {
	hasFiles := func(a Agent) bool { return len(a.Files) > 0 }
	if !slices.ContainsFunc(mine.Agents, hasFiles) {
		return base
	}
	out := base.Clone()
	edited, there := agentSetOf(mine), agentSetOf(theirs)
	for i := range out.Agents {
		a := &out.Agents[i]
		if m, t := edited.Get(a.ID), there.Get(a.ID); m != nil && t != nil {
			a.Files = basis(a.Files, m.Files, t.Files)
		}
	}
	return out
}

// basis returns what the files of mine were edited from, as far as it is known: what theirs has if it is exactly that,
// or else the text that was kept with the edit, or else what base has. So the edit of a file that the gateway still has
// as it was isn't a conflict, although base never had it. The edit of a file that changed meanwhile is one.
func basis(base, mine, theirs Files) Files {
	out := maps.Clone(base)
	for name, m := range mine {
		t, there := theirs[name]
		b, had := base[name]
		from, kept := m.basis()
		if there && (m.BasedOn == HashFile(t.Content) || had && b.Content == t.Content) {
			from, kept = t, true
		}
		switch {
		case kept:
			if out == nil {
				out = Files{}
			}
			out[name] = from
		case had && m.BasedOn != "" && m.BasedOn != b.BasedOn && m.BasedOn != HashFile(b.Content):
			delete(out, name) // it was edited from a text that isn't known
		}
	}
	return out
}

// CheckFile refuses what can't be a workspace file of a team: another name than the known ones, a text that is too
// long, or content that isn't text. Its message goes after the name of the file.
func CheckFile(name, content string) error {
	bad := func(format string, args ...any) error {
		return errcode.New(errcode.Validation, format, args...).With(errcode.KeyField, fileField+name)
	}
	switch {
	case !IsFileName(name):
		return bad("isn't a workspace file that AgentFlow knows. The names are %s", strings.Join(fileNames, ", "))
	case len(content) > MaxFile:
		return bad("has %d bytes; at most %d are possible. Make it shorter", len(content), MaxFile)
	case !utf8.ValidString(content) || strings.ContainsRune(content, 0):
		return bad("isn't text: AgentFlow edits only files in UTF-8 without NUL bytes")
	}
	return nil
}

func (v *validator) files(of AgentID, files Files) {
	for _, name := range fileKeys(files) {
		f := files[name]
		if err := CheckFile(name, f.Content); err != nil {
			v.refuse(fileField+name, "of the agent %q %s", of, errcode.From(err).Message)
			return
		}
		v.text(fileField+name, f.Content, MaxFile)
		v.text(fileField+name, f.Base, MaxFile)
		v.text(fileField+name, f.BasedOn, 2*sha256.Size)
	}
}

// joined keeps the values of both sides, where that makes sense: of a file the lines of both.
func joined(c Conflict) json.RawMessage {
	if _, isFile := FileOf(c.Field); isFile {
		return keepboth.Join("persona", c.Base, c.Mine, c.Theirs)
	}
	return keepboth.Join(c.Field, c.Base, c.Mine, c.Theirs)
}
