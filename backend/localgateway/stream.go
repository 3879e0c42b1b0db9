package localgateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"
	"github.com/sourcegraph/jsonrpc2"

	"agentflow/backend/errcode"
)

const (
	maxFrame     = 25 << 20
	maxDepth     = 64
	maxBadFrames = 32
)

var errNonsense = errors.New("the peer keeps sending frames that cannot be understood")

// origin is how a request that is being served was written, and so how its answer is.
type origin struct {
	id   json.RawMessage // nil where there is none
	bare bool            // without jsonrpc and id
}

// stream carries JSON-RPC objects over a socket for the library, which knows neither
// string codes nor answers without ids: both are put in here.
type stream struct {
	ws     *websocket.Conn
	timing Timing
	log    *slog.Logger
	ended  chan struct{} // closed when nothing more is read

	writing sync.Mutex

	mu      sync.Mutex
	serving map[uint64]origin // by the id that the library sees
	lastID  uint64
	bad     int
	err     error // why it ended; nil where somebody meant it
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

func newStream(ws *websocket.Conn, t Timing, log *slog.Logger) *stream {
	s := &stream{ws: ws, timing: t, log: log, ended: make(chan struct{}), serving: map[uint64]origin{}}
	ws.SetReadLimit(maxFrame)
	ws.SetPongHandler(func(string) error { s.alive(); return nil })
	pong := ws.PingHandler()
	ws.SetPingHandler(func(data string) error { s.alive(); return pong(data) })
	return s
}

// alive gives the peer its full time of silence again.
func (s *stream) alive() { _ = s.ws.SetReadDeadline(time.Now().Add(5 * s.timing.Ping / 2)) }

// ReadObject gives the library its next request.
func (s *stream) ReadObject(v any) error {
	for {
		s.alive()
		_, frame, err := s.ws.ReadMessage()
		if err != nil {
			return s.end(err)
		}
		request, refusal := s.accept(frame)
		if request != nil {
			return json.Unmarshal(request, v)
		}
		if refusal != nil {
			if err := s.write(refusal); err != nil {
				return s.end(err)
			}
		}
		if s.strike() > maxBadFrames {
			s.shut(websocket.ClosePolicyViolation, "too many frames that cannot be understood")
			return s.end(errNonsense)
		}
	}
}

// end tells that nothing more is read, and why.
func (s *stream) end(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.ended:
		return err
	default:
		close(s.ended)
	}
	s.blame(err)
	return err
}

// blame keeps the first error that nobody meant. The caller holds mu.
func (s *stream) blame(err error) {
	meant := websocket.IsCloseError(err, websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseNoStatusReceived) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, websocket.ErrCloseSent) || errors.Is(err, io.EOF)
	if s.err == nil && !meant {
		s.err = err
	}
}

func (s *stream) reason() error {
	<-s.ended
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *stream) strike() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bad++
	return s.bad
}

// accept turns a frame into a request for the library, or into the answer to what is
// none; an answer that nobody asked for gets neither.
func (s *stream) accept(frame []byte) (request, refusal []byte) {
	if err := checkFrame(frame); err != nil {
		return nil, refuseFrame(nil, err)
	}
	var f struct {
		JSONRPC json.RawMessage  `json:"jsonrpc"`
		ID      json.RawMessage  `json:"id"`
		Method  *json.RawMessage `json:"method"`
		Params  json.RawMessage  `json:"params"`
		Result  json.RawMessage  `json:"result"`
		Error   json.RawMessage  `json:"error"`
	}
	if err := json.Unmarshal(frame, &f); err != nil {
		return nil, refuseFrame(nil, fmt.Errorf("the frame is no JSON object: %w", err))
	}
	if f.Method == nil && (f.Result != nil || f.Error != nil) {
		return nil, nil
	}
	o := origin{id: f.ID, bare: f.ID == nil && f.JSONRPC == nil}
	if len(f.ID) > 0 && (f.ID[0] == '{' || f.ID[0] == '[') || len(f.ID) > maxKey {
		return nil, refuseFrame(nil, errors.New("id must be a text or a number"))
	}
	var method string
	if f.Method == nil || json.Unmarshal(*f.Method, &method) != nil || method == "" {
		return nil, refuseFrame(&o, errors.New("method is missing, or no text"))
	}
	s.mu.Lock()
	s.lastID++
	id := s.lastID
	s.serving[id] = o
	s.mu.Unlock()
	out := map[string]any{"jsonrpc": "2.0", "id": id, "method": method}
	if f.Params != nil {
		out["params"] = f.Params
	}
	request, err := json.Marshal(out)
	if err != nil {
		return nil, refuseFrame(&o, err)
	}
	return request, nil
}

