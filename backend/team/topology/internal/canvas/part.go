package canvas

import (
	"encoding/json"

	"agentflow/backend/team/topology/internal/change"
	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// part is one property of a group or a note that can change separately.
type part[T any] struct {
	name  string
	op    change.Op // of its change
	equal func(a, b *T) bool
	get   func(x *T) json.RawMessage          // nil for the zero value
	set   func(x *T, v json.RawMessage) error // nil clears
}

// partAt is a part that has one place in T.
func partAt[T, V any](name string, at func(*T) *V, equal func(a, b V) bool) part[T] {
	var zero V
	return part[T]{
		name: name, op: change.Changed,
		equal: func(a, b *T) bool { return equal(*at(a), *at(b)) },
		get: func(x *T) json.RawMessage {
			if equal(*at(x), zero) {
				return nil
			}
			return rawjson.Of(*at(x))
		},
		set: func(x *T, v json.RawMessage) error {
			var now V
			if v != nil {
				if err := json.Unmarshal(v, &now); err != nil {
					return err
				}
			}
			*at(x) = now
			return nil
		},
	}
}

func same[V comparable](a, b V) bool { return a == b }

// plainPart is partAt for values that == compares.
func plainPart[T any, V comparable](name string, at func(*T) *V) part[T] {
	return partAt(name, at, same[V])
}

// moved makes the change of a part one that is only about the canvas.
func moved[T any](p part[T]) part[T] {
	p.op = change.Moved
	return p
}

// kind is how groups, or notes, are compared: by id, and part by part.
type kind[T any] struct {
	subject    change.Subject
	orderField string
	id         func(*T) string
	bare       func(T) T // without what are changes of their own
	parts      []part[T]
}

func (k *kind[T]) set(items []T) ordered.Set[string, T] { return ordered.NewSet(items, k.id) }

func (k *kind[T]) same(a, b *T) bool {
	for i := range k.parts {
		if !k.parts[i].equal(a, b) {
			return false
		}
	}
	return true
}

// Fields of a Change that are about a whole list: the ids in the order of the draft.
const (
	FieldGroupOrder = "groupOrder" // subject team
	FieldNoteOrder  = "noteOrder"  // subject team
	FieldOrder      = "order"      // of a group's members
)

// FieldLocked is the field of a Change that locks or unlocks, and FieldGroup that of
// one in which an agent goes from one group to another.
const (
	FieldLocked = "locked"
	FieldGroup  = "group"
)

var groups = kind[Group]{
	subject: change.Group, orderField: FieldGroupOrder,
	id:   func(g *Group) string { return g.ID },
	bare: func(g Group) Group { g.Members = nil; return g },
	parts: []part[Group]{
		plainPart("name", func(g *Group) *string { return &g.Name }),
		plainPart("color", func(g *Group) *int { return &g.Color }),
		moved(plainPart("parent", func(g *Group) *string { return &g.Parent })),
		plainPart("collapsed", func(g *Group) *bool { return &g.Collapsed }),
		moved(plainPart(FieldLocked, func(g *Group) *bool { return &g.Locked })),
		partAt("extra", func(g *Group) *Extra { return &g.Extra }, Extra.Equal),
	},
}

var notes = kind[Note]{
	subject: change.Note, orderField: FieldNoteOrder,
	id:   func(n *Note) string { return n.ID },
	bare: func(n Note) Note { return n },
	parts: []part[Note]{
		plainPart("text", func(n *Note) *string { return &n.Text }),
		moved(pair("place", func(n *Note) (x, y *float64) { return &n.X, &n.Y })),
		moved(pair("size", func(n *Note) (x, y *float64) { return &n.Width, &n.Height })),
		plainPart("color", func(n *Note) *int { return &n.Color }),
		moved(plainPart(FieldLocked, func(n *Note) *bool { return &n.Locked })),
		partAt("extra", func(n *Note) *Extra { return &n.Extra }, Extra.Equal),
	},
}

// pair is a part of two numbers that change together.
func pair(name string, at func(*Note) (x, y *float64)) part[Note] {
	return part[Note]{
		name: name,
		equal: func(a, b *Note) bool {
			ax, ay := at(a)
			bx, by := at(b)
			return *ax == *bx && *ay == *by
		},
		get: func(n *Note) json.RawMessage {
			x, y := at(n)
			return point(*x, *y)
		},
		set: func(n *Note, v json.RawMessage) error {
			var p Point
			if v != nil {
				if err := json.Unmarshal(v, &p); err != nil {
					return err
				}
			}
			x, y := at(n)
			*x, *y = p.X, p.Y
			return nil
		},
	}
}
