package gatewaycmd

import (
	"context"
	"strings"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/trustcmd"
)

// builtIn is where a hub serves its built-in gateway.
const builtIn = "/gateway"

// applyTrusting shows what the file asks of the gateway's computer, applies it, and allows that.
func (p program) applyTrusting(ctx context.Context, f *gatewayFlags, q *pending, agreed consent) error {
	address, is := strings.CutSuffix(q.url, builtIn)
	if !is {
		p.Screen.Note("%s isn't AgentFlow's built-in gateway, so there is nothing to allow", q.url)
		return p.apply(ctx, q, agreed)
	}
	token, err := f.token()
	if err != nil {
		return err
	}
	// The gateway was already connected with this token. Without TLS, that needs insecure: true in the settings.
	hub, err := hubclient.NewInsecure("http"+strings.TrimPrefix(address, "ws"), token)
	if err != nil {
		return err
	}
	defer hub.Close()
	if q.pin != "" {
		if err := hub.Pin(q.pin); err != nil {
			return err
		}
	}
	asked, err := trustcmd.OfFile(ctx, hub, shell.Name(q.src.Path), q.src.Data)
	if err != nil {
		return err
	}
	asked = asked.Open(nil)
	asked.Tell(p.Shell)
	if err := p.apply(ctx, q, agreed); err != nil {
		return err
	}
	return asked.Allow(ctx, p.Shell, hub)
}
