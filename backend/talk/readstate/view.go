package readstate

// Said names a session in which something was said; without a key, any session of the gateway.
type Said struct {
	Gateway    string `json:"gateway"`
	SessionKey string `json:"sessionKey,omitempty"`
}

// Mark is how far the person has read in a conversation.
type Mark struct {
	Conversation string `json:"conversation"`
	Read         string `json:"read"`
}

// News is what windows have to know to count what is unread.
type News struct {
	Read []Mark `json:"read,omitempty" doc:"Read positions that changed. All of them on reset."`
	Said []Said `json:"said,omitempty" doc:"Sessions with new messages. Without a key: any session of the gateway."`
}

// mostSaid is how many sessions a View tells apart: of more, it names the gateways.
const mostSaid = 200

// View collects what was read, and where something was said, for one window. However slow its
// reader is, it holds each conversation only once, and a bounded number of them.
type View struct {
	store *Store
	read  map[string]bool
	said  map[Said]bool
	ready chan struct{}
}

// View starts collecting. Close it.
func (d *Store) View() *View {
	v := &View{store: d, read: map[string]bool{}, said: map[Said]bool{}, ready: make(chan struct{}, 1)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.views[v] = struct{}{}
	return v
}

// Ready receives when there is something to Take.
func (v *View) Ready() <-chan struct{} { return v.ready }

// Take returns the news since the last call; nil if there are none.
func (v *View) Take() *News {
	v.store.mu.Lock()
	defer v.store.mu.Unlock()
	if len(v.read)+len(v.said) == 0 {
		return nil
	}
	news := &News{}
	for _, p := range v.store.sorted() {
		if v.read[p.Conversation] {
			news.Read = append(news.Read, Mark{p.Conversation, p.Read})
		}
	}
	for s := range v.said {
		news.Said = append(news.Said, s)
	}
	clear(v.read)
	clear(v.said)
	return news
}

// Close ends the View.
func (v *View) Close() {
	v.store.mu.Lock()
	defer v.store.mu.Unlock()
	delete(v.store.views, v)
}

// Reads returns, for a window that knows nothing yet, how far was read everywhere.
func (d *Store) Reads() *News {
	d.mu.Lock()
	defer d.mu.Unlock()
	news := &News{}
	for _, p := range d.sorted() {
		if p.Read != "" {
			news.Read = append(news.Read, Mark{p.Conversation, p.Read})
		}
	}
	return news
}

// Said tells the windows that something was said in a session; with an empty key, that it may
// have been in any of the gateway's.
func (d *Store) Said(gateway, key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for v := range d.views {
		if len(v.said) >= mostSaid {
			for s := range v.said {
				if s.SessionKey != "" {
					delete(v.said, s)
					v.said[Said{Gateway: s.Gateway}] = true
				}
			}
		}
		v.said[Said{Gateway: gateway, SessionKey: key}] = true
		v.tell()
	}
}

// tell says that there is something to Take; the store is locked.
func (v *View) tell() {
	select {
	case v.ready <- struct{}{}:
	default:
	}
}
