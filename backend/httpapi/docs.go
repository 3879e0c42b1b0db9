package httpapi

import (
	"html"
	"net/http"
	"strings"

	"agentflow/backend/errcode"
	"agentflow/backend/httpapi/answer"
)

// serveDocs lists the routes from the API's own description, without foreign scripts.
func (s *Server) serveDocs(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset="utf-8"><title>AgentFlow API</title><style>body{font:14px system-ui;margin:2rem;max-width:60rem}code{font-family:monospace}td{padding:.2rem .8rem .2rem 0;vertical-align:top}</style><h1>AgentFlow API</h1><p>The full description: <a href="/openapi.json">openapi.json</a>.</p><table>`)
	for _, route := range routeList(s.api.OpenAPI()) {
		b.WriteString("<tr><td><code>" + html.EscapeString(route.method) + "</code><td><code>" + html.EscapeString(route.path) + "</code><td>" + html.EscapeString(route.summary))
	}
	b.WriteString("</table>")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_, _ = w.Write([]byte(b.String()))
}

func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	if s.Ready != nil {
		if err := s.Ready(r.Context()); err != nil {
			answer.Write(w, errcode.Wrap(errcode.Unavailable, err, "the hub is not ready"))
			return
		}
	}
	writeText(w, http.StatusOK, "ready\n")
}
