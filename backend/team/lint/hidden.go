package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"agentflow/backend/team/topology"
)

// mostHidden is how many different characters a problem names.
const mostHidden = 5

// hidden are the characters that make a text look like another one: controls, tags, what turns the direction of what
// follows, and what has no width. Joiners and direction marks, which languages and emoji need, aren't among them.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0000, 0x0008, 1},
		{0x000b, 0x000c, 1},
		{0x000e, 0x001f, 1},
		{0x007f, 0x009f, 1},
		{0x200b, 0x200b, 1}, // zero width space
		{0x2028, 0x202e, 1}, // separators, embeddings and overrides
		{0x2060, 0x2064, 1},
		{0x2066, 0x206f, 1}, // isolates
		{0xfeff, 0xfeff, 1},
		{0xfff9, 0xfffb, 1},
	},
	R32: []unicode.Range32{{0xe0000, 0xe007f, 1}}, // tags: a whole text in letters that nobody sees
}

// hiddenIn names the hidden characters of a text, or returns "".
func hiddenIn(text string) string {
	var found []string
	for _, r := range text {
		if !unicode.Is(hidden, r) {
			continue
		}
		name := fmt.Sprintf("⟨U+%04X⟩", r)
		if slices.Contains(found, name) {
			continue
		}
		if len(found) == mostHidden {
			return strings.Join(found, " ") + " …"
		}
		found = append(found, name)
	}
	return strings.Join(found, " ")
}

// agentHidden reports texts of an agent that a person can't see as the agent gets them.
func (c *checker) agentHidden(a *topology.Agent) {
	report := func(field, text string) {
		if chars := hiddenIn(text); chars != "" {
			c.at(a, topology.SeverityWarning, HiddenCharacters, field, "field", field, "characters", chars)
		}
	}
	for _, f := range topology.Fields() {
		if text, ok := f.Text(a); ok {
			report(f.Name, text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Files)) {
		report(topology.FileField(name), a.Files[name].Content)
	}
}
