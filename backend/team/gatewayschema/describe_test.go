package gatewayschema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func describe(schema string) Description { return Describe(Source{Schema: json.RawMessage(schema)}) }

// paths returns the paths of a description, each with its kinds.
func paths(d Description) string {
	var out []string
	Walk(d.Settings, func(path []string, s *Setting) {
		out = append(out, strings.Join(path, ".")+strings.ReplaceAll(fmt.Sprint(s.Kinds), " ", "|"))
	})
	return strings.Join(out, " ")
}

// OC-1: keys that no release of AgentFlow knows get fields with the gateway's own words.
func TestOC1_InventedKeysAreUsable(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"zeta":{"type":"boolean","title":"Zeta","description":"From the schema","default":true},
		"alpha":{"type":"object","properties":{"beta":{"type":["string","null"],"enum":["a","b",null]},
			"gammaToken":{"type":"string","default":"secret"}}},
		"delta":{"type":"array","items":{"type":"integer"}},
		"epsilon":{"enum":[1,2,"auto",true]},
		"eta":{"type":"object","additionalProperties":{"type":"number"}},
		"theta":{"whatever":"x"}, "iota":true, "kappa":{"type":"quantum"}}}`
	d := Describe(Source{
		Schema: json.RawMessage(schema),
		Hints: map[string]Hint{
			"zeta":       {Label: "The zeta", Help: "From the hint", Placeholder: "on"},
			"alpha.beta": {Tags: []string{"advanced"}}, "eta.*": {Help: "Each eta"},
		},
		Reload: map[string]string{"": "hot", "zeta": "restart", "iota": "sideways"},
	})
	const want = "zeta[boolean] alpha[group] alpha.beta[choice] alpha.gammaToken[text] delta[list] " +
		"epsilon[number|choice|boolean] eta[map] eta.*[number] theta[any] iota[any] kappa[any]"
	if got := paths(d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	zeta, alpha, eta := d.Settings[0], d.Settings[1], d.Settings[4]
	if zeta.Label != "The zeta" || zeta.Help != "From the hint" || zeta.Placeholder != "on" ||
		string(zeta.Default) != "true" || zeta.Reload != "restart" {
		t.Errorf("zeta is %+v", zeta)
	}
	if !alpha.Settings[0].Advanced || alpha.Reload != "hot" || eta.Settings[0].Help != "Each eta" ||
		d.Settings[6].Reload != "" {
		t.Errorf("alpha is %+v, eta %+v, iota %+v", alpha, eta, d.Settings[6])
	}
	if secret := alpha.Settings[1]; !secret.Sensitive || secret.Default != nil {
		t.Errorf("a secret is %+v", secret)
	}
}

// OC-1: a number has its bounds, unless several numbers are allowed or the bounds are no numbers.
func TestOC1_Bounds(t *testing.T) {
	d := describe(`{"type":"object","properties":{
		"a":{"type":"integer","exclusiveMinimum":0,"maximum":10},
		"b":{"anyOf":[{"type":"number","minimum":1},{"type":"string"}]},
		"c":{"anyOf":[{"type":"number","minimum":5},{"type":"integer","maximum":1}]},
		"d":{"type":"integer","minimum":3,"exclusiveMinimum":true},
		"e":{"type":"number","minimum":1e999},
		"f":{"type":"string","minimum":1}}}`)
	var got []string
	for _, s := range d.Settings {
		b, err := json.Marshal(s.Bounds)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, s.Key+fmt.Sprint(s.Kinds)+string(b))
	}
	const want = `a[integer]{"exclusiveMinimum":0,"maximum":10} b[number text]{"minimum":1} c[number integer]null ` +
		`d[integer]null e[number]null f[text]null`
	if got := strings.Join(got, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// OC-1: schemas that lie, recurse or have no end give a bounded description, and never fail.
func TestOC1_HostileSchemas(t *testing.T) {
	many := make([]string, 9000)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d":{"type":"string"}`, i)
	}
	choices := make([]string, 3000)
	for i := range choices {
		choices[i] = fmt.Sprintf(`{"const":"c%d"}`, i)
	}
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 200) + `{}` + strings.Repeat(`}}`, 200)
	wide := strings.Repeat(`{"anyOf":[`, 200) + `{}` + strings.Repeat(`]}`, 200)
	for name, c := range map[string]struct {
		schema    string
		most      int
		truncated bool
	}{
		"9,000 keys":      {`{"properties":{` + strings.Join(many, ",") + `}}`, maxSettings, true},
		"200 levels":      {deep, maxNesting + 1, false},
		"200 choices":     {`{"properties":{"a":` + wide + `}}`, 1, false},
		"3,000 values":    {`{"properties":{"a":{"anyOf":[` + strings.Join(choices, ",") + `]}}}`, 1, false},
		"a long key":      {`{"properties":{"` + strings.Repeat("k", 300) + `":{},"a":{}}}`, 1, true},
		"doubles":         {`{"properties":{"a":{"type":"string"},"a":{"type":"number"}}}`, 1, false},
		"a reference":     {`{"properties":{"a":{"$ref":"#"},"b":{"allOf":[{"$ref":"#"}]}}}`, 2, false},
		"25 MB":           {`{"properties":{"a":{"title":"` + strings.Repeat("x", 25<<20) + `"}}}`, 0, false},
		"20 MB":           {`{"properties":{"a":{"title":"` + strings.Repeat("界", 6<<20) + `"}}}`, 1, false},
		"no object":       {`{"type":"string"}`, 0, false},
		"properties is 7": {`{"properties":7}`, 0, false},
		"half a schema":   {`{"properties":{"a":`, 0, false},
		"nothing":         {``, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := describe(c.schema)
			count := 0
			Walk(d.Settings, func(_ []string, s *Setting) {
				count++
				if len(s.Label) > 4*maxLabel || len(s.Choices) > maxChoices || len(s.Kinds) == 0 {
					t.Errorf("a label of %d bytes, %d choices, kinds %v", len(s.Label), len(s.Choices), s.Kinds)
				}
			})
			if count > c.most || (c.most > 0) != (count > 0) || d.Truncated != c.truncated {
				t.Errorf("%d settings, truncated: %v", count, d.Truncated)
			}
		})
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add(agent, `{"sandbox.mode":{"label":"x","tags":["advanced"]}}`)
	f.Add(`{"properties":{"a":{"anyOf":[{"type":["object","array"],"items":[]},null,7]}}}`, `{"a":null}`)
	f.Add(`{"properties":{"a":{"enum":[{},[],null,1e999]}}}`, ``)
	f.Add(`{"properties":{"b":{"oneOf":[{"properties":{"b":{}}},{"additionalProperties":{}}]}}}`, ``)
	f.Fuzz(func(t *testing.T, schema, hints string) {
		src := Source{Schema: json.RawMessage(schema)}
		_ = json.Unmarshal([]byte(hints), &src.Hints)
		d := Describe(src)
		if _, err := json.Marshal(d.Settings); err != nil {
			t.Fatal(err)
		}
		Walk(d.Settings, func(path []string, s *Setting) {
			if len(path) > maxNesting+1 || len(s.Kinds) == 0 || s.Key != path[len(path)-1] {
				t.Fatalf("%v: %+v", path, s)
			}
		})
	})
}
