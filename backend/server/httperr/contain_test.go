package httperr_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httperr"
)

// A handler that panics answers INTERNAL_ERROR, with the log's id and without the cause; one that
// had begun to answer ends its connection. Other requests are answered.
func TestTR5_APanicEndsOneRequest(t *testing.T) {
	var log bytes.Buffer
	mux := http.NewServeMux()
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic("secret-1") })
	mux.HandleFunc("/half", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic("secret-1")
	})
	mux.HandleFunc("/taken", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
		}
		panic("secret-1")
	})
	mux.HandleFunc("/fine", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") })
	server := httptest.NewServer(httperr.Contain(slog.New(slog.NewTextHandler(&log, nil)), mux))
	get := func(path string) (int, string, error) {
		res, err := http.Get(server.URL + path)
		if err != nil {
			return 0, "", err
		}
		defer func() { _ = res.Body.Close() }()
		data, err := io.ReadAll(res.Body)
		return res.StatusCode, string(data), err
	}
	status, text, err := get("/panic")
	var body struct{ Error errcode.Error }
	if err != nil || json.Unmarshal([]byte(text), &body) != nil || status != http.StatusInternalServerError || body.Error.Code != errcode.Internal {
		t.Fatalf("%d %s %v", status, text, err)
	}
	id, _ := body.Error.Details["logId"].(string)
	if _, half, err := get("/half"); err == nil {
		t.Errorf("half an answer came as a whole one: %q", half)
	}
	if _, taken, err := get("/taken"); err != nil || taken != "" {
		t.Errorf("a connection that was taken over: %q, %v", taken, err)
	}
	if _, fine, err := get("/fine"); err != nil || fine != "fine" {
		t.Errorf("another request: %q, %v", fine, err)
	}
	server.Close()
	if said := log.String() + text; id == "" || !strings.Contains(log.String(), id) || strings.Contains(said, "secret-1") || !strings.Contains(log.String(), "contain_test.go") {
		t.Errorf("the log: %s", log.String())
	}
}
