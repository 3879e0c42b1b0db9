package httpapi

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/routes"
)

type routesBody struct{ Body routes.Table }

type askAnswer struct {
	TeamPath
	Body routes.From
}

type answerBody struct{ Body routes.Answer }

// messageRoutes are the routes about which agent answers a message of a channel.
func (s *Server) messageRoutes() {
	const tag = "teams"
	huma.Register(s.api, op(http.MethodGet, "/api/teams/{id}/routes", "listRoutes", "List the routes of messages\n"+
		"Returns the channels of the gateway and the team's bindings in the order in which the gateway tries them. "+
		"The channels are those of the last config that the hub saw.", tag),
		handler(s, func(ctx context.Context, in *TeamPath) (*routesBody, error) {
			table, err := s.routesOf(ctx, in.ID)
			return &routesBody{Body: table}, err
		}))
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/routes/answer", "findAnswer",
		"Find who answers a message\n"+
			"Returns the agent that answers, and for each binding why it wins or not. Nothing changes.", tag),
		handler(s, func(ctx context.Context, in *askAnswer) (*answerBody, error) {
			table, err := s.routesOf(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return &answerBody{Body: table.Who(in.Body)}, nil
		}))
}

// routesOf returns which agents of a team answer the messages of its gateway's channels. The channels are those of the
// last config that was seen, so that they are there without a connection, too.
func (s *Server) routesOf(ctx context.Context, id library.ID) (routes.Table, error) {
	team, head, err := s.Library.Get(ctx, id)
	if err != nil {
		return routes.Table{}, err
	}
	config, err := s.lastConfig(ctx, team.Gateway)
	if err != nil {
		return routes.Table{}, err
	}
	base, err := s.Library.BaseTopology(ctx, team)
	if err != nil {
		return routes.Table{}, err
	}
	table := routes.Read(head.Topology, config)
	table.Missing = base != nil && table.MissingIn(head.Topology, base)
	if target, err := s.Fleet.Target(team.Gateway); err == nil {
		table.Supported = !target.Gateway.Capabilities().FullAgents
	}
	return table, nil
}

// lastConfig returns the newest config that was kept of a gateway, as JSON. It returns nil for none, and for one that
// can't be read: that has no channels.
func (s *Server) lastConfig(ctx context.Context, gateway string) (json.RawMessage, error) {
	kept, err := s.Library.Snapshots(ctx, gateway, 1)
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	whole, err := s.Library.Snapshot(ctx, kept[0].ID)
	if err != nil {
		return nil, err
	}
	var snap openclaw.Snapshot
	if json.Unmarshal(whole.Config, &snap) != nil {
		return nil, nil //nolint:nilerr // it can't be read
	}
	doc, err := snap.Document()
	if err != nil {
		return nil, nil //nolint:nilerr // it can't be read
	}
	return doc.JSON(), nil
}
