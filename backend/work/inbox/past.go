package inbox

import (
	"slices"
	"time"
)

// past is a request of a gateway that was answered.
type past struct {
	place string
	at    time.Time
}

const (
	// lateNews is how long after the answer a list or an event that was sent before it is taken for late.
	lateNews = 10 * time.Minute
	mostPast = 1000 // that are remembered, of all gateways
)

// answeredAt reports whether the request of this place was answered a short while ago. The caller holds mu.
func (m *Machine) answeredAt(place string) bool {
	return slices.ContainsFunc(m.past, func(p past) bool { return p.place == place && time.Since(p.at) < lateNews })
}
