package httperr

import "net/http"

// Mux is a mux that knows what it leads to, so that it can be asked who may use it. Make it
// with NewMux.
type Mux struct {
	*http.ServeMux
	Patterns []string
}

// NewMux returns a mux without routes.
func NewMux() *Mux { return &Mux{ServeMux: http.NewServeMux()} }

// Handle adds a route.
func (m *Mux) Handle(pattern string, h http.Handler) {
	m.Patterns = append(m.Patterns, pattern)
	m.ServeMux.Handle(pattern, h)
}

// HandleFunc adds a route.
func (m *Mux) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	m.Handle(pattern, http.HandlerFunc(h))
}

// Pattern returns the route that a request leads to; "" is none.
func (m *Mux) Pattern(r *http.Request) string {
	_, pattern := m.Handler(r)
	return pattern
}
