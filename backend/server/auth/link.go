package auth

import (
	"crypto/rand"
	_ "embed"
	"html/template"
	"net"
	"net/http"
	"strconv"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
)

//go:embed link.html
var linkHTML string

var linkPage = template.Must(template.New("link").Parse(linkHTML))

// linkView is what the page of a one-time link shows: it signs in, or says why it does not.
type linkView struct {
	Nonce, PageKey, Language string
	Failed                   bool
	Title, Why, How, SignIn  string
	Command, Folder          string
	Copy, Copied             string
}

// ServeLink trades a one-time code for a login. The page key goes to the page itself and into no
// address. Only the address bar or a link opens it, never a picture or a script of some page.
func (c *Control) ServeLink(w http.ResponseWriter, r *http.Request) {
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" && dest != "document" {
		c.Fail(w, errcode.New(errcode.Forbidden, "a one-time link is opened in the address bar"))
		return
	}
	view := linkView{Nonce: rand.Text(), Language: languageOf(r)}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set(
		"Content-Security-Policy",
		"default-src 'none'; script-src 'nonce-"+view.Nonce+"'; style-src 'nonce-"+view.Nonce+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	)
	status := http.StatusOK
	if c.takeCode(r.PathValue("code")) {
		cookie, pageKey, err := c.SignIn(r.Context())
		if err != nil {
			c.Fail(w, errcode.From(err))
			return
		}
		http.SetCookie(w, cookie)
		view.PageKey = pageKey
	} else {
		view.Failed, status, view.Command = true, http.StatusForbidden, loginCommand(r)
	}
	view.words()
	w.WriteHeader(status)
	_ = linkPage.Execute(w, view)
}

// loginCommand is the command that prints another link, run on the hub's own computer. Where
// the page was opened there, its address names the hub.
func loginCommand(r *http.Request) string {
	host, port, err := net.SplitHostPort(r.Host)
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || !netlisten.Local(host) || port == "18800" {
		return "agentflow login"
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return "agentflow login --url " + scheme + "://" + net.JoinHostPort(host, port)
}

// languageOf is the language that a browser asks for first, of those that the page has.
func languageOf(r *http.Request) string {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(r.Header.Get("Accept-Language"))), "ja") {
		return "ja"
	}
	return "en"
}

func (v *linkView) words() {
	switch {
	case v.Failed && v.Language == "ja":
		v.Title, v.Why = "このリンクは使用できません", "リンクは1回だけ使えます。使用済みか、期限が切れています。"
		v.How, v.SignIn = "AgentFlowが動いているコンピューターで次のコマンドを実行し、表示されたリンクを開いてください。", "トークンでサインイン"
		v.Folder, v.Copy, v.Copied = "AgentFlowが別のデータフォルダーを使っている場合は、--dataでそのフォルダーを指定してください。", "コピー", "コピーしました"
	case v.Failed:
		v.Title, v.Why = "This link doesn't work anymore", "A link works once. This one was used or has expired."
		v.How, v.SignIn = "Run this command on the computer where AgentFlow runs, and open the link that it prints.", "Sign in with a token"
		v.Folder, v.Copy, v.Copied = "If AgentFlow doesn't use the default data folder, name its folder with --data.", "Copy", "Copied"
	case v.Language == "ja":
		v.Title, v.Why = "サインインしています…", "この画面が変わらない場合は、JavaScriptとサイトデータの保存を許可してください。"
	default:
		v.Title, v.Why = "Signing in…", "If this page stays, allow JavaScript and site data for it."
	}
}
