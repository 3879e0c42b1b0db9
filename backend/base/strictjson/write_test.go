package strictjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentflow/backend/base/strictjson"
)

// An answer reads as encoding/json would have written it, but for lists and maps that are nil.
func TestWrite_HasNoNullForAList(t *testing.T) {
	type inner struct {
		List []string       `json:"list"`
		Gone []string       `json:"gone,omitempty"`
		Map  map[string]int `json:"map"`
	}
	type outer struct {
		inner
		Many  []inner          `json:"many"`
		By    map[string]inner `json:"by"`
		At    *inner           `json:"at"`
		None  *inner           `json:"none"`
		Zero  int              `json:"zero,omitempty"`
		Raw   json.RawMessage  `json:"raw,omitempty"`
		Text  string           `json:"text"`
		Bytes []byte           `json:"bytes"`
	}
	v := outer{
		Many:  []inner{{}},
		By:    map[string]inner{"b": {}, "a": {}},
		At:    new(inner),
		Text:  "<&>\u2028",
		Bytes: []byte("x"),
	}
	var got strings.Builder
	if err := strictjson.Write(&got, v); err != nil {
		t.Fatal(err)
	}
	const one = `{"list":[],"map":{}}`
	want := `{"list":[],"map":{},"many":[` + one + `],"by":{"a":` + one + `,"b":` + one + `},"at":` + one + `,"none":null,"text":"<&>\u2028","bytes":"eA=="}` + "\n"
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got.String(), want)
	}
	text, err := strictjson.Text(v)
	if err != nil || string(text)+"\n" != got.String() {
		t.Errorf("%s, %v", text, err)
	}
}
