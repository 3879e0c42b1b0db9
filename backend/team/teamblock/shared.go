package teamblock

import "strings"

// Shared is a block that several files of a team have in common: one name and one text, under the marks
//
//	<!-- agentflow:shared begin: NAME -->
//	<!-- agentflow:shared end: NAME -->
//
// An edit of one copy on the page changes the others (frontend/src/topology/shared.ts). Follow leaves them alone: a
// copy that somebody changed on the gateway is a difference to be decided by a person.
type Shared struct {
	Name string
	Text string // the lines between the marks, each ending with LF
}

const (
	sharedBegin = "<!-- agentflow:shared begin: "
	sharedEnd   = "<!-- agentflow:shared end: "
	markEnd     = " -->"
)

// SharedIn returns the shared blocks of a file in their order. A begin without the end of the same name before the next
// begin is text like any other, and so is an end without a begin.
func SharedIn(file string) (out []Shared) {
	if !strings.Contains(file, sharedBegin) {
		return nil
	}
	var name string
	var text strings.Builder
	for line := range strings.Lines(file) {
		line = strings.TrimRight(line, "\r\n")
		mark := strings.TrimRight(line, " \t")
		if begun, ok := markName(mark, sharedBegin); ok {
			name = begun
			text.Reset()
			continue
		}
		if ended, ok := markName(mark, sharedEnd); ok && ended == name {
			out = append(out, Shared{Name: name, Text: text.String()})
			name = ""
			continue
		}
		if name != "" {
			text.WriteString(line)
			text.WriteByte('\n')
		}
	}
	return out
}

func markName(line, mark string) (name string, ok bool) {
	rest, begins := strings.CutPrefix(line, mark)
	name, ends := strings.CutSuffix(rest, markEnd)
	name = strings.TrimSpace(name)
	return name, begins && ends && name != ""
}
