package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

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
			table, err := s.Rollout.Routes(ctx, in.ID)
			return &routesBody{Body: table}, err
		}))
	huma.Register(s.api, op(http.MethodPost, "/api/teams/{id}/routes/answer", "findAnswer", "Find who answers a message\n"+
		"Returns the agent that answers, and for each binding why it wins or not. Nothing changes.", tag),
		handler(s, func(ctx context.Context, in *askAnswer) (*answerBody, error) {
			table, err := s.Rollout.Routes(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return &answerBody{Body: table.Who(in.Body)}, nil
		}))
}
