package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/topology"
)

// GatewayPath names a gateway.
type GatewayPath struct {
	Name string `path:"name" maxLength:"100" doc:"Name of the gateway."`
}

type gatewayBody struct{ Body Gateway }

type gatewaysBody struct {
	Body struct {
		Gateways []Gateway `json:"gateways"`
	}
}

type addGateway struct{ Body GatewayEdit }

type putGateway struct {
	GatewayPath
	Body GatewayEdit
}

// GatewayAgent is an agent that a gateway runs.
type GatewayAgent struct {
	ID    topology.AgentID `json:"id"`
	Name  string           `json:"name,omitempty"`
	Role  string           `json:"role,omitempty"`
	Model string           `json:"model,omitempty" doc:"Model of the agent. Absent: the gateway's default model."`
}

type gatewayAgentsBody struct {
	Body struct {
		Agents []GatewayAgent `json:"agents" doc:"Agents in the order of the gateway's config."`
	}
}

type agentSettingsBody struct{ Body AgentSettings }
type agentFiles struct {
	GatewayPath
	Agent topology.AgentID `path:"agent" maxLength:"256" doc:"ID of the agent."`
}

type agentTools struct {
	GatewayPath
	Agent topology.AgentID `query:"agent" maxLength:"256" doc:"ID of an agent, also of a draft. Default: none."`
}

type agentToolsBody struct{ Body client.AgentTools }

type agentFile struct {
	GatewayPath
	Agent topology.AgentID `path:"agent" maxLength:"256" doc:"ID of the agent."`
	File  string           `path:"file" maxLength:"100" doc:"Name of the file, such as SOUL.md."`
}

type agentFilesBody struct{ Body rollout.Workspace }

type agentFileBody struct{ Body rollout.WorkspaceFile }

type modelsBody struct {
	Body struct {
		Models []Model `json:"models"`
	}
}

func gatewayOut(g Gateway, err error) (*gatewayBody, error) { return &gatewayBody{Body: g}, err }

func (s *Server) gatewayRoutes() {
	const tag = "gateways"
	huma.Register(s.api, op(http.MethodGet, "/api/gateways", "listGateways", "List gateways\n"+
		"Includes the state of each connection.", tag), handler(s, func(context.Context, *struct{}) (*gatewaysBody, error) {
		out := new(gatewaysBody)
		out.Body.Gateways = s.Fleet.Gateways()
		return out, nil
	}))
	add := op(http.MethodPost, "/api/gateways", "addGateway", "Add a gateway\n"+
		"The token is stored in the keyring and never returned.", tag)
	add.DefaultStatus = http.StatusCreated
	huma.Register(s.api, add, handler(s, func(ctx context.Context, in *addGateway) (*gatewayBody, error) {
		return gatewayOut(s.Fleet.Put(ctx, "", in.Body))
	}))
	huma.Register(s.api, op(http.MethodPut, "/api/gateways/{name}", "putGateway", "Update a gateway\n"+
		"Changes its settings. Without `token`, the stored token stays.", tag), handler(s, func(ctx context.Context, in *putGateway) (*gatewayBody, error) {
		return gatewayOut(s.putGateway(ctx, in))
	}))
	remove := op(http.MethodDelete, "/api/gateways/{name}", "removeGateway", "Delete a gateway\n"+
		"Deletes its settings and its token. The gateway itself doesn't change.", tag)
	remove.DefaultStatus = http.StatusNoContent
	huma.Register(s.api, remove, handler(s, func(ctx context.Context, in *GatewayPath) (*struct{}, error) {
		return nil, s.Fleet.Remove(ctx, in.Name)
	}))
	huma.Register(
		s.api,
		op(http.MethodPost, "/api/gateways/{name}/reconnect", "reconnectGateway", "Reconnect a gateway\n"+
			"Tries the connection at once instead of waiting for the next retry.", tag),
		handler(s, func(_ context.Context, in *GatewayPath) (*gatewayBody, error) {
			return gatewayOut(s.Fleet.Reconnect(in.Name))
		}),
	)
	huma.Register(s.api, op(http.MethodPost, "/api/gateway-test", "testGateway", "Test a gateway connection\n"+
		"Connects once with these settings. Nothing is saved.", tag), handler(s, func(ctx context.Context, in *addGateway) (*gatewayBody, error) {
		return gatewayOut(s.Fleet.Test(ctx, in.Body))
	}))
	s.snapshotRoutes(tag)
	dismiss := op(http.MethodDelete, "/api/gateways/{name}/alarm", "dismissAlarm", "Dismiss a gateway's alarm\n"+
		"Accepts what the gateway's config lost. The config doesn't change. Without an alarm it does nothing.", tag)
	dismiss.DefaultStatus = http.StatusNoContent
	huma.Register(s.api, dismiss, handler(s, func(ctx context.Context, in *GatewayPath) (*struct{}, error) {
		return nil, s.Rollout.DismissAlarm(ctx, in.Name)
	}))
	s.gatewayAgentRoutes(tag)
	huma.Register(s.api, op(http.MethodGet, "/api/models", "listModels", "List models\n"+
		"Lists the models that you can give to an agent.", tag), handler(s, func(ctx context.Context, _ *struct{}) (*modelsBody, error) {
		out := new(modelsBody)
		out.Body.Models = s.Fleet.Models(ctx)
		return out, nil
	}))
}

