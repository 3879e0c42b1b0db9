package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
)

// Extra contains unknown keys, unchanged.
type Extra map[string]json.RawMessage

// UnmarshalJSON reads the plan and keeps unknown keys.
func (p *Plan) UnmarshalJSON(data []byte) error {
	type plain Plan
	return decodeOpen(data, (*plain)(p), &p.Extra)
}

// MarshalJSON writes the plan with its unknown keys after the known ones.
func (p Plan) MarshalJSON() ([]byte, error) {
	type plain Plan
	p.NodeIndex, p.Tasks = full(p.NodeIndex), full(p.Tasks)
	return encodeOpen(plain(p), p.Extra)
}

// UnmarshalJSON reads the node and keeps unknown keys.
func (n *Node) UnmarshalJSON(data []byte) error {
	type plain Node
	return decodeOpen(data, (*plain)(n), &n.Extra)
}

// MarshalJSON writes the node with its unknown keys after the known ones.
func (n Node) MarshalJSON() ([]byte, error) {
	type plain Node
	n.Children = full(n.Children)
	return encodeOpen(plain(n), n.Extra)
}

// UnmarshalJSON reads the task and keeps unknown keys.
func (t *Task) UnmarshalJSON(data []byte) error {
	type plain Task
	return decodeOpen(data, (*plain)(t), &t.Extra)
}

// MarshalJSON writes the task with its unknown keys after the known ones.
func (t Task) MarshalJSON() ([]byte, error) {
	type plain Task
	t.AcceptanceCriteria, t.Dependencies = full(t.AcceptanceCriteria), full(t.Dependencies)
	return encodeOpen(plain(t), t.Extra)
}

// full returns the list, but never null.
func full[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func decodeOpen(data []byte, known any, extra *Extra) error {
	if err := json.Unmarshal(data, known); err != nil {
		return err
	}
	var all Extra
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for name := range fields(known) {
		delete(all, name)
	}
	*extra = nil
	if len(all) > 0 {
		*extra = all
	}
	return nil
}

func encodeOpen(known any, extra Extra) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(known); err != nil {
		return nil, err
	}
	out := bytes.TrimRight(b.Bytes(), "\n")
	if len(extra) == 0 {
		return out, nil
	}
	out = out[: len(out)-1 : len(out)-1] // without the closing brace
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		name, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, ','), name...), ':'), extra[k]...)
	}
	return append(out, '}'), nil
}

// fields returns the JSON names of a struct's fields.
func fields(of any) map[string]bool {
	names := map[string]bool{}
	t := reflect.TypeOf(of).Elem()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names[name] = true
		}
	}
	return names
}

// decodeOne reads exactly one JSON document.
func decodeOne(data []byte, into any) error {
	if !utf8.Valid(data) {
		return errors.New("it is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("it is empty")
		}
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return &trailing{dec.InputOffset()}
	}
	return nil
}

type trailing struct{ at int64 }

func (t *trailing) Error() string { return "something follows the end of the document" }

// placed converts a decoder's error to one that names the file and line.
func placed(err error, data []byte, file string) error {
	var coded *errcode.Error
	if errors.As(err, &coded) {
		return coded.With(errcode.KeyFile, file)
	}
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	var more *trailing
	e := errcode.New(errcode.Validation, "this is not one JSON document: %s", err)
	at := int64(-1)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &wrong):
		e = errcode.New(errcode.Validation, "%s must be %s, not %s", wrong.Field, typeName(wrong.Type), wrong.Value).
			With(errcode.KeyField, wrong.Field)
	case errors.As(err, &more):
		at = more.at
	case errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(data))
	}
	if at >= 0 {
		e = e.With(errcode.KeyLine, 1+bytes.Count(data[:min(int(at), len(data))], []byte("\n")))
	}
	return e.With(errcode.KeyFile, file)
}

func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	case reflect.Bool:
		return "true or false"
	}
	return "an object"
}
