package engine

import (
	"cmp"
	"net"
	"net/netip"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"agentflow/backend/base/config"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httpapi/securityapi"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/webpush"
)

// networks are who may connect and which proxies are believed: as the hub was started, else as
// the settings say.
func (e *Engine) networks() (allow, proxies []netip.Prefix) {
	of := e.settings.Security()
	if len(e.opts.Allow) > 0 {
		return e.opts.Allow, of.Proxies
	}
	return of.Allow, of.Proxies
}

// known returns the callers and the owner's logins, which the hub knows besides its agents. It loads which of the
// logins get push notifications.
func (e *Engine) known(secrets *config.Secrets, team *roster.Roster) (*auth.Callers, *auth.Logins, error) {
	callers, err := auth.OpenCallers(filepath.Join(e.opts.DataDir, "callers.json"))
	if err != nil {
		return nil, nil, err
	}
	logins, err := auth.OpenLogins(filepath.Join(e.opts.DataDir, config.LoginsFile))
	if err != nil {
		return nil, nil, err
	}
	e.push, err = webpush.New(webpush.Options{
		Path: filepath.Join(e.opts.DataDir, webpush.FileName), Inbox: e.inbox, Logins: logins, Secrets: secrets,
		Name: e.asker(team), Transport: e.opts.PushTransport, Logger: e.opts.Logger,
	})
	return callers, logins, err
}

// endOfPlan is what sets a plan that asks apart from others of the same name.
var endOfPlan = regexp.MustCompile(`(?i) · [0-9a-z]{6}$`)

// asker names who asks, as the page does.
func (e *Engine) asker(team *roster.Roster) func(*inbox.Entry) string {
	return func(q *inbox.Entry) string {
		if q.Gateway == nil {
			a, _ := team.Applied().Agent(topology.AgentID(q.Agent))
			return cmp.Or(a.Name, endOfPlan.ReplaceAllString(q.Agent, ""))
		}
		for _, a := range e.fleet.Agents() {
			if a.Gateway == q.Gateway.Name && a.ID == q.Agent {
				return cmp.Or(a.Name, a.ID)
			}
		}
		return cmp.Or(q.Agent, q.Gateway.Name)
	}
}

// newToken makes and keeps another token of the owner's.
func (e *Engine) newToken() (string, error) {
	token, err := config.RotateOwnerToken(e.opts.DataDir)
	if err == nil {
		e.token.Store(&token)
	}
	return token, err
}

// door is how the hub listens, for who looks at the settings.
func (e *Engine) door() securityapi.Listener {
	host, port, _ := net.SplitHostPort(e.listener.Addr().String()) // a listener's own address has both
	d := securityapi.Listener{
		Address: e.URL(), Beyond: !netlisten.Local(host), Readable: e.listener.Readable, TLS: "none",
		Fingerprint: e.listener.Fingerprint(), AllowFixed: len(e.opts.Allow) > 0,
		ForOthers: "agentflow serve --data " + shellWord(e.opts.DataDir) + " --listen 0.0.0.0:" + port + " --tls-self-signed",
	}
	switch {
	case e.opts.TLSSelfSigned:
		d.TLS = "made"
	case e.listener.TLS != nil:
		d.TLS = "own"
	}
	return d
}

// shellWord quotes a path for the shell that a person pastes it into.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-", r)
	}
	switch {
	case strings.TrimFunc(path, plain) == "":
		return path
	case runtime.GOOS == "windows":
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
