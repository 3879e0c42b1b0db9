package lint

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/team/topology"
)

// What is given away holds no secret that Check knows, and everything else.
func TestWithoutSecrets(t *testing.T) {
	const key = "sk-abcd1234efgh5678ijkl"
	team := &topology.Topology{Name: "Team", Agents: []topology.Agent{{
		ID: "a", Name: "A", Persona: "Use the key " + key + " and be brief.", SecretEnv: "not a name!", URL: "https://me:hunter2@example.com/a2a",
		Connections: []topology.Connection{{TargetID: "b", Type: topology.Command, Label: "with " + key}},
		Extra: topology.Extra{
			{Key: "env", Value: []byte(`{"API_KEY":"open sesame","HOME":"/x","n":12345678901234567890}`)},
			{Key: "password", Value: []byte(`"swordfish"`)}, {Key: "tokenEnv", Value: []byte(`"A_TOKEN"`)}, {Key: "keys", Value: []byte(`["` + key + `","fine"]`)},
		},
	}, {ID: "b"}}, Notes: []topology.Note{{ID: "n", Text: "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nkeep"}}}
	before, _ := json.Marshal(team)
	clean, found := WithoutSecrets(team)
	if after, _ := json.Marshal(team); string(after) != string(before) {
		t.Error("the team itself was changed")
	}
	text, _ := json.Marshal(clean)
	for _, gone := range []string{key, "hunter2", "swordfish", "sesame", "PRIVATE KEY", "not a name"} {
		if strings.Contains(string(text), gone) {
			t.Errorf("%q is still there: %s", gone, text)
		}
	}
	for _, stays := range []string{"and be brief.", "A_TOKEN", `"HOME":"/x"`, "12345678901234567890", `"fine"`, "keep"} {
		if !strings.Contains(string(text), stays) {
			t.Errorf("%q went too: %s", stays, text)
		}
	}
	if len(found) != 8 {
		t.Errorf("%d places: %+v", len(found), found)
	}
	for _, p := range Check(clean, Rules{}) {
		if p.Code == SecretInClear {
			t.Errorf("Check still finds %s", p.Field)
		}
	}
	if same, none := WithoutSecrets(clean); same != clean || none != nil {
		t.Errorf("a clean team is changed: %v", none)
	}
}

// TestEveryTextIsSearchedForSecrets puts a secret into each text of an agent: the linter names it, and it is taken out.
func TestEveryTextIsSearchedForSecrets(t *testing.T) {
	for _, f := range topology.Fields() {
		a := topology.Agent{ID: "a"}
		text, ok := f.At(&a).(*string)
		if !ok {
			continue
		}
		*text = "ghp_0123456789abcdefghijABCDEFGHIJ0123"
		if f.Name == "secretEnv" {
			*text = "not a variable"
		}
		team := &topology.Topology{Agents: []topology.Agent{a}}
		named := slices.ContainsFunc(Check(team, Rules{}), func(p topology.Problem) bool {
			return p.Code == SecretInClear && p.Field == f.Name
		})
		clean, found := WithoutSecrets(team)
		left, _ := f.Text(&clean.Agents[0])
		if !named || len(found) != 1 || found[0].Field != f.Name || left == *text {
			t.Errorf("a secret in %s: named %v, found %v, left %q", f.Name, named, found, left)
		}
	}
}

// TestOC2_FilesAreSearchedForSecrets does the same for a workspace file.
func TestOC2_FilesAreSearchedForSecrets(t *testing.T) {
	const field, token = "files.USER.md", "ghp_0123456789abcdefghijABCDEFGHIJ0123"
	team := &topology.Topology{Agents: []topology.Agent{
		{ID: "a", Files: topology.Files{"USER.md": {Content: "Mika\n" + token + "\n"},
			"SOUL.md": {Content: "Be kind.\n"}}},
	}}
	named := slices.ContainsFunc(Check(team, Rules{}), func(p topology.Problem) bool {
		return p.Code == SecretInClear && p.Field == field
	})
	clean, found := WithoutSecrets(team)
	left := clean.Agents[0].Files
	if !named || len(found) != 1 || found[0].Field != field || left["USER.md"].Content != "Mika\n"+Removed+"\n" ||
		left["SOUL.md"].Content != "Be kind.\n" {
		t.Errorf("named %v, found %v, left %+v", named, found, left)
	}
	if !strings.Contains(team.Agents[0].Files["USER.md"].Content, token) {
		t.Error("the team itself was changed")
	}
}
