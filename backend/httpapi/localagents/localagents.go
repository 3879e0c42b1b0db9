// Package localagents serves the agents that run on the hub's computer in processes of
// their own. It translates and holds nothing.
package localagents

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/httpapi/answer"
	"agentflow/backend/localagent"
	"agentflow/backend/topology"
)

// Routes are the routes about them.
type Routes struct {
	Machine *localagent.Machine
	Logger  *slog.Logger
}

// SchemaNamer names the types of the description that are these agents', or returns "":
// they begin with Local, for drawings have agents, too.
func SchemaNamer(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if p := t.PkgPath(); p == reflect.TypeFor[localagent.Agent]().PkgPath() || p == reflect.TypeFor[List]().PkgPath() {
		return "Local" + name
	}
	return ""
}

// List is all that is run here, and what could be.
type List struct {
	Agents     []localagent.Agent     `json:"agents"`
	Candidates []localagent.Candidate `json:"candidates" doc:"agents of the applied team that could be run here"`
}

// Told is what a window is told of them.
func Told(m *localagent.Machine) *List {
	return &List{m.Agents(), m.Candidates()}
}

type agentsBody struct{ Body *List }

type agentBody struct{ Body localagent.Agent }

// AgentPath names an agent.
type AgentPath struct {
	ID topology.AgentID `path:"id" maxLength:"200"`
}

type addBody struct {
	Body struct {
		Agent     topology.AgentID `json:"agent,omitempty" maxLength:"200" doc:"of the applied team"`
		Config    string           `json:"config,omitempty" maxLength:"1048576" doc:"an agent-config.yaml instead"`
		Autostart bool             `json:"autostart,omitempty" doc:"start it whenever the hub starts"`
	}
}

type changeBody struct {
	AgentPath
	Body struct {
		Autostart *bool   `json:"autostart,omitempty"`
		Config    *string `json:"config,omitempty" maxLength:"1048576" doc:"another agent-config.yaml; it holds from the next start on"`
	}
}

type keepBody struct {
	AgentPath
	Body struct {
		Name  string `json:"name" minLength:"1" maxLength:"200" doc:"a variable that the agent's config names"`
		Value string `json:"value" maxLength:"20000" doc:"kept in the keyring; empty forgets it"`
	}
}

type logQuery struct {
	AgentPath
	After int64 `query:"after" minimum:"0" doc:"lines behind this one"`
	Limit int   `query:"limit" minimum:"1" maximum:"2000" default:"500" doc:"the newest of them"`
	Wait  int   `query:"wait" minimum:"0" maximum:"50" doc:"seconds to wait for the first one"`
}

type logBody struct{ Body localagent.Log }

func one(a localagent.Agent, err error) (*agentBody, error) { return &agentBody{a}, err }

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	const tag, at = "local agents", "/api/local-agents"
	m := s.Machine
	route := func(method, path, id, summary string) huma.Operation {
		o := answer.Route(method, at+path, id, summary, tag)
		o.MaxBodyBytes = answer.LargeBody
		return o
	}
	huma.Register(api, route(http.MethodGet, "", "listLocalAgents", "The agents that run on the hub's computer in processes of their own"), answer.Handler(s.Logger, func(context.Context, *struct{}) (*agentsBody, error) {
		return &agentsBody{Told(m)}, nil
	}))
	huma.Register(api, answer.Status(http.StatusCreated, route(http.MethodPost, "", "addLocalAgent", "Add one, of the applied team or by its config")), answer.Handler(s.Logger, func(_ context.Context, in *addBody) (*agentBody, error) {
		return one(m.Add(in.Body.Agent, in.Body.Config, in.Body.Autostart))
	}))
	huma.Register(api, route(http.MethodPatch, "/{id}", "changeLocalAgent", "Change one"), answer.Handler(s.Logger, func(_ context.Context, in *changeBody) (*agentBody, error) {
		return one(m.Change(in.ID, localagent.Edit{Autostart: in.Body.Autostart, Config: in.Body.Config}))
	}))
	huma.Register(api, answer.Status(http.StatusNoContent, route(http.MethodDelete, "/{id}", "removeLocalAgent", "Stop one and forget it with its secrets")), answer.Handler(s.Logger, func(ctx context.Context, in *AgentPath) (*struct{}, error) {
		return nil, m.Remove(ctx, in.ID)
	}))
	huma.Register(api, route(http.MethodPost, "/{id}/start", "startLocalAgent", "Start its process"), answer.Handler(s.Logger, func(_ context.Context, in *AgentPath) (*agentBody, error) {
		return one(m.Start(in.ID))
	}))
	huma.Register(api, route(http.MethodPost, "/{id}/stop", "stopLocalAgent", "End its process; a task at hand is handed back"), answer.Handler(s.Logger, func(ctx context.Context, in *AgentPath) (*agentBody, error) {
		return one(m.Stop(ctx, in.ID))
	}))
	huma.Register(api, route(http.MethodPost, "/{id}/restart", "restartLocalAgent", "End its process and start it with the config that it has now"), answer.Handler(s.Logger, func(ctx context.Context, in *AgentPath) (*agentBody, error) {
		return one(m.Restart(ctx, in.ID))
	}))
	huma.Register(api, route(http.MethodPut, "/{id}/variables", "keepLocalAgentVariable", "Keep a secret for it, which it gets by its environment"), answer.Handler(s.Logger, func(_ context.Context, in *keepBody) (*agentBody, error) {
		return one(m.Keep(in.ID, in.Body.Name, in.Body.Value))
	}))
	huma.Register(api, route(http.MethodGet, "/{id}/log", "readLocalAgentLog", "The end of what its process has said"), answer.Handler(s.Logger, s.log))
}

func (s *Routes) log(ctx context.Context, in *logQuery) (*logBody, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(in.Wait)*time.Second)
	defer cancel()
	part, err := s.Machine.Log(ctx, in.ID, in.After, in.Limit)
	return &logBody{part}, err
}
