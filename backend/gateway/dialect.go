package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/errcode"
)

// connect makes a link: it opens a socket and finds out who speaks how. A framed
// gateway speaks first; who says nothing is asked in JSON-RPC. When the answer
// shows that the guess was wrong, it is made once more with the other dialect.
func (c *Client) connect(ctx context.Context) (link, error) {
	token, err := c.currentToken(ctx)
	if err != nil {
		return nil, err
	}
	for range 2 {
		l, err := c.tryDialect(ctx, token)
		if errors.Is(err, errFramedPeer) {
			c.hint = DialectFramed // slow to speak, but framed: wait longer for its challenge
			continue
		}
		if err == nil {
			c.hint = l.about().dialect
		}
		return l, err
	}
	return nil, fmt.Errorf("%w, but its challenge does not come in time", errFramedPeer)
}

func (c *Client) tryDialect(ctx context.Context, token string) (link, error) {
	sock, err := dial(ctx, c.url, token, c.timing, &c.latencyMs)
	if err != nil {
		return nil, err
	}
	ch, err := c.awaitChallenge(ctx, sock)
	if err != nil {
		sock.close()
		return nil, err
	}
	if ch != nil {
		return c.openFramed(ctx, sock, token, *ch)
	}
	return c.openJSONRPC(ctx, sock)
}

// challenge is how a framed gateway greets.
type challenge struct {
	Nonce string `json:"nonce"`
	TS    int64  `json:"ts"`
}

// awaitChallenge returns the challenge, or nil when the gateway is to be asked in JSON-RPC.
func (c *Client) awaitChallenge(ctx context.Context, sock *socket) (*challenge, error) {
	wait := c.timing.ChallengeWait
	if c.hint == DialectFramed {
		wait = c.timing.Handshake
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-timer.C:
			if c.hint != DialectFramed {
				return nil, nil
			}
			c.hint = DialectUnknown // another server may stand there by now
			return nil, fmt.Errorf("%s did not greet in time", c.url)
		case frame, ok := <-sock.frames:
			if !ok {
				return nil, sock.err
			}
			if ch := parseChallenge(frame); ch != nil {
				return ch, nil
			}
			if c.hint != DialectFramed && isJSONRPC(frame) {
				return nil, nil
			}
		}
	}
}

func parseChallenge(frame []byte) *challenge {
	if checkFrame(frame) != nil {
		return nil
	}
	var f struct {
		Type    string    `json:"type"`
		Event   string    `json:"event"`
		Payload challenge `json:"payload"`
	}
	if json.Unmarshal(frame, &f) != nil || f.Type != "event" || f.Event != "connect.challenge" {
		return nil
	}
	return &f.Payload
}

func isJSONRPC(frame []byte) bool {
	var f rpcFrame
	return checkFrame(frame) == nil && json.Unmarshal(frame, &f) == nil && f.JSONRPC != nil
}

// wrongGuess tells a framed gateway that refused our JSON-RPC from a lost link.
func wrongGuess(err error) error {
	var ce *websocket.CloseError
	if errors.As(err, &ce) && ce.Code == websocket.ClosePolicyViolation &&
		(strings.Contains(ce.Text, "invalid handshake") || strings.Contains(ce.Text, "invalid request frame")) {
		return fmt.Errorf("%w: %w", errFramedPeer, err)
	}
	return err
}

// currentToken asks the owner for the secret of exactly this address.
func (c *Client) currentToken(ctx context.Context) (string, error) {
	token, err := c.token(ctx)
	if err != nil {
		return "", badTokenSource(err)
	}
	token = strings.TrimSpace(token)
	if len(token) > 8<<10 || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errcode.New(errcode.Unauthorized, "the stored token is no token: it is too long, or has spaces, line breaks or letters outside ASCII; set it again in the gateway's settings").
			With(errcode.KeyReason, errcode.ReasonBadToken)
	}
	c.setStatusQuietly(func(s *Status) { s.Insecure = token != "" && insecureHost(c.url) })
	return token, nil
}

func badTokenSource(err error) error {
	return errcode.Wrap(errcode.Unauthorized, err, "the gateway's token cannot be read").With(errcode.KeyReason, errcode.ReasonBadToken)
}
