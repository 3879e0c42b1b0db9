package builtin

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

	"agentflow/backend/base/errcode"
)

const (
	maxFrame     = 25 << 20
	maxDepth     = 64
	maxBadFrames = 32
)

var errNonsense = errors.New("the peer keeps sending frames that cannot be understood")

// exchange is a request that is being served, and its answer.
type exchange struct {
	id     json.RawMessage // as it was written; nil where there is none
	bare   bool            // written without jsonrpc and id, and so is the answer
	params json.RawMessage

	result  json.RawMessage
	failure *errcode.Error
}

// stream carries JSON-RPC objects over a socket for the library. The library knows
// neither string codes nor answers without ids, and copies much: so it sees only its own
// methods and ids, and everything else travels in exchanges.
type stream struct {
	ws     *websocket.Conn
	timing Timing
	log    *slog.Logger
	ended  chan struct{} // closed when nothing more is read

	writing sync.Mutex

	mu      sync.Mutex
	serving map[uint64]*exchange // by the id that the library sees
	lastID  uint64
	bad     int
	err     error // why it ended; nil where somebody meant it
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

func newStream(ws *websocket.Conn, t Timing, log *slog.Logger) *stream {
	s := &stream{ws: ws, timing: t, log: log, ended: make(chan struct{}), serving: map[uint64]*exchange{}}
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
		errors.Is(err, net.ErrClosed) || errors.Is(err, websocket.ErrCloseSent) ||
		errors.Is(err, io.EOF)
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
	x := &exchange{id: f.ID, bare: f.ID == nil && f.JSONRPC == nil, params: f.Params}
	if len(f.ID) > 0 && (f.ID[0] == '{' || f.ID[0] == '[') || len(f.ID) > maxKey {
		return nil, refuseFrame(nil, errors.New("id must be a text or a number"))
	}
	var method string
	if f.Method == nil || json.Unmarshal(*f.Method, &method) != nil || method == "" {
		return nil, refuseFrame(x, errors.New("method is missing, or no text"))
	}
	s.mu.Lock()
	s.lastID++
	id := s.lastID
	s.serving[id] = x
	s.mu.Unlock()
	request, err := json.Marshal(jsonrpc2.Request{ID: jsonrpc2.ID{Num: id}, Method: method})
	if err != nil {
		return nil, refuseFrame(x, err)
	}
	return request, nil
}

// checkFrame refuses what must not reach a decoder.
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

// refuseFrame answers a frame; where the id could not be told, it is null.
func refuseFrame(x *exchange, why error) []byte {
	if x == nil {
		x = &exchange{id: json.RawMessage("null")}
	}
	x.failure = errcode.New(errcode.Validation, "%s", why.Error())
	return x.answer()
}

// answer writes the answer in the form of its request.
func (x *exchange) answer() []byte {
	key, body := "result", x.result
	if x.failure != nil {
		key, body = "error", encodeFailure(x.failure)
	} else if x.bare {
		return x.result
	}
	out := make([]byte, 0, len(body)+len(x.id)+64)
	out = append(out, '{')
	if !x.bare {
		out = append(out, `"jsonrpc":"2.0",`...)
	}
	if x.id != nil {
		out = append(append(append(out, `"id":`...), x.id...), ',')
	}
	out = append(append(append(out, '"'), key...), `":`...)
	return append(append(out, body...), '}')
}

func encodeFailure(e *errcode.Error) []byte {
	raw, err := json.Marshal(e)
	if err != nil { // its details cannot be written
		raw, _ = json.Marshal(errcode.New(e.Code, "%s", e.Message))
	}
	return raw
}

// at returns the exchange that the library knows by the id.
func (s *stream) at(id uint64) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serving[id]
}

// WriteObject sends what the library made: a notification as it stands, and for an answer
// that of its exchange.
func (s *stream) WriteObject(obj any) error {
	data, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	var f struct {
		ID     *uint64 `json:"id"`
		Method *string `json:"method"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	if f.Method != nil || f.ID == nil {
		return s.write(data)
	}
	s.mu.Lock()
	x := s.serving[*f.ID]
	delete(s.serving, *f.ID)
	s.mu.Unlock()
	if x == nil {
		return fmt.Errorf("the request %d has been answered before", *f.ID)
	}
	if data = x.answer(); len(data) > maxFrame {
		x.failure = errcode.New(errcode.Internal, "the answer has %d bytes; one frame holds at most %d", len(data),
			maxFrame)
		data = x.answer()
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
	_ = s.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason),
		time.Now().Add(500*time.Millisecond))
	_ = s.ws.Close()
}

// Close is called by the library when its side ends.
func (s *stream) Close() error {
	s.shut(websocket.CloseNormalClosure, "")
	return nil
}
