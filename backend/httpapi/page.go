package httpapi

import (
	"html"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"agentflow/backend/errcode"
	"agentflow/backend/httpapi/answer"
)

// contentSecurity lets the page load only its own files and talk only to its own hub.
const contentSecurity = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
	"worker-src 'self' blob:; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

const notBuilt = `<!doctype html><meta charset="utf-8"><title>AgentFlow</title>
<p>The hub runs, but this program was built without its page. Build it with <code>make build</code>.</p>
<p lang="ja">ハブは動いていますが、画面を含まずにビルドされています。<code>make build</code> でビルドできます。</p>
`

// servePage serves the built page's files; every other path is the page itself.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		answer.Write(w, notThere(r))
		return
	}
	w.Header().Set("Content-Security-Policy", contentSecurity)
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if f, err := fs.Stat(s.Page, name); name != "" && err == nil && !f.IsDir() {
		if strings.HasPrefix(name, "assets/") {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		http.ServeFileFS(w, r, s.Page, name)
		return
	}
	if strings.Contains(name, ".") {
		answer.Write(w, notThere(r))
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	index, err := fs.ReadFile(s.Page, "index.html")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err != nil {
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write([]byte(notBuilt))
		return
	}
	_, _ = w.Write(index)
}

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
