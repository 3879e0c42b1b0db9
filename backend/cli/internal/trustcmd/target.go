package trustcmd

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/trust"
)

// local is the team that the built-in gateway runs.
const local = "local"

// standing is an agent that asks for something, as the hub tells of it.
type standing struct {
	Agent   string          `json:"agent"`
	State   string          `json:"state"`
	Hash    string          `json:"hash"`
	Request json.RawMessage `json:"request"`
	Problem *struct {
		Message string `json:"message"`
	} `json:"problem,omitempty"`
	Unset []string `json:"unset,omitempty"` // variables without a value where the hub runs
}

// former is a permission of an agent that isn't in the team, such as one that isn't applied yet.
type former struct {
	Agent   string          `json:"agent"`
	Hash    string          `json:"hash"`
	At      time.Time       `json:"at"`
	Request json.RawMessage `json:"request"`
}

type team struct {
	Team   string     `json:"team"`
	Name   string     `json:"name"`
	Agents []standing `json:"agents"`
	Former []former   `json:"former,omitempty"`
}

// unused returns the last permission of each agent that isn't in the team.
func (t team) unused() []former {
	var out []former
	for i, f := range t.Former {
		later := func(o former) bool { return o.Agent == f.Agent }
		if !slices.ContainsFunc(t.Former[i+1:], later) {
			out = append(out, f)
		}
	}
	return out
}

// Target is a team of the hub, or a file that is to be applied, with what it asks for.
type Target struct {
	team
	file map[string]string
}

// OfFile asks the hub what the team of a file asks for, and what of it is allowed.
func OfFile(ctx context.Context, c *hubclient.Client, name string, data []byte) (Target, error) {
	file := map[string]string{"filename": name, "text": string(data)}
	var seen struct {
		Teams []struct {
			Name  string     `json:"name"`
			Trust []standing `json:"trust"`
		} `json:"teams"`
	}
	body := map[string]string{"filename": name, "text": file["text"], "for": local}
	if err := c.Call(ctx, http.MethodPost, "/api/files/preview", body, &seen); err != nil {
		return Target{}, err
	}
	out := Target{team{Team: local}, file}
	for _, t := range seen.Teams {
		out.Name, out.Agents = t.Name, append(out.Agents, t.Trust...)
	}
	return out, nil
}

// asks refuses agents of which the target has nothing to allow: a name that is mistyped would
// otherwise look as if it had been done.
func (t Target) asks(agents []string) error {
	t.Former = nil
	return t.knows(agents)
}

// knows refuses agents of which the target has nothing to allow or revoke.
func (t Target) knows(agents []string) error {
	for _, name := range agents {
		asks := slices.ContainsFunc(t.Agents, func(a standing) bool { return a.Agent == name })
		if !asks && !slices.ContainsFunc(t.Former, func(f former) bool { return f.Agent == name }) {
			return errcode.New(errcode.NotFound, "no agent %s of %s asks for anything. Run agentflow trust list.", name,
				t.called())
		}
	}
	return nil
}

// called is how a person names the target.
func (t Target) called() string {
	if t.file != nil {
		return t.file["filename"]
	}
	return t.Team
}

// subject is what a question about the agents, or about all of them, names.
func (t Target) subject(agents []string) string {
	if len(agents) > 0 {
		return term.Inline(strings.Join(agents, ", "))
	}
	return term.Inline(t.called())
}

// Open returns the target with those of the agents, or of all without agents, that wait to be
// allowed.
func (t Target) Open(agents []string) Target {
	t.Former = nil
	t.Agents = slices.DeleteFunc(slices.Clone(t.Agents), func(a standing) bool {
		return a.State == "allowed" || len(agents) > 0 && !slices.Contains(agents, a.Agent)
	})
	return t
}

// Tell shows each thing whole.
func (t Target) Tell(s *shell.Shell) {
	for _, a := range t.Agents {
		if t.file != nil && a.State == string(consent.Allowed) {
			t.tellBefore(s, a.Agent)
		} else {
			s.Screen.Print("%s  %s\n", term.OneLine(a.Agent, 100), stateWord(a.State))
		}
		tellAsks(s, a.Request)
		if len(a.Unset) > 0 {
			s.Screen.Print("  Not set on this computer: %s. "+
				"Set it where AgentFlow is started, and restart AgentFlow.\n", shown(trust.Names(a.Unset)))
		}
		if a.Problem != nil {
			s.Screen.Print("%s\n", term.Inline(s.Screen.Words(a.Problem.Message)))
		}
	}
	for _, f := range t.unused() {
		s.Screen.Print("%s  %s\n", term.OneLine(f.Agent, 100), unusedWord())
		tellAsks(s, f.Request)
	}
}

// tellAsks shows what one agent asks for.
func tellAsks(s *shell.Shell, request json.RawMessage) {
	lines, err := asks(s, request)
	if err != nil { // a newer hub, whose words are shown as they are
		lines = []string{term.Marked(string(request))}
	}
	for _, line := range lines {
		s.Screen.Print("  %s\n", line)
	}
}

// tellBefore shows an agent of a file whose request is allowed already. Another file, or the applied team, brought it.
func (t Target) tellBefore(s *shell.Shell, agent string) {
	name := term.OneLine(agent, 100)
	s.Screen.Print("%s  allowed before\n", name)
	s.Screen.Print("  This is what the file asks for, not what is applied. You allowed exactly this before, "+
		"for the agent %s of the gateway %s. It counts if you apply the file there.\n", name, t.Team)
}

// Allow allows the agents exactly what was shown of them.
func (t Target) Allow(ctx context.Context, s *shell.Shell, c *hubclient.Client) error {
	if len(t.Agents) == 0 {
		return nil
	}
	shown, names := []map[string]string{}, []string{}
	for _, a := range t.Agents {
		shown, names = append(shown, map[string]string{"agent": a.Agent, "hash": a.Hash}), append(names, term.OneLine(a.Agent, 100))
	}
	body := map[string]any{"agents": shown}
	if t.file != nil {
		body["file"] = t.file
	}
	if err := c.Call(ctx, http.MethodPost, "/api/trust/"+url.PathEscape(t.Team)+"/allow", body, nil); err != nil {
		return err
	}
	s.Screen.Print("allowed: %s\n", strings.Join(names, ", "))
	return nil
}
