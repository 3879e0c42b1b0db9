// Package gatewayguard says whether a gateway's config lost something that nobody removes in one edit. It is pure.
// The losses that it knows happened to people: openclaw #91148 (43 bytes), #84692 and #23237 (agents), #34381
// (bindings), #65105 (channels).
package gatewayguard

import (
	"encoding/json"
	"slices"
)

// Kind says what was lost.
type Kind string

// The kinds.
const (
	Unreadable Kind = "unreadable" // the gateway can't read its config
	Agents     Kind = "agents"     // most of the agents are gone
	Replaced   Kind = "replaced"   // all agents are others
	Bindings   Kind = "bindings"   // most of the bindings are gone
	Channels   Kind = "channels"   // most of the channels are gone
	Bytes      Kind = "bytes"      // the config has less than half of its length
)

// Lost is one thing that a config lost.
type Lost struct {
	Kind   Kind `json:"kind" enum:"unreadable,agents,replaced,bindings,channels,bytes" doc:"What was lost."`
	Before int  `json:"before" doc:"Number of agents, bindings, channels or bytes before. 0 for unreadable."`
	After  int  `json:"after" doc:"Number of those that are left. 0 for unreadable."`
}

// Size is what a config holds, in numbers.
type Size struct {
	Agents     []string // IDs
	Bindings   int
	Channels   int
	Bytes      int // of its JSON without blanks
	Unreadable bool
}

const (
	few       = 2   // of agents, bindings or channels: one alone can be removed by hand
	shortText = 400 // bytes: half of a shorter config is a matter of one setting
)

// Measure returns the size of a config. Agents are the IDs that its reader found in it. A config that is no JSON
// object is unreadable.
func Measure(config json.RawMessage, agents []string) Size {
	var c struct {
		Bindings []json.RawMessage          `json:"bindings"`
		Channels map[string]json.RawMessage `json:"channels"`
	}
	var whole map[string]json.RawMessage
	if json.Unmarshal(config, &whole) != nil || whole == nil {
		return Size{Unreadable: true}
	}
	_ = json.Unmarshal(config, &c) // what has another form counts as none
	delete(c.Channels, "defaults")
	compact, err := json.Marshal(whole)
	if err != nil {
		return Size{Unreadable: true}
	}
	return Size{Agents: agents, Bindings: len(c.Bindings), Channels: len(c.Channels), Bytes: len(compact)}
}

// Compare lists what a config lost on its way from before to after; nil where the difference can be an ordinary edit.
func Compare(before, after Size) []Lost {
	switch {
	case before.Unreadable:
		return nil // there was nothing to lose
	case after.Unreadable:
		return []Lost{{Kind: Unreadable}}
	}
	var out, only []Lost
	counted := func(kind Kind, b, a int) {
		switch {
		case b >= few && (a == 0 || 2*a < b):
			out = append(out, Lost{kind, b, a})
		case b > 0 && a == 0:
			only = append(only, Lost{kind, b, a})
		}
	}
	counted(Agents, len(before.Agents), len(after.Agents))
	if len(before.Agents) >= few && len(after.Agents) > 0 && disjoint(before.Agents, after.Agents) {
		out = append(out, Lost{Replaced, len(before.Agents), len(after.Agents)})
	}
	counted(Bindings, before.Bindings, after.Bindings)
	counted(Channels, before.Channels, after.Channels)
	if before.Bytes >= shortText && 2*after.Bytes < before.Bytes {
		out = append(out, Lost{Bytes, before.Bytes, after.Bytes})
	}
	if len(out)+len(only) >= few { // the only one of its kind counts where something else went with it
		out = append(out, only...)
	}
	return out
}

func disjoint(a, b []string) bool {
	return !slices.ContainsFunc(a, func(id string) bool { return slices.Contains(b, id) })
}
