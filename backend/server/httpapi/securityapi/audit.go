package securityapi

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/audit"
	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httperr"
)

// AuditFilter chooses entries of the audit log.
type AuditFilter struct {
	Who      string `query:"who" maxLength:"300" doc:"Exact name of the requester: owner, page, caller:NAME or agent:NAME. Default: all."`
	Text     string `query:"text" maxLength:"300" doc:"Text in the requester, address, route, code or reason, at most 300 characters. Default: all."`
	Decision string `query:"decision" enum:",done,refused" doc:"Only accepted (done) or refused requests. Default: both."`
}

type auditQuery struct {
	AuditFilter
	Before int64 `query:"before" minimum:"0" doc:"Only entries older than the one with this number. Default: from the newest."`
	Limit  int   `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"Maximum number of entries, 1 to 500. Default: 100."`
}

func (q *AuditFilter) query() audit.Query {
	out := audit.Query{Who: q.Who, Text: q.Text}
	if q.Decision != "" {
		refused := q.Decision == "refused"
		out.Refused = &refused
	}
	return out
}

type auditBody struct {
	Body struct {
		Entries []audit.Entry `json:"entries" doc:"Entries, the newest first."`
		More    bool          `json:"more" doc:"There are older entries."`
	}
}

type keepPrompts struct {
	Body struct {
		AuditsPrompts bool `json:"auditsPrompts" doc:"Write prompts to agents to the audit log."`
	}
}

func (s *Routes) registerAudit(api huma.API) {
	huma.Register(api, route(http.MethodGet, at+"/audit", "listAudit", "List audit entries\n"+
		"The newest entry comes first."), httperr.Handler(s.Logger, s.list))
	lines := route(http.MethodGet, at+"/audit.jsonl", "exportAudit", "Export the audit log\n"+
		"Returns JSON Lines. The oldest entry comes first.")
	lines.Responses["200"] = &huma.Response{Description: "One entry per line", Content: map[string]*huma.MediaType{
		"application/x-ndjson": {
			Schema:  &huma.Schema{Type: huma.TypeString},
			Example: `{"seq":120,"at":"2026-03-02T09:30:00Z","who":"owner","method":"POST","path":"/submit_task","status":200}` + "\n",
		},
	}}
	huma.Register(api, lines, httperr.Handler(s.Logger, s.export))
	huma.Register(api, route(http.MethodPut, at+"/audit", "setAudit", "Update audit recording\n"+
		"Sets whether prompts to agents are written to the audit log from now on."), httperr.Handler(s.Logger, func(ctx context.Context, in *keepPrompts) (*standBody, error) {
		if err := s.Settings.SetSecurity(func(of *config.Security) { of.AuditsPrompts = in.Body.AuditsPrompts }); err != nil {
			return nil, err
		}
		return s.stand(ctx), nil
	}))
}

func (s *Routes) list(ctx context.Context, in *auditQuery) (*auditBody, error) {
	q := in.query()
	q.Before = in.Before
	out := new(auditBody)
	var err error
	if out.Body.Entries, out.Body.More, err = s.Audit.Newest(ctx, q, in.Limit); err != nil {
		return nil, errcode.Wrap(errcode.Unavailable, err, "the audit log cannot be read")
	}
	return out, nil
}

func (s *Routes) export(_ context.Context, in *AuditFilter) (*huma.StreamResponse, error) {
	q := in.query()
	return &huma.StreamResponse{Body: func(out huma.Context) {
		out.SetHeader("Content-Type", "application/x-ndjson; charset=utf-8")
		out.SetHeader("Content-Disposition", `attachment; filename="agentflow-audit.jsonl"`)
		if err := s.Audit.Write(out.Context(), out.BodyWriter(), q); err != nil {
			s.Logger.WarnContext(out.Context(), "the audit log was not exported whole", slog.Any("error", err))
			panic(http.ErrAbortHandler) // so that nobody takes a part for the whole
		}
	}}, nil
}

// SchemaNamer names the types of the description that are the audit log's, and the budgets of
// the settings, or returns "".
func SchemaNamer(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[audit.Entry]():
		return "AuditEntry"
	case reflect.TypeFor[config.Budget](), reflect.TypeFor[config.Budgets]():
		return "Default" + huma.DefaultSchemaNamer(t, hint)
	case reflect.TypeFor[Stand]():
		return "Security"
	}
	return ""
}
