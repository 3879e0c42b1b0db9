package sessionsapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
)

const (
	pingEvery    = 20 * time.Second
	writeTimeout = 10 * time.Second
)

// upgrader trusts the guard, which has checked origin and host already.
var upgrader = websocket.Upgrader{
	CheckOrigin:  func(*http.Request) bool { return true },
	Subprotocols: []string{auth.WebSocketProtocol},
}

// ChatFrame is one frame of /api/gateway/stream.
type ChatFrame struct {
	State      string         `json:"state" enum:"delta,final,aborted,error,status,resync" doc:"State of the run. final, aborted and error end it. After resync, read histories again."`
	SessionKey string         `json:"sessionKey,omitempty"`
	AgentID    string         `json:"agentId,omitempty"`
	RunID      string         `json:"runId,omitempty"`
	Text       string         `json:"text,omitempty" doc:"Reply so far. If it's empty at the end, keep what came before."`
	Phase      string         `json:"phase,omitempty" doc:"Phase, for the state status."`
	Error      string         `json:"error,omitempty" doc:"Why the run failed."`
	Cause      *errcode.Cause `json:"cause,omitempty" doc:"Why the run failed, of the built-in gateway."`
}

// ServeHTTP answers /api/gateway/stream?gateway=NAME: the gateway's chat events as they
// come. A reader that lags gets a resync. The caller has checked who asks.
func (r *Routes) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	sessions, err := r.Sessions(req.URL.Query().Get("gateway"))
	if err != nil {
		httperr.Write(w, errcode.From(err))
		return
	}
	if !websocket.IsWebSocketUpgrade(req) {
		httperr.Write(w, errcode.New(errcode.Validation, "/api/gateway/stream is a WebSocket"))
		return
	}
	// Subscribe before the page learns that it is connected: nothing gets lost in between.
	feed := sessions.Chats()
	defer feed.Close()
	conn, err := upgrader.Upgrade(w, req, nil)
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(req.Context())
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer cancel()
		auth.Listen(conn, 1024, 3*pingEvery, nil)
	}()
	for err == nil {
		e, silent, ended := next(ctx, feed)
		if err = ended; err != nil {
			break
		}
		if silent {
			err = conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout))
			continue
		}
		_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout)) // if it fails, so does the write
		err = conn.WriteJSON(ChatFrame{
			State:      e.State,
			SessionKey: e.SessionKey,
			AgentID:    e.AgentID,
			RunID:      e.RunID,
			Text:       e.Text,
			Phase:      e.Phase,
			Error:      e.Error,
			Cause:      e.Cause,
		})
	}
	r.Logger.DebugContext(ctx, "chat stream ended", slog.Any("error", err))
	cancel()
	auth.Leave(conn, websocket.CloseGoingAway, read)
}

// next waits for an event, or for as long as a peer may be left without a sign of life.
func next(ctx context.Context, feed client.ChatReader) (e client.ChatEvent, silent bool, err error) {
	wait, cancel := context.WithTimeout(ctx, pingEvery)
	defer cancel()
	e, err = feed.Next(wait)
	if err != nil && ctx.Err() == nil && wait.Err() != nil {
		return e, true, nil
	}
	return e, false, err
}
