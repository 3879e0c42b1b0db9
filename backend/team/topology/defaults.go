package topology

import (
	"encoding/json"
	"strings"

	"agentflow/backend/team/topology/internal/changeid"
)

// defaultPlace is the ID of a change or conflict about one key of Topology.Defaults.
func defaultPlace(field string) string { return changeid.ID(string(SubjectDefaults), field, "") }

// defaults reports each key that every agent inherits as a change.
func (d *differ) defaults(base, draft Extra) {
	draft.Diff(base, func(key string, before, after json.RawMessage) {
		field := extraField + key
		d.add(Change{ID: defaultPlace(field), Op: Changed, Subject: SubjectDefaults, Field: field,
			Before: before, After: after})
	})
}

func (a *applier) defaults(cs ChangeSet) error {
	for _, c := range cs {
		if c.Subject != SubjectDefaults {
			continue
		}
		key, ok := strings.CutPrefix(c.Field, extraField)
		if !ok {
			return c.Refuse("the defaults have no field %q", c.Field)
		}
		a.t.Defaults = a.t.Defaults.With(key, c.After)
	}
	return nil
}

// defaults merges what every agent inherits, key by key.
func (m *merger) defaults() {
	c := Conflict{Reason: ReasonBothChanged, Subject: SubjectDefaults}
	m.out.Defaults = m.extra(c, defaultPlace, m.base.Defaults, m.mine.Defaults, m.theirs.Defaults)
}