// gatewayAgentRoutes are about the agents that a gateway runs.
func (s *Server) gatewayAgentRoutes(tag string) {
	agents := op(http.MethodGet, "/api/gateways/{name}/agents", "listGatewayAgents", "List a gateway's agents\n"+
		"Lists the agents that the gateway runs now, whichever team is open.", tag)
	huma.Register(s.api, agents, handler(s, s.gatewayAgents))
	settings := op(http.MethodGet, "/api/gateways/{name}/agent-settings", "getAgentSettings",
		"Get the settings of a gateway's agents\n"+
			"Describes every setting that the gateway's schema offers for one agent. "+
			"Without a connection, the last known answer.", tag)
	huma.Register(s.api, settings, handler(s, func(ctx context.Context, in *GatewayPath) (*agentSettingsBody, error) {
		found, err := s.Fleet.AgentSettings(ctx, in.Name)
		return &agentSettingsBody{Body: found}, err
	}))
	tools := op(http.MethodGet, "/api/gateways/{name}/agent-tools", "getAgentTools",
		"Get the tools and skills for an agent\n"+
			"Lists what the gateway knows, and what the agent can use now. "+
			"Without a connection, and of the built-in gateway, nothing.", tag)
	huma.Register(s.api, tools, handler(s, func(ctx context.Context, in *agentTools) (*agentToolsBody, error) {
		found, err := s.Fleet.AgentTools(ctx, in.Name, in.Agent)
		return &agentToolsBody{Body: found}, err
	}))
	files := op(http.MethodGet, "/api/gateways/{name}/agents/{agent}/files", "listAgentFiles",
		"List an agent's files\n"+
			"Lists the workspace files of an agent on its gateway, without their text.", tag)
	huma.Register(s.api, files, handler(s, func(ctx context.Context, in *agentFiles) (*agentFilesBody, error) {
		found, err := s.Rollout.Files(ctx, in.Name, in.Agent)
		return &agentFilesBody{Body: found}, err
	}))
	file := op(http.MethodGet, "/api/gateways/{name}/agents/{agent}/files/{file}", "getAgentFile",
		"Get an agent's file\n"+
			"Reads one workspace file of an agent. To change it, put it into `files` of the agent "+
			"and apply the team.", tag)
	huma.Register(s.api, file, handler(s, func(ctx context.Context, in *agentFile) (*agentFileBody, error) {
		found, err := s.Rollout.File(ctx, in.Name, in.Agent, in.File)
		return &agentFileBody{Body: found}, err
	}))
}

func (s *Server) putGateway(ctx context.Context, in *putGateway) (Gateway, error) {
	g, err := s.Fleet.Put(ctx, in.Name, in.Body)
	if err != nil || g.Name == in.Name {
		return g, err
	}
	return g, s.Library.RenameGateway(ctx, in.Name, g.Name)
}

func (s *Server) gatewayAgents(ctx context.Context, in *GatewayPath) (*gatewayAgentsBody, error) {
	team, err := s.Rollout.Held(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	out := new(gatewayAgentsBody)
	for _, a := range team.Agents {
		out.Body.Agents = append(out.Body.Agents, GatewayAgent{ID: a.ID, Name: a.Name, Role: a.Role, Model: a.Model})
	}
	return out, nil
}
