package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
)

func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

func TestFaultCheckFrame(t *testing.T) {
	for text, want := range map[string]error{
		nested(maxDepth):                    nil,
		nested(maxDepth + 1):                errDepth,
		`{"a":"` + nested(500) + `"}`:       nil,
		`{"a":"\"` + nested(500) + `\\"}`:   nil,
		`{"a":"\\"` + nested(500) + `}`:     errDepth,
		"{\"a\":\"\xff\"}":                  errUTF8,
		strings.Repeat("{", 10_000_000):     errDepth,
		strings.Repeat("[],", 1000) + "[]]": nil,
	} {
		if err := checkFrame([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%.40q gave %v, want %v", text, err, want)
		}
	}
}

func TestPeekID(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"res","id":"7","payload":` + nested(99) + `}`: "7",
		`{"a":{"id":"no"},"b":[{"id":1}],"id":12}`:             "12",
		`{"payload":` + nested(99) + `,"id":"7"}`:              "",
		`{"id":{}}`: "", `{"id":""}`: "", `["id","7"]`: "", `{`: "", ``: "", `{"x":"id","y":"7"}`: "",
		"{\"id\":\"7\",\"x\":\"\xff\"}": "7",
	} {
		if got, ok := peekID([]byte(text)); got != want || ok != (want != "") {
			t.Errorf("%.60q gave %q, %v; want %q", text, got, ok, want)
		}
	}
}

// depthOf is the slow and certain way.
func depthOf(data []byte) int {
	dec := json.NewDecoder(bytes.NewReader(data))
	depth, most := 0, 0
	for {
		tok, err := dec.Token()
		if err != nil {
			return most
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
			most = max(most, depth)
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

var frameSeeds = []string{
	`{"type":"event","event":"connect.challenge","payload":{"nonce":"2563404c-ae0b","ts":1795166953766,"capabilities":["x"]}}`,
	`{"type":"res","id":"1","ok":true,"payload":{"type":"hello-ok","protocol":4,"features":{"methods":["a"]},"policy":{"tickIntervalMs":30000}}}`,
	`{"type":"res","id":"1","ok":false,"error":{"code":"UNAVAILABLE","message":"rate limit exceeded","retryAfterMs":58105.5,"details":{"issues":[{"path":"a","message":"b"}]}}}`,
	`{"type":"event","event":"chat","payload":{"state":"delta","message":{"role":"assistant","content":"x"}},"seq":12}`,
	`{"jsonrpc":"2.0","id":1,"result":{"config":{},"baseHash":"x"}}`, `{"config":{"agents":{}},"baseHash":"abc"}`,
	`{"error":{"code":"UNAUTHORIZED","message":"no"}}`, `{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"x","data":7}}`,
	`{"jsonrpc":"2.0","method":"chat","params":[1]}`, `{"jsonrpc":"2.0","id":1,"error":"text"}`, `[{"id":1}]`, `{"id":1,"result":null}`,
	`{"id":18446744073709551615}`, `{"id":1e400}`, `{"type":"res","id":7}`, "\xff", "", "null", `{"id":1,"id":2,"result":{}}`, `{"ID":1,"Result":{}}`,
}

func addSeeds(f *testing.F) {
	for _, s := range frameSeeds {
		f.Add([]byte(s))
	}
	f.Add([]byte(nested(maxDepth)))
	f.Add([]byte(`{"type":"res","id":"1","payload":` + nested(maxDepth) + `}`))
}

// The cheap scanner and a real decoder agree about every valid document.
func FuzzCheckFrame(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		err := checkFrame(data)
		if errors.Is(err, errUTF8) != !utf8.Valid(data) {
			t.Fatalf("UTF-8: %v", err)
		}
		if utf8.Valid(data) && json.Valid(data) && (depthOf(data) > maxDepth) != errors.Is(err, errDepth) {
			t.Fatalf("depth %d, %v", depthOf(data), err)
		}
		_, _ = peekID(data)
	})
}

// Whatever a framed gateway sends, nothing panics and a call gets one answer at most.
func FuzzFrameFramed(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		l := newFramedLink(&Opener{Log: slog.New(slog.DiscardHandler), Publish: func(Event) {}}, nil)
		answer, err := l.expect("1")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := l.take(data); err != nil {
				t.Fatalf("one frame ended the link: %v", err)
			}
		}
		if len(answer) == 1 {
			refused, err := (<-answer).result()
			var w *Error
			if err != nil && !errors.As(err, &w) || err == nil && len(refused) > 0 && !json.Valid(refused) {
				t.Fatalf("answer %q, %v", refused, err)
			}
			if w != nil && (w.Translate(Framed, "config.apply") == nil || w.login() == nil) {
				t.Fatal("a refusal without meaning")
			}
		}
		_ = parseChallenge(data)
		_ = isJSONRPC(data)
	})
}

// Whatever a JSON-RPC gateway sends, the library gets only answers to the call that waits.
func FuzzFrameJSONRPC(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &rpcStream{
			log:     slog.New(slog.DiscardHandler),
			publish: func(Event) {},
			waiting: map[uint64]string{1: "config.get"},
		}
		out, err := s.normalize(data)
		if err != nil && !errors.Is(err, errFramedPeer) {
			t.Fatalf("one frame ended the link: %v", err)
		}
		if out == nil {
			return
		}
		var r jsonrpc2.Response
		if err := json.Unmarshal(out, &r); err != nil || r.ID.Num != 1 || (r.Result == nil) == (r.Error == nil) {
			t.Fatalf("%q became %q: %v", data, out, err)
		}
		if len(s.waiting) != 0 {
			t.Fatal("the call was answered and still waits")
		}
		if r.Error == nil {
			return
		}
		l := &rpcLink{stream: s}
		var w *Error
		if !errors.As(l.refusal(r.Error), &w) || w.Translate(JSONRPC, "config.apply") == nil {
			t.Fatalf("%q became %v", data, r.Error)
		}
	})
}
