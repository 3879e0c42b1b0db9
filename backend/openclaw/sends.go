package openclaw

import (
	"strings"

	"agentflow/backend/topology"
)

// Sends reports whether an apply to a gateway with these limits would send the change;
// what it would not stays in the drawing. It goes by the gateway's kind alone, where a
// Preview also looks at the config.
func (l Limits) Sends(ch topology.Change) bool {
	switch ch.Subject {
	case topology.SubjectAgent:
		return ch.Field == "" || strings.HasPrefix(ch.Field, "extra.") || ch.Op != topology.Moved && l.holds(l.Roster, ch.Field)
	case topology.SubjectConnection:
		return ch.Field == "" && ch.Kind == topology.Command || l.holds(l.Roster, keyConnections)
	}
	return false
}
