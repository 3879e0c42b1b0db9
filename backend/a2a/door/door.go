// Package door is the team as an A2A agent: other agents send it messages, follow the tasks
// that come of them, answer its questions and cancel. It holds nothing: tasks are the
// coordinator's, questions the inbox's. Who may come in is decided before it.
package door

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

	"agentflow/backend/coordinator"
	"agentflow/backend/errcode"
	"agentflow/backend/httpapi/access"
	"agentflow/backend/httpapi/answer"
	"agentflow/backend/inbox"
)

// Path is where JSON-RPC of A2A 1.0 and 0.3 is spoken, CardPath where the card is.
const (
	Path     = "/a2a"
	CardPath = a2asrv.WellKnownAgentCardPath
)

const (
	maxBody      = 1 << 20
	aliveEvery   = 15 * time.Second
	writeTimeout = 10 * time.Second
)

// Door serves the team.
type Door struct {
	Coordinator *coordinator.Machine
	Inbox       *inbox.Machine
	Version     string // of the program
	Logger      *slog.Logger
	Pace        *access.Pace // how fast callers submit tasks; nil: as they like

	// Reader counts in whoever follows a task, until leave; nil: everybody can.
	Reader func(ctx context.Context) (leave func(), bad *errcode.Error)
}

// Register adds the routes.
func (d *Door) Register(mux *answer.Mux) {
	now := a2asrv.NewJSONRPCHandler(d, a2asrv.WithTransportKeepAlive(aliveEvery))
	old := a2av0.NewJSONRPCHandler(d, a2asrv.WithTransportKeepAlive(aliveEvery))
	mux.HandleFunc("GET "+CardPath, d.serveCard)
	mux.Handle("POST "+Path, answer.Timely(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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

// ofOld reports whether a request is one of A2A 0.3, whose methods have a slash in their names.
func ofOld(body []byte) bool {
	var head struct {
		Method string `json:"method"`
	}
	return json.Unmarshal(body, &head) == nil && strings.Contains(head.Method, "/") // what is no JSON, either handler refuses
}

// refuse answers a body that cannot be read.
func refuse(w http.ResponseWriter, err error) {
	status, text := http.StatusBadRequest, "the request cannot be read"
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		status, text = http.StatusRequestEntityTooLarge, "a message must be at most 1 MiB"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32600, "message": text}}) // who sent it may be gone
}

// writer ends a stream whose reader does not read any more.
type writer struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (w *writer) Write(data []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // where there is none, the client's leaving ends the stream
	return w.ResponseWriter.Write(data)
}

// Flush implements http.Flusher.
func (w *writer) Flush() { _ = w.control.Flush() } // the next Write says so if it failed

// failure is an error as an A2A agent says it.
func (d *Door) failure(err error) error {
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