// checkFrame refuses what shall not reach a decoder.
func checkFrame(frame []byte) error {
	if !utf8.Valid(frame) {
		return errors.New("the frame is not UTF-8 text")
	}
	if !isObject(frame) {
		return errors.New("the frame is no JSON object; batches are not served")
	}
	depth, inString := 0, false
	for i := 0; i < len(frame); i++ {
		switch b := frame[i]; {
		case inString && b == '\\':
			i++
		case b == '"':
			inString = !inString
		case inString:
		case b == '{' || b == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("the frame is nested deeper than %d levels", maxDepth)
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return nil
}

// refuseFrame answers a frame; without an origin the id could not be told, which is null.
func refuseFrame(o *origin, why error) []byte {
	if o == nil {
		o = &origin{id: json.RawMessage("null")}
	}
	return o.answer(nil, errcode.New(errcode.Validation, "%s", why.Error()))
}

// answer writes an answer in the form of its request.
func (o origin) answer(result json.RawMessage, failure *errcode.Error) []byte {
	if o.bare && failure == nil {
		return result
	}
	out := map[string]any{}
	if !o.bare {
		out["jsonrpc"] = "2.0"
	}
	if o.id != nil {
		out["id"] = o.id
	}
	if failure != nil {
		out["error"] = failure
	} else {
		out["result"] = result
	}
	data, err := json.Marshal(out)
	if err != nil {
		if failure != nil { // its details are our own
			return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":"INTERNAL_ERROR","message":"the error cannot be written"}}`)
		}
		return o.answer(nil, errcode.Wrap(errcode.Internal, err, "the answer cannot be written"))
	}
	return data
}

// inOrder reports whether a request must be answered before the next one is read.
func (s *stream) inOrder(id uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serving[id].id == nil
}

// WriteObject sends what the library made: an answer, or a notification as it stands.
func (s *stream) WriteObject(obj any) error {
	data, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	var f struct {
		ID     *uint64         `json:"id"`
		Method *string         `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Data *errcode.Error `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	if f.Method != nil || f.ID == nil {
		return s.write(data)
	}
	s.mu.Lock()
	o := s.serving[*f.ID]
	delete(s.serving, *f.ID)
	s.mu.Unlock()
	var failure *errcode.Error
	if f.Error != nil {
		failure = f.Error.Data
	}
	if data = o.answer(f.Result, failure); len(data) > maxFrame {
		data = o.answer(nil, errcode.New(errcode.Internal, "the answer has %d bytes; one frame holds at most %d", len(data), maxFrame))
	}
	return s.write(data)
}

func (s *stream) write(data []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_ = s.ws.SetWriteDeadline(time.Now().Add(s.timing.Write))
	if err := s.ws.WriteMessage(websocket.TextMessage, data); err != nil {
		s.mu.Lock()
		s.blame(err)
		s.mu.Unlock()
		_ = s.ws.Close() // a frame that is half written cannot be mended
		return err
	}
	return nil
}

// shut tells the peer why the connection ends, and ends it.
func (s *stream) shut(code int, reason string) {
	_ = s.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(500*time.Millisecond))
	_ = s.ws.Close()
}

// Close is called by the library when its side ends.
func (s *stream) Close() error {
	s.shut(websocket.CloseNormalClosure, "")
	return nil
}
