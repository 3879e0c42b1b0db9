// Package a2aserver exposes the team as an A2A agent. Other agents send messages, follow the resulting tasks, answer
// questions and cancel. It has no state: tasks belong to the coordinator, questions to the inbox. Access is checked
// before it.
package a2aserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/server/httperr"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/inbox"
)

// Path serves JSON-RPC of A2A 1.0 and 0.3; CardPath serves the agent card.
const (
	Path     = "/a2a"
	CardPath = a2asrv.WellKnownAgentCardPath
)

const (
	maxBody      = 1 << 20
	aliveEvery   = 15 * time.Second
	writeTimeout = 10 * time.Second
)

// Handler serves the team over A2A.
type Handler struct {
	Coordinator *coordinator.Machine
	Inbox       *inbox.Machine
	Version     string // of the program
	Logger      *slog.Logger
	Pace        *auth.Pace // rate limit of callers' tasks; nil: none

	// Reader counts a caller that follows a task, until leave is called; nil: no limit.
	Reader func(ctx context.Context) (leave func(), bad *errcode.Error)
}

// Register adds the routes to mux.
func (d *Handler) Register(mux *httperr.Mux) {
	now := a2asrv.NewJSONRPCHandler(d, a2asrv.WithTransportKeepAlive(aliveEvery))
	old := a2av0.NewJSONRPCHandler(d, a2asrv.WithTransportKeepAlive(aliveEvery))
	mux.HandleFunc("GET "+CardPath, d.serveCard)
	mux.Handle("POST "+Path, httperr.Timely(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			refuse(w, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		out := &writer{ResponseWriter: w, control: http.NewResponseController(w)}
		if ofOld(body) {
			old.ServeHTTP(out, r)
			return
		}
		now.ServeHTTP(out, r)
	})))
}

// ofOld reports whether a request is in A2A 0.3, whose method names contain a slash.
func ofOld(body []byte) bool {
	var head struct {
		Method string `json:"method"`
	}
	return json.Unmarshal(body, &head) == nil && strings.Contains(head.Method, "/") // both handlers reject invalid JSON
}

// refuse answers a body that can't be read.
func refuse(w http.ResponseWriter, err error) {
	status, text := http.StatusBadRequest, "the request cannot be read"
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		status, text = http.StatusRequestEntityTooLarge, "a message must be at most 1 MiB"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).
		Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32600, "message": text}})
	// the client may have disconnected
}

// writer sets a deadline for each write, which ends a stream that its client no longer reads.
type writer struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (w *writer) Write(data []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // without deadlines, the stream ends when the client disconnects
	return w.ResponseWriter.Write(data)
}

// Flush implements http.Flusher.
func (w *writer) Flush() { _ = w.control.Flush() } // the next Write reports a failure

// failure converts an error to an A2A error.
func (d *Handler) failure(err error) error {
	e := errcode.From(err)
	kind := a2a.ErrServerError
	switch e.Code {
	case errcode.Validation:
		kind = a2a.ErrInvalidParams
	case errcode.NotFound:
		kind = a2a.ErrTaskNotFound
	case errcode.Conflict:
		kind = a2a.ErrUnsupportedOperation
	case errcode.Unauthorized, errcode.Forbidden:
		kind = a2a.ErrUnauthorized
	case errcode.Internal:
		d.Logger.Error("an A2A request failed", slog.Any("error", err))
		kind = a2a.ErrInternalError
	}
	return a2a.NewError(kind, e.Message)
}
