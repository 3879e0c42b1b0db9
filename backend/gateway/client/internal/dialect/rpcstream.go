package dialect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxBadFrames is how many frames of a link may be nonsense before it is given up.
const maxBadFrames = 32

var (
	errFramedPeer = errors.New("the gateway speaks the framed protocol, not JSON-RPC")
	errNonsense   = errors.New("the gateway keeps sending frames that cannot be understood")
)

// codeExpired is how a call that nobody waits for any more is taken out of the
// library's table.
const codeExpired = "EXPIRED"

// rpcStream carries JSON-RPC objects over a socket. It hands the library nothing
// but well-formed answers to calls that are waiting: string error codes, missing
// ids and bare results are put into the form it understands, notifications are
// published, and everything else is dropped and counted.
type rpcStream struct {
	sock    *socket
	log     *slog.Logger
	publish func(Event)
	expired chan struct{} // cap 1: there are ids in lapsed

	writeCtx context.Context // of the call being written; guarded by rpcLink.sending
	wrote    bool            // something of that call may have left; guarded by rpcLink.sending

	mu      sync.Mutex
	waiting map[uint64]string // id -> method
	lapsed  []uint64          // calls that nobody waits for any more
	ids     idHabit
	bad     int
	err     error
}

// idHabit is whether a peer's answers carry ids. The first answer shows it.
type idHabit int

const (
	idsUnknown idHabit = iota
	idsGiven
	idsMissing // one call at a time
)

