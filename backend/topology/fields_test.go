package topology

import (
	"encoding/json"
	"math"
	"reflect"
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
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	default:
		panic("a field of a new kind: " + v.Kind().String())
	}
}

// The short ways write what json.Marshal writes.
func TestShortJSON(t *testing.T) {
	for _, s := range []string{"", "a", "Agent 7 ~", "a\"b", `a\b`, "<b>&", "\n", "\x7f", "\x00", "日本", "\u2028", "\xff", "a'b/c"} {
		if got, want := toJSON(s), marshal(t, s); string(got) != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -2, 0.1, 1e-6, 9e-7, -1e-9, 1e20, 1e21, -1e22, 123456.75, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		p := Point{X: f, Y: 1}
		if got, want := pointJSON(p), marshal(t, p); string(got) != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	if got := pointJSON(Point{X: math.NaN()}); got != nil {
		t.Errorf("a place that is no number: %s", got)
	}
	if got := pointJSON(Point{X: math.Inf(1)}); got != nil {
		t.Errorf("an endless place: %s", got)
	}
}

func marshal(t *testing.T, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
