package docedit

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit/internal/jsonnode"
	"agentflow/backend/base/docedit/internal/jsontext"
	"agentflow/backend/base/errcode"
)

// Editor collects edits of one document. Apply applies all of them at once. Edits refer to the nodes of the original
// document. The Editor owns the values that it gets. It copies a map or list that it reaches through an alias before
// it edits it, so other references don't change.
type Editor struct {
	doc      *Document
	newRoot  *yaml.Node
	replaced map[*yaml.Node]*yaml.Node
	boxes    map[*yaml.Node]*box
}

// box holds the edits of one map or list.
type box struct {
	removed map[int]bool
	added   []addition
}

// addition is a new entry before the original entry at, or at the end.
type addition struct {
	at         int
	key, value *yaml.Node // key is nil in a list
}

// Edit returns an Editor of the document.
func (d *Document) Edit() *Editor {
	return &Editor{doc: d, replaced: map[*yaml.Node]*yaml.Node{}, boxes: map[*yaml.Node]*box{}}
}

// Changed reports whether there are edits.
func (e *Editor) Changed() bool {
	return e.newRoot != nil || len(e.replaced) > 0 || len(e.boxes) > 0
}

// SetRoot replaces the whole value.
func (e *Editor) SetRoot(v *yaml.Node) {
	if e.doc.root == nil {
		e.newRoot = v
		return
	}
	e.Replace(e.doc.root, v)
}

// Replace replaces the value n with v.
func (e *Editor) Replace(n, v *yaml.Node) {
	if n.Kind == yaml.ScalarNode && Equal(n, v) {
		delete(e.replaced, n)
		return
	}
	e.replaced[n] = v
	delete(e.boxes, n)
}

// Set sets the value of a key in a map. It adds a new key at the end.
func (e *Editor) Set(m *yaml.Node, key string, v *yaml.Node) { e.SetBefore(m, key, v, "") }

// SetBefore is Set, but adds a new key before the key named before, if that exists.
func (e *Editor) SetBefore(m *yaml.Node, key string, v *yaml.Node, before string) {
	own, fresh := e.own(m)
	at := len(own.Content) / 2
	for i := 0; i < len(own.Content); i += 2 {
		if own.Content[i].Value == key {
			if fresh {
				own.Content[i+1] = v
				return
			}
			if b := e.boxes[own]; b == nil || !b.removed[i/2] {
				e.Replace(own.Content[i+1], v)
				return
			}
			at = i / 2
			break
		}
		if before != "" && own.Content[i].Value == before {
			at = i / 2
		}
	}
	e.add(own, fresh, addition{at, String(key), v})
}

// Remove removes a key from a map and reports whether it existed.
func (e *Editor) Remove(m *yaml.Node, key string) bool {
	own, fresh := e.own(m)
	for i := 0; i < len(own.Content); i += 2 {
		if own.Content[i].Value == key && own.Content[i].Tag != tagMerge && !merges(own, key) {
			e.removeAt(own, fresh, i/2)
			return true
		}
	}
	if Get(own, key) == nil {
		return false
	}
	written := expand(own) // the key comes from a merge, so it can't be removed in place
	for i := 0; i < len(written.Content); i += 2 {
		if written.Content[i].Value == key {
			written.Content = append(written.Content[:i:i], written.Content[i+2:]...)
			break
		}
	}
	e.replaceOwn(m, own, fresh, written)
	return true
}

// merges reports whether a merge (<<) also has the key.
func merges(m *yaml.Node, key string) bool {
	if !jsonnode.HasMerge(m) {
		return false
	}
	for _, e := range jsonnode.Merged(nil, m) {
		if e.Key.Value == key {
			return true
		}
	}
	return false
}

// RemoveItem removes the item that had the index i in the original list.
func (e *Editor) RemoveItem(list *yaml.Node, i int) {
	own, fresh := e.own(list)
	if i >= 0 && i < len(own.Content) {
		e.removeAt(own, fresh, i)
	}
}

// Insert inserts an item before the one that had the index i in the original list, or at the end.
func (e *Editor) Insert(list *yaml.Node, i int, v *yaml.Node) {
	own, fresh := e.own(list)
	e.add(own, fresh, addition{at: min(max(i, 0), len(own.Content)), value: v})
}

// Append adds an item at the end of a list.
func (e *Editor) Append(list, v *yaml.Node) { e.Insert(list, int(^uint(0)>>1), v) }

// own returns the node to edit. fresh reports that it is a copy, which is edited directly.
func (e *Editor) own(n *yaml.Node) (own *yaml.Node, fresh bool) {
	if r, ok := e.replaced[n]; ok {
		return r, true
	}
	if n.Kind != yaml.AliasNode {
		return n, !e.doc.owns(n)
	}
	c := expand(n)
	e.replaced[n] = c
	return c, true
}

// owns tells the nodes of a parsed document, which have a place, from made ones.
func (d *Document) owns(n *yaml.Node) bool { return n.Line > 0 }

func (e *Editor) replaceOwn(m, own *yaml.Node, fresh bool, v *yaml.Node) {
	if fresh {
		own.Content, own.Style = v.Content, v.Style
		return
	}
	e.Replace(m, v)
}

func (e *Editor) add(own *yaml.Node, fresh bool, a addition) {
	if !fresh {
		b := e.box(own)
		b.added = append(b.added, a)
		return
	}
	pair := []*yaml.Node{a.value}
	at := a.at
	if own.Kind == yaml.MappingNode {
		pair, at = []*yaml.Node{a.key, a.value}, 2*a.at
	}
	at = min(at, len(own.Content))
	own.Content = append(own.Content[:at:at], append(pair, own.Content[at:]...)...)
}

