package room

// View collects which rooms have changed, for somebody who shows all of them. However
// slow its reader is, it holds each name only once.
type View struct {
	hub   *Hub
	names map[string]bool
	ready chan struct{}
}

// View starts collecting. Close it.
func (h *Hub) View() *View {
	v := &View{hub: h, names: map[string]bool{}, ready: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.views[v] = struct{}{}
	return v
}

// Ready receives when there is something to Take.
func (v *View) Ready() <-chan struct{} { return v.ready }

// Take returns the rooms that have changed since the last call, and the names of those
// that are gone.
func (v *View) Take() (changed []Summary, gone []string) {
	v.hub.mu.Lock()
	names := v.names
	v.names = map[string]bool{}
	v.hub.mu.Unlock()
	for name := range names {
		if sum, err := v.hub.Room(name); err == nil {
			changed = append(changed, sum)
		} else {
			gone = append(gone, name)
		}
	}
	return changed, gone
}

// Close ends the View.
func (v *View) Close() {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	delete(v.hub.views, v)
}

// changed tells the views of a room that has changed.
func (h *Hub) changed(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.views {
		v.names[name] = true
		select {
		case v.ready <- struct{}{}:
		default:
		}
	}
}
