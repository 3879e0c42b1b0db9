package providersapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/sysinfo"
	"agentflow/backend/model/usage"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
)

// Diagnostics is how the hub stands: what it uses of the computer, and what agents have
// asked models since it was started.
type Diagnostics struct {
	Program    sysinfo.ProgramUse `json:"program"`
	KeepsTexts bool               `json:"keepsTexts" doc:"Texts of model calls are recorded."`
	Agents     []usage.AgentUse   `json:"agents" doc:"Model calls by agent, the busiest agent first."`
}

type diagnosticsBody struct{ Body Diagnostics }

type keepTexts struct {
	Body struct {
		KeepsTexts bool `json:"keepsTexts" doc:"Record the texts of model calls from now on."`
	}
}

type listCalls struct {
	Agent  string `query:"agent" maxLength:"300" doc:"Only calls of this agent. Default: all agents."`
	Before int64  `query:"before" minimum:"0" doc:"Only calls before this ID. Default: from the newest."`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"Maximum number of calls, 1 to 500. Default: 100."`
}

type callsBody struct {
	Body struct {
		Calls []usage.ModelCall `json:"calls" doc:"Model calls, the newest first."`
	}
}

type callPath struct {
	ID int64 `path:"id" doc:"ID of the model call."`
}

type textBody struct{ Body usage.CallText }

// registerCalls adds the routes of what models were asked.
func registerCalls(api huma.API, log *slog.Logger, m Machines) {
	l := m.Ledger
	const tag = "diagnostics"
	stand := func() *diagnosticsBody {
		return &diagnosticsBody{Diagnostics{Program: sysinfo.Now(), KeepsTexts: l.KeepsTexts(), Agents: l.Sums()}}
	}
	huma.Register(api, httperr.Route(http.MethodGet, "/api/diagnostics", "getDiagnostics", "Get resource usage\n"+
		"Lists the memory and CPU time of the hub, and the model calls of each agent since the hub started.", tag), httperr.Handler(log, func(context.Context, *struct{}) (*diagnosticsBody, error) {
		return stand(), nil
	}))
	huma.Register(api, httperr.Route(http.MethodPut, "/api/diagnostics", "setDiagnostics", "Update model call recording\n"+
		"Turns on or off whether the texts of model calls are stored. Turning it off deletes what was stored.", tag), httperr.Handler(log, func(_ context.Context, in *keepTexts) (*diagnosticsBody, error) {
		l.KeepTexts(in.Body.KeepsTexts)
		return stand(), nil
	}))
	huma.Register(api, httperr.Route(http.MethodGet, "/api/llm-calls", "listModelCalls", "List model calls\n"+
		"The newest call comes first. Calls since the hub started are kept up to a limit.", tag), httperr.Handler(log, func(_ context.Context, in *listCalls) (*callsBody, error) {
		out := new(callsBody)
		out.Body.Calls = l.Calls(in.Agent, in.Before, in.Limit)
		return out, nil
	}))
	huma.Register(
		api,
		httperr.Route(http.MethodGet, "/api/llm-calls/{id}/text", "getModelCallText", "Get the text of a model call\n"+
			"NOT_FOUND if texts aren't recorded or the call is too old.", tag),
		httperr.Handler(log, func(_ context.Context, in *callPath) (*textBody, error) {
			text, err := l.Text(in.ID)
			return &textBody{text}, err
		}),
	)
	told := httperr.Route(http.MethodPost, usage.Path, "reportModelCalls", "Report model calls\n"+
		"For agents in another process. A report with a number that was sent before counts once.", tag)
	told.MaxBodyBytes = 2 * httperr.SmallBody
	huma.Register(api, told, httperr.Handler(log, m.take))
}

type report struct{ Body usage.CallReport }

type receipt struct{ Body usage.CallReceipt }

// take receives the model calls of agents elsewhere. An agent with its own secret reports its
// tasks; the owner, whose programs have agents in rooms, reports those agents.
func (m Machines) take(ctx context.Context, in *report) (*receipt, error) {
	agent, own := auth.Agent(ctx)
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
		return in && auth.CheckSeat(ctx, room, name) == nil && m.Elsewhere(room, name)
	})}, nil
}
