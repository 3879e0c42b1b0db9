package topology

import (
	"reflect"
	"strings"
	"testing"
)

// Every field of an agent counts, in sameFields and in the list that finds it by name.
func TestSameFieldsKnowsEveryField(t *testing.T) {
	kind := reflect.TypeFor[Agent]()
	for i := range kind.NumField() {
		f := kind.Field(i)
		if f.Name == "ID" || f.Name == "Connections" {
			continue
		}
		var a Agent
		fill(reflect.ValueOf(&a).Elem().Field(i))
		if sameFields(&Agent{}, &a) {
			t.Errorf("sameFields does not look at %s", f.Name)
		}
		if len(Diff(&Topology{Agents: []Agent{{ID: "a"}}}, &Topology{Agents: []Agent{a.as("a")}})) != 1 {
			t.Errorf("Diff does not find %s", f.Name)
		}
	}
}

func (a Agent) as(id AgentID) Agent {
	a.ID = id
	return a
}

// fill sets a value to anything but nothing.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("SOUL.md"), reflect.ValueOf(AgentFile{Content: "x"}))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	default:
		panic("a field of a new kind: " + v.Kind().String())
	}
}

// TestEveryTextIsLimited: Validate refuses a text of an agent that is longer than its row permits.
func TestEveryTextIsLimited(t *testing.T) {
	for _, f := range Fields() {
		a := Agent{ID: "a"}
		text, ok := f.At(&a).(*string)
		if !ok {
			continue
		}
		*text = strings.Repeat("x", f.maxBytes)
		if err := (&Topology{Agents: []Agent{a}}).Validate(); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		*text += "x"
		if err := (&Topology{Agents: []Agent{a}}).Validate(); err == nil {
			t.Errorf("%s can be longer than %d bytes", f.Name, f.maxBytes)
		}
	}
}
