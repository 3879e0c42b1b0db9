package httperr

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// BodyTime is how long a request's body may take to arrive, as huma has it for its routes. What
// carries a file may take longer.
const BodyTime = 5 * time.Second

// Timely bounds how long the bodies of a route may take that huma does not read: who sends one byte
// by byte holds nothing for long.
func Timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			control := http.NewResponseController(w)
			_ = control.SetReadDeadline(time.Now().Add(BodyTime)) // where there is none, there is no wire either
			r.Body = &arriving{r.Body, control}
		}
		next.ServeHTTP(w, r)
	})
}

// arriving is a body of which all must come in time; after it the time counts no more.
type arriving struct {
	io.ReadCloser
	control *http.ResponseController
}

func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = a.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