func (e *Editor) removeAt(own *yaml.Node, fresh bool, i int) {
	if !fresh {
		e.box(own).removed[i] = true
		return
	}
	width := width(own)
	own.Content = append(own.Content[:i*width:i*width], own.Content[(i+1)*width:]...)
}

func (e *Editor) box(n *yaml.Node) *box {
	b := e.boxes[n]
	if b == nil {
		b = &box{removed: map[int]bool{}}
		e.boxes[n] = b
	}
	return b
}

// width is how many nodes one entry has.
func width(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

// Final returns what a value is after the edits: the node itself where nothing
// below it changes, else a copy.
func (e *Editor) Final(n *yaml.Node) *yaml.Node {
	if r, ok := e.replaced[n]; ok {
		return r
	}
	if n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode {
		return n
	}
	w, b := width(n), e.boxes[n]
	out := make([]*yaml.Node, 0, len(n.Content))
	changed := b != nil
	for i := 0; i*w <= len(n.Content); i++ {
		if b != nil {
			out = b.appendAdded(out, i, i*w == len(n.Content))
		}
		if i*w == len(n.Content) {
			break
		}
		if b != nil && b.removed[i] {
			continue
		}
		for _, c := range n.Content[i*w : (i+1)*w] {
			f := e.Final(c)
			changed = changed || f != c
			out = append(out, f)
		}
	}
	if !changed {
		return n
	}
	c := *n
	c.Content = out
	return &c
}

// appendAdded appends what was added before the entry i, or at the end.
func (b *box) appendAdded(out []*yaml.Node, i int, last bool) []*yaml.Node {
	for _, a := range b.added {
		if a.at == i || last && a.at > i {
			if a.key != nil {
				out = append(out, a.key)
			}
			out = append(out, a.value)
		}
	}
	return out
}

// Apply makes the edits. The result says exactly what was meant: it has been parsed
// again and compared.
func (e *Editor) Apply() (*Document, error) {
	if !e.Changed() {
		return e.doc, nil
	}
	if e.doc.lang == JSON {
		return e.applyJSON()
	}
	if e.doc.root == nil {
		return e.applyEmpty()
	}
	e.freeAliases()
	if out := e.spliceJSON(); out != nil {
		return out, nil
	}
	return e.applyYAML()
}

// applyJSON splices. If the result isn't right, it rewrites the whole text.
func (e *Editor) applyJSON() (*Document, error) {
	d := e.doc
	if out := e.spliceJSON(); out != nil {
		return out, nil
	}
	text := AppendJSON(nil, e.Final(d.root), jsontext.Indent(d.src))
	if n := len(d.src); n > 0 && d.src[n-1] == '\n' {
		text = append(text, '\n')
	}
	out, err := d.again(text)
	if err == nil && !Equal(out.root, e.Final(d.root)) {
		err = errcode.New(errcode.Internal, "an edit of %s came out wrong and was not made", d.name())
	}
	return out, err
}

// spliceJSON makes the edits in a JSON text, also in one that was read as YAML. It
// returns nil where that cannot be done.
func (e *Editor) spliceJSON() *Document {
	d := e.doc
	if d.root.Style&yaml.FlowStyle == 0 && d.lang == YAML {
		return nil
	}
	text, err := jsontext.Splice(d.src, d.root, jsonOptions(d.five), jsonEdits{e})
	if err != nil {
		return nil
	}
	if out, err := d.again(text); err == nil && Equal(out.root, e.Final(d.root)) {
		return out
	}
	return nil
}

// again reads another text in the language of the document.
func (d *Document) again(text []byte) (*Document, error) {
	if d.lang == YAML {
		return Parse(text, d.file)
	}
	return parseJSON(text, d.file, d.five)
}

// jsonEdits are an Editor's edits for a JSON text.
type jsonEdits struct{ *Editor }

// Replaced implements jsontext.Edits.
func (e jsonEdits) Replaced(n *yaml.Node) (*yaml.Node, bool) {
	v, ok := e.replaced[n]
	return v, ok
}

// Entries implements jsontext.Edits.
func (e jsonEdits) Entries(n *yaml.Node) (out []jsontext.Entry, edited bool) {
	b := e.boxes[n]
	if b == nil {
		return nil, false
	}
	w := width(n)
	for i := 0; i*w <= len(n.Content); i++ {
		last := i*w == len(n.Content)
		for _, v := range chunk(b.appendAdded(nil, i, last), w) {
			entry := jsontext.Entry{Was: -1, Value: v[w-1]}
			if w == 2 {
				entry.Key = v[0]
			}
			out = append(out, entry)
		}
		if !last && !b.removed[i] {
			out = append(out, jsontext.Entry{Was: i})
		}
	}
	return out, true
}

func (d *Document) name() string {
	if d.file == "" {
		return "the document"
	}
	return d.file
}

// applyEmpty writes into a document that holds nothing but, perhaps, comments.
func (e *Editor) applyEmpty() (*Document, error) {
	text, err := encodeYAML(e.newRoot, 2)
	if err != nil {
		return nil, err
	}
	src := append([]byte(nil), e.doc.src...)
	if n := len(src); n > 0 && src[n-1] != '\n' {
		src = append(src, '\n')
	}
	out, err := Parse(append(src, text...), e.doc.file)
	if err != nil || !Equal(out.root, e.newRoot) { // what stood there cannot be followed by a value
		return Parse(text, e.doc.file)
	}
	return out, nil
}
