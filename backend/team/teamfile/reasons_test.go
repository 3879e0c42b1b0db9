package teamfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
)

// GW-7: the page tells the common mistakes of a file in the person's language, so each has a reason, and a text for it.
func TestGW7_MistakesHaveReasons(t *testing.T) {
	texts := map[string]map[string]string{}
	for _, language := range []string{"en", "ja"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "frontend", "src", "i18n", language, "error.json"))
		if err != nil {
			t.Fatal(err)
		}
		into := map[string]string{}
		if err := json.Unmarshal(data, &into); err != nil {
			t.Fatal(err)
		}
		texts[language] = into
	}
	const head = "agentflow: 1\n"
	for text, want := range map[string]struct{ reason, kind string }{
		"agents:\n  - {id: a}\n":                        {ReasonNotATeam, ""},
		"agentflow: 2\n":                                {ReasonVersion, ""},
		head + "agents:\n  - {name: A}\n":               {ReasonNoID, "agent"},
		head + "groups:\n  - {name: A}\n":               {ReasonNoID, "group"},
		head + "notes:\n  - {text: A}\n":                {ReasonNoID, "note"},
		head + "agents:\n  - {id: a}\n  - {id: a}\n":    {ReasonIDTwice, ""},
		head + "agents:\n  - a\n":                       {ReasonType, "map_items"},
		head + "notes:\n  - a\n":                        {ReasonType, "map_items"},
		head + "name: [a]\n":                            {ReasonType, "text"},
		head + "agents: a\n":                            {ReasonType, "list"},
		head + "base: a\n":                              {ReasonType, "map"},
		head + "notes: [{id: a, x: far}]\n":             {ReasonType, "number"},
		head + "groups: [{id: a, color: 1.5}]\n":        {ReasonType, "whole"},
		head + "groups: [{id: a, locked: 3}]\n":         {ReasonType, "flag"},
		head + "groups: [{id: a, members: [[b]]}]\n":    {ReasonType, "text_items"},
		head + "agents: [{id: a, connections: [{}]}]\n": {ReasonConnection, ""},
		head + "agents: [{id: a, connections: [b]}]\n":  {ReasonType, "map_items"},
		head + "agents: [\n":                            {docedit.ReasonNotYAML, ""},
		head + "---\nname: b\n":                         {docedit.ReasonSecond, ""},
		head + "name: \xff\n":                           {docedit.ReasonNotUTF8, ""},
		"{\"agentflow\": 1,, \"agents\": []}":           {docedit.ReasonNotJSON, ""},
	} {
		name := "t.yaml"
		if strings.HasPrefix(text, "{") {
			name = "t.json"
		}
		_, err := Read([]byte(text), name)
		e := errcode.From(err)
		if e == nil {
			t.Errorf("%q is read", text)
			continue
		}
		kind, _ := e.Details["kind"].(string)
		if e.Reason() != want.reason || kind != want.kind || e.Details[errcode.KeyLine] == nil {
			t.Errorf("%q: %v, %v, want %v", text, e, e.Details, want)
		}
		key := strings.TrimSuffix("VALIDATION_ERROR_"+want.reason+"_"+want.kind, "_")
		for language, of := range texts {
			if of[key] == "" {
				t.Errorf("%s has no text for %s", language, key)
			}
		}
	}
}
