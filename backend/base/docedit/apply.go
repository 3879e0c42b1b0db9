package docedit

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
	"agentflow/backend/base/errcode"
)

// maxTrials bounds how often a batch of edits is parsed again to find those that
// cannot be spliced.
const maxTrials = 60

// unit is one edited node and how it is written: level 0 by splicing, 1 by rewriting
// the node, 2 by rewriting its parent, and so on.
type unit struct {
	node  *yaml.Node
	level int
}

// applyYAML splices; edits that do not come out right are widened to the value
// around them until they do.
func (e *Editor) applyYAML() (*Document, error) {
	if out := e.splice(); out != nil {
		return out, nil
	}
	units := e.units()
	parents := map[*yaml.Node]*yaml.Node{}
	findParents(e.doc.root, parents)
	for trials := 0; trials < maxTrials; {
		bad := e.failing(units, parents, &trials)
		if len(bad) == 0 {
			bad = units
		}
		for _, u := range bad {
			u.level++
		}
		trials++
		if out := e.with(units, parents).splice(); out != nil && e.matches(out) {
			return out, nil
		}
	}
	return e.rewrite()
}

// rewrite encodes the whole document.
func (e *Editor) rewrite() (*Document, error) {
	text, err := encodeYAML(e.Final(e.doc.root), 2)
	if err != nil {
		return nil, err
	}
	out, err := Parse(text, e.doc.file)
	if err == nil && e.matches(out) {
		return out, nil
	}
	if text, err = encodeYAML(expand(e.Final(e.doc.root)), 2); err != nil {
		return nil, err
	}
	if out, err = Parse(text, e.doc.file); err == nil && e.matches(out) {
		return out, nil
	}
	return nil, errcode.Wrap(errcode.Internal, err, "an edit of %s came out wrong and was not made", e.doc.name())
}

func (e *Editor) units() []*unit {
	var out []*unit
	for n := range e.replaced {
		out = append(out, &unit{node: n})
	}
	for n := range e.boxes {
		out = append(out, &unit{node: n})
	}
	return out
}

func findParents(n *yaml.Node, parents map[*yaml.Node]*yaml.Node) {
	for _, c := range n.Content {
		parents[c] = n
		findParents(c, parents)
	}
}

// failing finds the units that do not come out right alone, by halving.
func (e *Editor) failing(units []*unit, parents map[*yaml.Node]*yaml.Node, trials *int) []*unit {
	if *trials >= maxTrials {
		return nil
	}
	*trials++
	if e.with(units, parents).splice() != nil {
		return nil
	}
	if len(units) == 1 {
		return units
	}
	half := len(units) / 2
	return append(e.failing(units[:half:half], parents, trials), e.failing(units[half:], parents, trials)...)
}

// with returns an editor that makes only these units' edits, each at its level.
func (e *Editor) with(units []*unit, parents map[*yaml.Node]*yaml.Node) *Editor {
	sub := e.doc.Edit()
	for _, u := range units {
		if r, ok := e.replaced[u.node]; ok {
			sub.replaced[u.node] = r
		}
		if b, ok := e.boxes[u.node]; ok {
			sub.boxes[u.node] = b
		}
	}
	wide := map[*yaml.Node]*yaml.Node{}
	for _, u := range units {
		n := u.node
		_, replaced := e.replaced[n]
		for l := u.level; l > 0 && parents[n] != nil; l-- {
			if l == 1 && !replaced {
				break
			}
			n, replaced = parents[n], false
		}
		if u.level > 0 {
			wide[n] = sub.Final(n)
		}
	}
	for n, v := range wide {
		sub.replaced[n] = v
	}
	return sub
}

// splice makes the edits in the text, or returns nil where that cannot be done.
func (e *Editor) splice() (out *Document) {
	s := newSplicer(e)
	text, ok := s.text()
	if !ok {
		return nil
	}
	d, err := Parse(text, e.doc.file)
	if err != nil || !e.matches(d) {
		return nil
	}
	return d
}

// matches reports whether a document says what is meant.
func (e *Editor) matches(d *Document) bool {
	if d.root == nil {
		return IsNull(e.Final(e.doc.root))
	}
	return e.same(e.doc.root, d.root, true)
}

// same compares an original value with its edits against a new one. Behind an alias
// the original counts without its edits.
func (e *Editor) same(n, got *yaml.Node, edits bool) bool {
	if edits {
		if r, ok := e.replaced[n]; ok {
			return Equal(r, got)
		}
	}
	if n.Kind == yaml.AliasNode {
		n, edits = Resolve(n), false
	}
	got = Resolve(got)
	if n.Kind != got.Kind {
		return false
	}
	if n.Kind == yaml.ScalarNode {
		return jsonnode.SameScalar(n, got)
	}
	if n.Kind == yaml.MappingNode && jsonnode.HasMerge(n) {
		if edits {
			n = e.Final(n)
		}
		return Equal(n, got)
	}
	if edits && e.boxes[n] != nil {
		return e.sameBox(n, got)
	}
	if len(n.Content) != len(got.Content) {
		return false
	}
	keys := n.Kind == yaml.MappingNode
	for i, c := range n.Content {
		if keys && i%2 == 0 && c.Value == got.Content[i].Value {
			continue
		}
		if !e.same(c, got.Content[i], edits) {
			return false
		}
	}
	return true
}

// sameBox compares the entries of an edited map or list, in their order.
func (e *Editor) sameBox(n, got *yaml.Node) bool {
	w, b, j := width(n), e.boxes[n], 0
	next := func(match func(c *yaml.Node) bool) bool {
		j++
		return j <= len(got.Content) && match(got.Content[j-1])
	}
	for i := 0; i*w <= len(n.Content); i++ {
		last := i*w == len(n.Content)
		for _, v := range b.appendAdded(nil, i, last) {
			if !next(func(c *yaml.Node) bool { return Equal(v, c) }) {
				return false
			}
		}
		if last || b.removed[i] {
			continue
		}
		for k, child := range n.Content[i*w : (i+1)*w] {
			key := w == 2 && k == 0
			if !next(func(c *yaml.Node) bool { return key && c.Value == child.Value || e.same(child, c, true) }) {
				return false
			}
		}
	}
	return j == len(got.Content)
}

// freeAliases writes out every alias of a value that is edited or goes away, so that
// what stands elsewhere stays as it was.
func (e *Editor) freeAliases() {
	if !e.doc.aliased {
		return
	}
	touched := map[*yaml.Node]bool{}
	e.touch(e.doc.root, false, touched)
	var free func(n *yaml.Node)
	free = func(n *yaml.Node) {
		if _, gone := e.replaced[n]; gone {
			return
		}
		if n.Kind == yaml.AliasNode && touched[n.Alias] {
			e.replaced[n] = expand(n)
			return
		}
		for _, c := range n.Content {
			free(c)
		}
	}
	free(e.doc.root)
}

// touch notes every anchored value below n that is edited or goes away.
func (e *Editor) touch(n *yaml.Node, gone bool, touched map[*yaml.Node]bool) bool {
	_, replaced := e.replaced[n]
	b := e.boxes[n]
	hit := gone || replaced || b != nil
	w := width(n)
	for i, c := range n.Content {
		if e.touch(c, gone || replaced || b != nil && b.removed[i/w], touched) {
			hit = true
		}
	}
	if hit && n.Anchor != "" {
		touched[n] = true
	}
	return hit
}