// rpcFrame is every shape of frame this dialect can meet.
type rpcFrame struct {
	JSONRPC json.RawMessage `json:"jsonrpc"`
	Type    string          `json:"type"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// ReadObject gives the library its next message. It runs in the library's one reading goroutine.
func (s *rpcStream) ReadObject(v any) error {
	for {
		var out []byte
		select {
		case <-s.expired:
			if id, ok := s.nextLapsed(); ok {
				out = s.answerError(id, &Error{Code: codeExpired})
			}
		case frame, ok := <-s.sock.frames:
			if !ok {
				return s.fail(s.sock.err)
			}
			var err error
			if out, err = s.normalize(frame); err != nil {
				return s.fail(err)
			}
		}
		if out != nil {
			return json.Unmarshal(out, v)
		}
	}
}

// lapse has the library forget a call. It does not wait for it.
func (s *rpcStream) lapse(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lapsed = append(s.lapsed, id)
	s.wake()
}

// wake tells ReadObject of lapsed calls; the caller holds mu.
func (s *rpcStream) wake() {
	select {
	case s.expired <- struct{}{}:
	default: // a signal is already pending
	}
}

func (s *rpcStream) nextLapsed() (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.lapsed) == 0 {
		return 0, false
	}
	id := s.lapsed[0]
	if s.lapsed = s.lapsed[1:]; len(s.lapsed) > 0 {
		s.wake()
	}
	return id, true
}

// fail keeps the first reason why the stream ended.
func (s *rpcStream) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return err
}

func (s *rpcStream) reason() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// normalize turns one frame into an answer for the library, or nil when it is none.
func (s *rpcStream) normalize(frame []byte) ([]byte, error) {
	if err := checkFrame(frame); err != nil {
		return s.unreadable(frame, err)
	}
	var f rpcFrame
	if !isObject(frame) {
		return nil, s.strike(errNoObject)
	}
	if err := json.Unmarshal(frame, &f); err != nil {
		return s.unreadable(frame, err)
	}
	switch {
	case f.JSONRPC == nil && (f.Type == "event" || f.Type == "res"):
		return nil, errFramedPeer
	case f.Method != nil:
		if isNull(f.ID) {
			s.publish(Event{Name: *f.Method, Payload: f.Params})
		} // a request to us has no method we could serve
		return nil, nil
	}
	id, known := s.answered(f)
	if !known {
		s.log.Debug("gateway: an answer that nobody waits for was dropped")
		return nil, nil
	}
	if !isNull(f.Error) {
		return s.answerError(id, decodeRPCError(f.Error)), nil
	}
	result := json.RawMessage(frame) // the seed's bare answer: the object itself is the result
	if f.Result != nil {
		result = f.Result
	}
	s.forget(id)
	out, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
	return out, err
}

// unreadable fails the call that a bad frame answers now, and not at its timeout.
func (s *rpcStream) unreadable(frame []byte, err error) ([]byte, error) {
	if text, ok := peekID(frame); ok {
		if id, known := s.waitingID(json.RawMessage(strconv.Quote(text))); known {
			return s.answerError(id, badFrame(err)), s.strike(err)
		}
	}
	return nil, s.strike(err)
}

// strike counts a frame that cannot be used.
func (s *rpcStream) strike(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bad++
	s.log.Debug("gateway: a frame was dropped", "error", err)
	if s.bad > maxBadFrames {
		return fmt.Errorf("%w; the last: %w", errNonsense, err)
	}
	return nil
}

// answered finds the call a frame answers. Without an id it can only be the one
// call that waits, and only from a peer that has never given ids; errors without
// ids are taken from all, since the interface description shows them so.
func (s *rpcStream) answered(f rpcFrame) (uint64, bool) {
	if !isNull(f.ID) {
		id, ok := s.waitingID(f.ID)
		s.mu.Lock()
		defer s.mu.Unlock()
		if ok && s.ids == idsUnknown {
			s.ids = idsGiven
		}
		return id, ok
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) != 1 || s.ids == idsGiven && !isObject(f.Error) {
		return 0, false
	}
	for id := range s.waiting {
		if s.ids == idsUnknown {
			s.ids = idsMissing
		}
		return id, true
	}
	return 0, false
}

// waitingID finds the call with this id, which may come back as text.
func (s *rpcStream) waitingID(raw json.RawMessage) (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(raw)
	_ = json.Unmarshal(raw, &text) // a number stays as it is
	id, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, false
	}
	_, ok := s.waiting[id]
	return id, ok
}

func (s *rpcStream) expect(id uint64, method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[id] = method
}

func (s *rpcStream) forget(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, id)
}

func (s *rpcStream) answersWithoutIDs() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids == idsMissing
}

// answerError makes the library's error answer; our own form travels in its data.
func (s *rpcStream) answerError(id uint64, w *Error) []byte {
	s.forget(id)
	out, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": -32000, "message": w.Message, "data": w},
	})
	if err != nil { // w.Details was decoded from valid JSON, so this cannot be
		return nil
	}
	return out
}

// decodeRPCError reads {code, message, data?, details?} with a text or a number as
// code, or an error that is only text.
func decodeRPCError(raw json.RawMessage) *Error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return &Error{Code: "ERROR", Message: text}
	}
	var e struct {
		Code         json.RawMessage `json:"code"`
		Message      json.RawMessage `json:"message"`
		Data         json.RawMessage `json:"data"`
		Details      json.RawMessage `json:"details"`
		RetryAfterMs json.RawMessage `json:"retryAfterMs"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return &Error{Code: "ERROR", Message: "the gateway sent an error of an unknown shape"}
	}
	w := &Error{Details: e.Details}
	if isNull(w.Details) {
		w.Details = e.Data
	}
	if json.Unmarshal(e.Code, &w.Code) != nil {
		w.Code = string(e.Code)
	}
	_ = json.Unmarshal(e.Message, &w.Message)
	if json.Unmarshal(e.RetryAfterMs, &w.RetryAfterMs) != nil {
		var d struct {
			RetryAfterMs float64 `json:"retryAfterMs"`
		}
		_ = json.Unmarshal(w.Details, &d)
		w.RetryAfterMs = d.RetryAfterMs
	}
	return w
}

// WriteObject sends what the library made. The caller holds rpcLink.sending.
func (s *rpcStream) WriteObject(obj any) error {
	data, err := json.Marshal(obj)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	err = s.sock.write(s.writeCtx, data)
	s.wrote = !errors.Is(err, ErrNotSent)
	return err
}

// Close is called by the library when its side ends.
func (s *rpcStream) Close() error {
	s.sock.shut(1000, "")
	return nil
}

var _ jsonrpc2.ObjectStream = (*rpcStream)(nil)

var errNoObject = errors.New("the frame is no JSON object")

func isObject(raw []byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '{'
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
