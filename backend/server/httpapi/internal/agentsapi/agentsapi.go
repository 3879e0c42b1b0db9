// Package agentsapi serves the agents that run on the hub's computer in processes of
// their own. It translates and holds nothing.
package agentsapi

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/server/httperr"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/localagent"
)

// Routes are the routes about them.
type Routes struct {
	Machine *localagent.Machine
	Logger  *slog.Logger
}

// SchemaNamer names the types of the description that are these agents', or returns "":
// they begin with Local, for teams have agents, too.
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
	Candidates []localagent.Candidate `json:"candidates" doc:"Agents of the applied team that can run here."`
}

// Told returns the list that windows get.
func Told(m *localagent.Machine) *List {
	return &List{m.Agents(), m.Candidates()}
}

type agentsBody struct{ Body *List }

type agentBody struct{ Body localagent.Agent }

// AgentPath names an agent.
type AgentPath struct {
	ID topology.AgentID `path:"id" maxLength:"200" doc:"ID of the agent."`
}

type addBody struct {
	Body struct {
		Agent     topology.AgentID `json:"agent,omitempty" maxLength:"200" doc:"ID of an agent of the applied team, at most 200 characters. Give this or config."`
		Config    string           `json:"config,omitempty" maxLength:"1048576" doc:"Text of an agent-config.yaml, at most 1 MiB. Give this or agent."`
		Autostart bool             `json:"autostart,omitempty" doc:"Start the process whenever the hub starts. Default: false."`
	}
}

type changeBody struct {
	AgentPath
	Body struct {
		Autostart *bool   `json:"autostart,omitempty" doc:"Start the process whenever the hub starts. Default: unchanged."`
		Config    *string `json:"config,omitempty" maxLength:"1048576" doc:"New agent-config.yaml, at most 1 MiB. It counts from the next start. Default: unchanged."`
	}
}

type keepBody struct {
	AgentPath
	Body struct {
		Name  string `json:"name" minLength:"1" maxLength:"200" doc:"Environment variable that the agent's config names, at most 200 characters."`
		Value string `json:"value" maxLength:"20000" doc:"Value, at most 20000 characters. It's stored in the keyring. An empty one deletes it."`
	}
}

type logQuery struct {
	AgentPath
	After int64 `query:"after" minimum:"0" doc:"Only lines after this number. Default: all lines."`
	Limit int   `query:"limit" minimum:"1" maximum:"2000" default:"500" doc:"Maximum number of lines, 1 to 2000; the newest are returned. Default: 500."`
	Wait  int   `query:"wait" minimum:"0" maximum:"50" doc:"Seconds to wait for the first new line, 0 to 50. Default: 0."`
}

type logBody struct{ Body localagent.Log }

func one(a localagent.Agent, err error) (*agentBody, error) { return &agentBody{a}, err }

// Register adds the routes.
func (s *Routes) Register(api huma.API) {
	const tag, at = "local processes", "/api/local-agents"
	m := s.Machine
	route := func(method, path, id, summary string) huma.Operation {
		o := httperr.Route(method, at+path, id, summary, tag)
		o.MaxBodyBytes = httperr.LargeBody
		return o
	}
	huma.Register(api, route(http.MethodGet, "", "listLocalAgents", "List local processes\n"+
		"Lists the agents that the hub runs as its own processes, and those of the applied team that it can run."), httperr.Handler(s.Logger, func(context.Context, *struct{}) (*agentsBody, error) {
		return &agentsBody{Told(m)}, nil
	}))
	huma.Register(
		api,
		httperr.Status(http.StatusCreated, route(http.MethodPost, "", "addLocalAgent", "Add a local process\n"+
			"Takes an agent of the applied team, or an `agent-config.yaml`. Give one of the two.")),
		httperr.Handler(s.Logger, func(_ context.Context, in *addBody) (*agentBody, error) {
			return one(m.Add(in.Body.Agent, in.Body.Config, in.Body.Autostart))
		}),
	)
	huma.Register(api, route(http.MethodPatch, "/{id}", "changeLocalAgent", "Update a local process\n"+
		"Fields that are absent don't change. A new config counts from the next start."), httperr.Handler(s.Logger, func(_ context.Context, in *changeBody) (*agentBody, error) {
		return one(m.Change(in.ID, localagent.Edit{Autostart: in.Body.Autostart, Config: in.Body.Config}))
	}))
	huma.Register(api, httperr.Status(http.StatusNoContent, route(http.MethodDelete, "/{id}", "removeLocalAgent", "Delete a local process\n"+
		"Stops it and deletes its settings and secrets.")), httperr.Handler(s.Logger, func(ctx context.Context, in *AgentPath) (*struct{}, error) {
		return nil, m.Remove(ctx, in.ID)
	}))
	huma.Register(api, route(http.MethodPost, "/{id}/start", "startLocalAgent", "Start a local process"), httperr.Handler(s.Logger, func(_ context.Context, in *AgentPath) (*agentBody, error) {
		return one(m.Start(in.ID))
	}))
	huma.Register(api, route(http.MethodPost, "/{id}/stop", "stopLocalAgent", "Stop a local process\n"+
		"Its task goes back to the queue."), httperr.Handler(s.Logger, func(ctx context.Context, in *AgentPath) (*agentBody, error) {
		return one(m.Stop(ctx, in.ID))
	}))
	huma.Register(api, route(http.MethodPost, "/{id}/restart", "restartLocalAgent", "Restart a local process\n"+
		"Starts it with its current config. Its task goes back to the queue."), httperr.Handler(s.Logger, func(ctx context.Context, in *AgentPath) (*agentBody, error) {
		return one(m.Restart(ctx, in.ID))
	}))
	huma.Register(
		api,
		route(http.MethodPut, "/{id}/variables", "keepLocalAgentVariable", "Save a secret for a local process\n"+
			"Stores the value in the keyring. The process gets it as an environment variable at its next start."),
		httperr.Handler(s.Logger, func(_ context.Context, in *keepBody) (*agentBody, error) {
			return one(m.Keep(in.ID, in.Body.Name, in.Body.Value))
		}),
	)
	huma.Register(api, route(http.MethodGet, "/{id}/log", "readLocalAgentLog", "Get the log of a local process\n"+
		"Returns the newest lines. With `wait`, the request waits for the first new line."), httperr.Handler(s.Logger, s.log))
}

func (s *Routes) log(ctx context.Context, in *logQuery) (*logBody, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(in.Wait)*time.Second)
	defer cancel()
	part, err := s.Machine.Log(ctx, in.ID, in.After, in.Limit)
	return &logBody{part}, err
}
