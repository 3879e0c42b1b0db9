package httpapi

import (
	"cmp"
	"html"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httpapi/internal/example"
	"agentflow/backend/server/httperr"
)

const docsHead = `<!doctype html><html lang="en"><meta charset="utf-8"><title>AgentFlow API</title><style>
body{font:14px system-ui;margin:2rem;max-width:70rem}code{font-family:monospace}
td{padding:.2rem .8rem .6rem 0;vertical-align:top}p.about{white-space:pre-line}
</style><h1>AgentFlow API</h1><p>The full description: <a href="/openapi.json">openapi.json</a>.</p>`

// serveDocs lists the operations from the API's own description, without foreign scripts.
func (s *Server) serveDocs(w http.ResponseWriter, _ *http.Request) {
	api := s.api.OpenAPI()
	var b strings.Builder
	b.WriteString(docsHead + `<p class="about">` + html.EscapeString(plain(api.Info.Description)) + "</p>")
	for _, tag := range api.Tags {
		b.WriteString(
			"<h2>" + html.EscapeString(tag.Name) + "</h2><p>" + html.EscapeString(tag.Description) + "</p><table>",
		)
		for _, route := range routesOf(api, tag.Name) {
			b.WriteString("<tr><td><code>" + html.EscapeString(route.method) + "</code><td><code>" +
				html.EscapeString(route.path) + "</code><td>" + html.EscapeString(route.summary) +
				"<br><small>" + html.EscapeString(plain(route.description)) + "</small>")
		}
		b.WriteString("</table>")
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_, _ = w.Write([]byte(b.String()))
}

// plain is a description without the marks of Markdown.
func plain(text string) string { return strings.NewReplacer("`", "", "**", "").Replace(text) }

type routeLine struct{ method, path, summary, description string }

// routesOf lists the operations with a tag, by path.
func routesOf(api *huma.OpenAPI, tag string) []routeLine {
	var out []routeLine
	for path, item := range api.Paths {
		for method, o := range example.Operations(item) {
			if slices.Contains(o.Tags, tag) {
				out = append(out, routeLine{method, path, o.Summary, o.Description})
			}
		}
	}
	slices.SortFunc(out, func(a, b routeLine) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method))
	})
	return out
}

func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	if s.Ready != nil {
		if err := s.Ready(r.Context()); err != nil {
			httperr.Write(w, errcode.Wrap(errcode.Unavailable, err, "the hub is not ready"))
			return
		}
	}
	writeText(w, http.StatusOK, "ready\n")
}
