package a2aserver

import (
	"context"
	"net/http"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/work/task"
)

// serveCard serves the public card. It states the protocols and that a token is needed, and reveals nothing about the
// team. Clients of A2A 1.0 and 0.3 can read it.
func (d *Handler) serveCard(w http.ResponseWriter, r *http.Request) {
	made := a2av0.NewAgentCardProducer(
		a2asrv.AgentCardProducerFn(func(ctx context.Context) (*a2a.AgentCard, error) { return d.card(ctx), nil }),
	)
	data, err := made.(a2asrv.AgentCardJSONProducer).CardJSON(r.Context())
	if err != nil {
		httperr.Write(w, errcode.Wrap(errcode.Internal, err, "the agent card cannot be written"))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(data)
}

const bearer a2a.SecuritySchemeName = "bearer"

// card returns the public card.
func (d *Handler) card(ctx context.Context) *a2a.AgentCard {
	at := auth.At(ctx)
	text := []string{"text/plain", "application/json"}
	return &a2a.AgentCard{
		Name:        "AgentFlow",
		Description: "A team of agents with its coordinator. A message becomes a task, which goes to an agent of the team as its connections allow.",
		Version:     d.Version,
		SupportedInterfaces: []*a2a.AgentInterface{
			{URL: at + Path, ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2a.Version},
			{URL: at + Path, ProtocolBinding: a2a.TransportProtocolJSONRPC, ProtocolVersion: a2av0.Version},
		},
		Capabilities:       a2a.AgentCapabilities{Streaming: true, ExtendedAgentCard: true},
		DefaultInputModes:  text,
		DefaultOutputModes: text,
		SecuritySchemes: a2a.NamedSecuritySchemes{
			bearer: a2a.HTTPAuthSecurityScheme{Scheme: "Bearer", Description: "the hub's token"},
		},
		SecurityRequirements: a2a.SecurityRequirementsOptions{{bearer: {}}},
		Skills:               skills(),
	}
}

// skills lists the types of tasks that a message can ask for.
func skills() []a2a.AgentSkill {
	tags := map[string][]string{"shell": {"shell"}, "files": {"files"}}
	out := make([]a2a.AgentSkill, len(task.Types))
	for i, t := range task.Types {
		out[i] = a2a.AgentSkill{ID: string(t.Type), Name: t.Name, Description: t.Does, Tags: tags[t.ToolKind]}
		if t.Type != task.Chat {
			out[i].Description += ` Metadata: {"agentflow": {"taskType": "` + string(t.Type) + `"}}.`
		}
		if out[i].Tags == nil {
			out[i].Tags = []string{string(t.Type)}
		}
	}
	return out
}

// GetExtendedAgentCard implements a2asrv.RequestHandler: a caller with a token also sees the team.
func (d *Handler) GetExtendedAgentCard(
	ctx context.Context,
	_ *a2a.GetExtendedAgentCardRequest,
) (*a2a.AgentCard, error) {
	c := d.card(ctx)
	for _, who := range d.Coordinator.Candidates(ctx) {
		if !who.May || who.Gateway != "" { // tokens can't give tasks to agents of other gateways
			continue
		}
		skill := a2a.AgentSkill{
			ID:          "agent:" + string(who.ID),
			Name:        orID(who.Name, string(who.ID)),
			Description: "Ask this agent: metadata {\"agentflow\": {\"agent\": \"" + string(who.ID) + "\"}}.",
			Tags:        []string{"agent"},
		}
		if who.Role != "" {
			skill.Tags = append(skill.Tags, who.Role)
		}
		c.Skills = append(c.Skills, skill)
	}
	return c, nil
}

func orID(name, id string) string {
	if name == "" {
		return id
	}
	return name
}
