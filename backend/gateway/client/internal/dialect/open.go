package dialect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
)

// Open makes a link: it opens a socket and finds out who speaks how. A framed
// gateway speaks first; who says nothing is asked in JSON-RPC. When the answer
// shows that the guess was wrong, it is made once more with the other dialect.
//
// The token goes to the Opener's URL only. Where a framed gateway refuses it, the
// device token that this very gateway gave earlier is tried once.
func (o *Opener) Open(ctx context.Context, token string) (Link, error) {
	l, err := o.find(ctx, token, token)
	if o.hint != Framed || !isBadToken(err) {
		return l, err
	}
	stored, serr := o.Device.DeviceToken(o.URL)
	if serr != nil || stored == "" || stored == token {
		return l, err
	}
	l, again := o.find(ctx, token, stored)
	switch {
	case again == nil:
		return l, nil
	case isBadToken(again):
		_ = o.Device.SetDeviceToken(o.URL, "") // it is dead; a login with the right token brings a new one
		return nil, err
	}
	return nil, again
}

func isBadToken(err error) bool { return errcode.HasReason(err, errcode.ReasonBadToken) }

// find opens a link in the dialect the other side speaks. bearer goes into the
// upgrade, login into the framed login.
func (o *Opener) find(ctx context.Context, bearer, login string) (Link, error) {
	for range 2 {
		l, err := o.try(ctx, bearer, login)
		if errors.Is(err, errFramedPeer) {
			o.hint = Framed // slow to speak, but framed: wait longer for its challenge
			continue
		}
		if err != nil {
			return nil, err
		}
		o.hint = l.About().Dialect
		return l, nil
	}
	return nil, fmt.Errorf("%w, but it cannot be logged in to", errFramedPeer)
}

func (o *Opener) try(ctx context.Context, bearer, login string) (Link, error) {
	sock, err := o.dial(ctx, bearer)
	if err != nil {
		return nil, err
	}
	var l Link
	ch, err := o.awaitChallenge(ctx, sock)
	switch {
	case err != nil:
	case ch != nil:
		o.hint = Framed
		l, err = o.openFramed(ctx, sock, login, *ch)
	default:
		l, err = o.openJSONRPC(ctx, sock)
	}
	if err != nil {
		sock.close()
		return nil, err
	}
	return l, nil
}

// challenge is how a framed gateway greets.
type challenge struct {
	Nonce string `json:"nonce"`
	TS    int64  `json:"ts"`
}

// awaitChallenge returns the challenge, or nil when the gateway is to be asked in JSON-RPC.
func (o *Opener) awaitChallenge(ctx context.Context, sock *socket) (*challenge, error) {
	wait := o.Timing.ChallengeWait
	switch o.hint {
	case Framed:
		wait = o.Timing.Handshake
	case JSONRPC:
		wait /= 4 // a wrong guess is put right
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-timer.C:
			if o.hint != Framed {
				return nil, nil
			}
			o.hint = Unknown // another server may stand there by now
			return nil, fmt.Errorf("%s did not greet in time", o.URL)
		case frame, ok := <-sock.frames:
			if !ok {
				return nil, sock.err
			}
			if ch := parseChallenge(frame); ch != nil {
				return ch, nil
			}
			if isJSONRPC(frame) {
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
