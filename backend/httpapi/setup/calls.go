package setup

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/httpapi/access"
	"agentflow/backend/httpapi/answer"
	"agentflow/backend/llm/ledger"
	"agentflow/backend/resources"
)

// Diagnostics is how the hub stands: what it uses of the computer, and what agents have
// asked models since it was started.
type Diagnostics struct {
	Program    resources.ProgramUse `json:"program"`
	KeepsTexts bool                 `json:"keepsTexts" doc:"what is said to models and by them is kept, to be looked at"`
	Agents     []ledger.AgentUse    `json:"agents" doc:"whoever asked most first"`
}

type diagnosticsBody struct{ Body Diagnostics }

type keepTexts struct {
	Body struct {
		KeepsTexts bool `json:"keepsTexts"`
	}
}

type listCalls struct {
	Agent  string `query:"agent" maxLength:"300" doc:"all if absent"`
	Before int64  `query:"before" minimum:"0" doc:"only calls before this id"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"100"`
}

type callsBody struct {
	Body struct {
		Calls []ledger.ModelCall `json:"calls" doc:"the newest first"`
	}
}

type callPath struct {
	ID int64 `path:"id"`
}

type textBody struct{ Body ledger.CallText }

// registerCalls adds the routes of what models were asked.
func registerCalls(api huma.API, log *slog.Logger, m Machines) {
	l := m.Ledger
	const tag = "diagnostics"
	stand := func() *diagnosticsBody {
		return &diagnosticsBody{Diagnostics{Program: resources.Now(), KeepsTexts: l.KeepsTexts(), Agents: l.Sums()}}
	}
	huma.Register(api, answer.Route(http.MethodGet, "/api/diagnostics", "getDiagnostics", "What the hub uses, and what each agent has asked models since it was started", tag), answer.Handler(log, func(context.Context, *struct{}) (*diagnosticsBody, error) {
		return stand(), nil
	}))
	huma.Register(api, answer.Route(http.MethodPut, "/api/diagnostics", "setDiagnostics", "Keep what is said to models from now on, or forget it", tag), answer.Handler(log, func(_ context.Context, in *keepTexts) (*diagnosticsBody, error) {
		l.KeepTexts(in.Body.KeepsTexts)
		return stand(), nil
	}))
	huma.Register(api, answer.Route(http.MethodGet, "/api/llm-calls", "listModelCalls", "The latest questions to models", tag), answer.Handler(log, func(_ context.Context, in *listCalls) (*callsBody, error) {
		out := new(callsBody)
		out.Body.Calls = l.Calls(in.Agent, in.Before, in.Limit)
		return out, nil
	}))
	huma.Register(api, answer.Route(http.MethodGet, "/api/llm-calls/{id}/text", "getModelCallText", "What was said in a question to a model, where that is kept", tag), answer.Handler(log, func(_ context.Context, in *callPath) (*textBody, error) {
		text, err := l.Text(in.ID)
		return &textBody{text}, err
	}))
	told := answer.Route(http.MethodPost, ledger.Path, "reportModelCalls", "Tell what agents in another program asked models", tag)
	told.MaxBodyBytes = 2 * answer.SmallBody
	huma.Register(api, told, answer.Handler(log, m.take))
}

type report struct{ Body ledger.CallReport }

type receipt struct{ Body ledger.CallReceipt }

// take takes what agents elsewhere have asked. An agent with a secret of its own tells of its
// tasks; the owner, whose programs have agents in rooms, of those that are there.
func (m Machines) take(ctx context.Context, in *report) (*receipt, error) {
	agent, own := access.Agent(ctx)
	if own {
		for i := range in.Body.Calls {
			in.Body.Calls[i].Agent = agent
		}
		for i := range in.Body.Missed {
			in.Body.Missed[i].Agent = agent
		}
	}
	return &receipt{m.Ledger.Take(in.Body, func(name, purpose string) bool {
		if own {
			return strings.HasPrefix(purpose, "task:")
		}
		room, in := strings.CutPrefix(purpose, "room:")
		return in && access.CheckSeat(ctx, room, name) == nil && m.Elsewhere(room, name)
	})}, nil
}
