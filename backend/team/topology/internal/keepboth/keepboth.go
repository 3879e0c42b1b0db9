// Package keepboth keeps the values of both sides of a conflict, where that makes sense.
package keepboth

import (
	"encoding/json"
	"slices"
	"strings"
)

// Join brings mine and theirs of a field together: of a list what stands in either, of
// texts the lines of both, of tools both their lists. It returns nil where the two
// exclude each other, as names and models do.
func Join(field string, base, mine, theirs json.RawMessage) json.RawMessage {
	switch field {
	case "fallbacks", "allow":
		return lists(mine, theirs)
	case "persona", "description":
		return texts(base, mine, theirs)
	case "tools":
		return tools(base, mine, theirs)
	}
	return nil
}

func lists(mine, theirs json.RawMessage) json.RawMessage {
	m, isList := read[[]string](mine)
	t, areLists := read[[]string](theirs)
	if !isList || !areLists {
		return nil
	}
	return write(union(m, t))
}

// union is mine and then what only theirs has. What one side alone took away stays.
func union(mine, theirs []string) []string {
	out := slices.Clone(mine)
	for _, s := range theirs {
		if !slices.Contains(mine, s) {
			out = append(out, s)
		}
	}
	return out
}

func texts(base, mine, theirs json.RawMessage) json.RawMessage {
	b, _ := read[string](base)
	m, isText := read[string](mine)
	t, areTexts := read[string](theirs)
	switch {
	case !isText || !areTexts || m == "" || t == "":
		return nil
	case b == "" && strings.Contains(m, t):
		return mine
	case b == "" && strings.Contains(t, m):
		return theirs
	}
	return write(both(b, m, t))
}

// toolLists are an agent's tools, as topology.Tools writes them.
type toolLists struct {
	Profile string   `json:"profile,omitempty"`
	Allow   []string `json:"allow,omitempty"`
	Deny    []string `json:"deny,omitempty"`
}

func tools(base, mine, theirs json.RawMessage) json.RawMessage {
	b, _ := read[toolLists](base)
	m, isTools := read[toolLists](mine)
	t, areTools := read[toolLists](theirs)
	if !isTools || !areTools || m.Profile != t.Profile && m.Profile != b.Profile && t.Profile != b.Profile {
		return nil
	}
	out := toolLists{Profile: m.Profile, Allow: union(m.Allow, t.Allow), Deny: union(m.Deny, t.Deny)}
	if m.Profile == b.Profile {
		out.Profile = t.Profile
	}
	return write(out)
}

func read[T any](raw json.RawMessage) (v T, ok bool) {
	return v, len(raw) > 0 && json.Unmarshal(raw, &v) == nil
}

func write(v any) json.RawMessage {
	raw, _ := json.Marshal(v) // strings and lists of them
	return raw
}
