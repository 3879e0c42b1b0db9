package room

import "time"

// fanOutThreshold take so long to deliver to that the next batch is stored meanwhile.
const fanOutThreshold = 64

// lastReaders is the part of the readers, as a divisor, still to serve when the next batch is stored.
const lastReaders = 16

// publisher publishes one batch at a time. While the last of many readers are being told,
// the next batch may be stored: earlier it would hold fewer messages, and each batch
// costs every reader's socket a write; later all would wait for the disk.
type publisher struct {
	calls chan call
	free  chan struct{} // holds one while nothing is being published
	near  chan struct{} // holds one once most readers of a call are served
}

// call is what is published together, room by room.
type call struct {
	parts []part
	now   time.Time
	done  func(*state) // after each
}

type part struct {
	state *state
	batch *Batch
}

func newPublisher() publisher {
	c := publisher{calls: make(chan call), free: make(chan struct{}, 1), near: make(chan struct{}, 1)}
	c.free <- struct{}{}
	return c
}

// run publishes what is handed over, until calls is closed.
func (c publisher) run() {
	for todo := range c.calls {
		c.deliver(todo)
	}
}

// cry publishes, or has run publish and returns once most readers are served.
func (c publisher) cry(todo call) {
	<-c.free
	if todo.readers() < fanOutThreshold {
		c.deliver(todo)
		<-c.near
		return
	}
	c.calls <- todo
	<-c.near
}

// settle returns once all is published.
func (c publisher) settle() {
	<-c.free
	c.free <- struct{}{}
}

func (c publisher) deliver(todo call) {
	left := todo.readers()
	left -= left / lastReaders
	told := false
	tell := func() {
		if !told {
			told = true
			c.near <- struct{}{}
		}
	}
	step := func() {
		if left--; left == 0 {
			tell()
		}
	}
	for _, p := range todo.parts {
		p.state.publish(p.batch, todo.now, step)
		todo.done(p.state)
	}
	tell() // readers may have gone meanwhile
	c.free <- struct{}{}
}

func (c call) readers() (n int) {
	for _, p := range c.parts {
		p.state.mu.Lock()
		n += len(p.state.readers)
		p.state.mu.Unlock()
	}
	return n
}
