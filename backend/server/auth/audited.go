package auth

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"time"

	"agentflow/backend/base/audit"
)

// refusalAtMost is how much of a refusal is looked at for its code.
const refusalAtMost = 4 << 10

// Audited notes every request that changes or refuses something, lets somebody in, or opens a stream. Reads
// that succeed are not noted: they would hide the rest. Neither is what the page remembers. What was asked is noted
// only if keepsSaid reports true.
func Audited(log *audit.Log, keepsSaid func() bool, next http.Handler) http.Handler {
	if log == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		r, v := visited(r)
		seen := &outcome{ResponseWriter: w, status: http.StatusOK}
		seen.note = sync.OnceFunc(func() {
			read := r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
			if read && seen.status < http.StatusBadRequest && seen.status != http.StatusSwitchingProtocols && !letsIn(r) {
				return
			}
			if seen.status < http.StatusBadRequest && remembers(r) {
				return
			}
			host := v.from.String()
			if !v.from.IsValid() {
				host = r.RemoteAddr
			}
			e := audit.Entry{
				At: began.UTC(), Who: v.who, Address: host, Method: r.Method, Path: publicPath(r),
				Status: seen.status, Ms: time.Since(began).Milliseconds(),
			}
			e.Code, e.Reason = seen.refusal()
			if said := v.said.Load(); said != nil && keepsSaid() {
				e.Said = *said
			}
			if e.Who == "" {
				e.Path = cut(e.Path, strangersPathAtMost)
			}
			log.Note(e)
		})
		defer seen.note()
		next.ServeHTTP(seen, r)
	})
}

// remembers reports whether a page saves what was read last and what was typed but not sent. It does so with
// every pause in typing: in the log, that is no act of a person, and it would hide those that are.
func remembers(r *http.Request) bool { return r.Method == http.MethodPut && r.URL.Path == "/api/desk" }

// outcome sees what is answered.
type outcome struct {
	http.ResponseWriter
	status int
	said   []byte // the beginning of a refusal
	note   func()
}

// WriteHeader implements http.ResponseWriter.
func (o *outcome) WriteHeader(status int) {
	o.status = status
	o.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (o *outcome) Write(b []byte) (int, error) {
	if room := refusalAtMost - len(o.said); o.status >= http.StatusBadRequest && room > 0 {
		o.said = append(o.said, b[:min(room, len(b))]...)
	}
	return o.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (o *outcome) Flush() { _ = http.NewResponseController(o.ResponseWriter).Flush() } // the next write says what is wrong

// Hijack implements http.Hijacker.
func (o *outcome) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(o.ResponseWriter).Hijack()
	if err == nil { // noted as it opens: nobody waits for a stream's end
		o.status = http.StatusSwitchingProtocols
		o.note()
	}
	return conn, rw, err
}

// Unwrap serves http.ResponseController.
func (o *outcome) Unwrap() http.ResponseWriter { return o.ResponseWriter }

func (o *outcome) refusal() (code, reason string) {
	var body struct {
		Error struct {
			Code    string `json:"code"`
			Details struct {
				Reason string `json:"reason"`
			} `json:"details"`
		} `json:"error"`
	}
	if len(o.said) == 0 || json.Unmarshal(o.said, &body) != nil {
		return "", ""
	}
	return body.Error.Code, body.Error.Details.Reason
}
