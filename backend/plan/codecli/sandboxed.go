package codecli

import (
	"slices"

	"agentflow/backend/base/sandbox"
)

// Modes of Codex's own sandbox.
const (
	readOnly = "read-only"
	unheld   = "danger-full-access"
)

// sandboxed returns the mode of Codex's own sandbox, and when it asks. If it can't create its sandbox inside ours,
// only ours applies, and it asks before commands that it doesn't know to be harmless.
func (s setup) sandboxed() (mode, asks string, err error) {
	mode, err = s.text("sandbox", "workspace-write")
	if s.held {
		return unheld, "untrusted", err
	}
	return mode, "on-request", err
}

// access returns what the CLI can access in the sandbox, including the network for its model.
func (s setup) access() sandbox.Access {
	a := sandbox.Access{Read: s.place.Read, Write: s.place.Write, Home: s.home, Network: true, Nested: s.nested}
	if s.held && s.specific["sandbox"] == readOnly {
		a.Read, a.Write = slices.Concat(a.Read, a.Write, []string{s.place.Dir}), nil
	} else {
		a.Write = append(slices.Clone(a.Write), s.place.Dir)
	}
	return a
}
