// Package webui serves the built page: compressed, kept for ever where a name says what is
// in it, and under a policy that lets it load nothing but itself.
package webui

import (
	"bytes"
	"crypto/rand"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

// contentSecurity lets the page load only its own files and talk only to its own hub.
// A style may stand in the page itself only with the nonce of this very load.
func contentSecurity(nonce string) string {
	return "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'nonce-" + nonce + "'; font-src 'self' data:; " +
		"worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

const notBuilt = `<!doctype html><meta charset="utf-8"><title>AgentFlow</title>
<p>The hub runs, but this program was built without its page. Build it with <code>make build</code>.</p>
<p lang="ja">ハブは動いていますが、画面を含まずにビルドされています。<code>make build</code> でビルドできます。</p>
`

// Screens are the places in the page that an address may name, as /tasks does not: that is the API's.
var Screens = []string{"canvas", "sessions", "rooms", "review", "merge", "drift", "teams", "plan", "inbox",
	"history", "settings"}

// Worker is the page's service worker, which shows push notifications. It gets no right to load or connect anything.
const Worker = "push-worker.js"

// Page serves the built page: its files, and itself at / and at its screens.
type Page struct {
	Files fs.FS
	// Missing answers where there is nothing to serve.
	Missing http.HandlerFunc
}

// ServeHTTP implements http.Handler.
func (p Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		p.Missing(w, r)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if f, err := fs.Stat(p.Files, name); name != "" && name != "index.html" && err == nil && !f.IsDir() {
		p.serveFile(w, r, name)
		return
	}
	if name != "" && name != "index.html" && !slices.Contains(Screens, name) {
		p.Missing(w, r)
		return
	}
	nonce := rand.Text()
	w.Header().Set("Content-Security-Policy", contentSecurity(nonce))
	w.Header().Set("Cache-Control", "no-store") // the nonce is for one load
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	index, err := fs.ReadFile(p.Files, "index.html")
	if err != nil {
		_, _ = w.Write([]byte(notBuilt))
		return
	}
	_, _ = w.Write(bytes.ReplaceAll(index, []byte("{{nonce}}"), []byte(nonce)))
}

// encodings are the forms in which the build lays a file beside itself, the smallest first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// serveFile serves a file of the page in the smallest form that the reader takes.
func (p Page) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	h := w.Header()
	if name == Worker {
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Cache-Control", "no-cache") // browsers ask for a newer one at times
		http.ServeFileFS(w, r, p.Files, name)
		return
	}
	h.Set("Content-Security-Policy", "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'")
	if strings.HasPrefix(name, "assets/") { // named by their content
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	for _, e := range encodings {
		if _, err := fs.Stat(p.Files, name+e.suffix); err != nil {
			continue
		}
		h.Set("Vary", "Accept-Encoding")
		if !takes(r.Header.Values("Accept-Encoding"), e.name) {
			continue
		}
		h.Set("Content-Encoding", e.name)
		if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
			h.Set("Content-Type", kind)
		}
		name += e.suffix
		break
	}
	http.ServeFileFS(w, r, p.Files, name)
}

// takes says whether a reader accepts an encoding: it is listed, and not with a weight of zero.
func takes(accept []string, encoding string) bool {
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			_, q, given := strings.Cut(weight, "=")
			zero := strings.Trim(strings.TrimSpace(q), "0.") == ""
			return !given || !zero
		}
	}
	return false
}
