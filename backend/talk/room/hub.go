// Package room is where people and agents talk: rooms, their messages in one order for
// everybody, and who is there. A message is stored first, then published.
package room

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"agentflow/backend/base/errcode"
)

const (
	waitingBytes = 32 << 20 // of messages that wait to be stored
	batchPosts   = 1024     // that are stored together
	batchBytes   = 4 << 20
	postOverhead = 512         // what a message costs besides its text
	idleFor      = time.Second // without a message, before old ones are indexed
)

var errStopped = errors.New("room: the hub has ended")

// Hub owns the rooms. Methods may be called from anywhere while Run runs.
type Hub struct {
	store Store
	log   *slog.Logger
	now   func() time.Time

	room      *semaphore.Weighted // bytes that may still wait
	wake      chan struct{}
	ended     chan struct{}
	lastID    atomic.Int64 // of all rooms
	publisher publisher
	mu        sync.Mutex // guards what follows
	posts     []*post
	orders    []*order
	closed    bool
	rooms     map[string]*state
	seen      map[seat]Presence // not stored yet
	views     map[*View]struct{}
}

// post is a message that waits to be stored; done receives the outcome.
type post struct {
	draft Draft
	size  int64
	done  func(Message, error)
}

// order is anything else that must not happen before a batch is stored and published.
type order struct {
	do   func(ctx context.Context) error
	done chan error
}

// Options configure a Hub.
type Options struct {
	Store  Store
	Logger *slog.Logger
	Now    func() time.Time // time.Now if nil
}

// New reads the rooms from the store. Everyone who was in one when the last hub ended is offline.
func New(ctx context.Context, o Options) (*Hub, error) {
	h := &Hub{
		store: o.Store, log: o.Logger, now: o.Now, room: semaphore.NewWeighted(waitingBytes),
		wake: make(chan struct{}, 1), ended: make(chan struct{}), publisher: newPublisher(), rooms: map[string]*state{}, seen: map[seat]Presence{}, views: map[*View]struct{}{},
	}
	if h.now == nil {
		h.now = time.Now
	}
	last, err := o.Store.LastMessageID(ctx)
	if err != nil {
		return nil, err
	}
	h.lastID.Store(last)
	rooms, err := o.Store.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range rooms {
		s := newState(r.Name)
		s.createdAt, s.newest = r.CreatedAt, r.Last
		s.exists.Store(true)
		if r.Last != nil {
			s.last, s.floor = r.Last.ID, r.Last.ID
		}
		h.rooms[r.Name] = s
	}
	return h, h.loadPresences(ctx)
}

// Post stores the message and returns it once it is durable. A Draft that was stored
// before comes back as it is stored. After an error that is not a VALIDATION_ERROR the
// outcome may be unknown: the same Draft with the same ClientID may be posted again.
func (h *Hub) Post(ctx context.Context, d Draft) (Message, error) {
	type outcome struct {
		m   Message
		err error
	}
	got := make(chan outcome, 1)
	err := h.Send(ctx, d, func(m Message, err error) {
		if errors.Is(err, ErrStored) {
			err = nil
		}
		got <- outcome{m, err}
	})
	if err != nil {
		return Message{}, err
	}
	select {
	case o := <-got:
		return o.m, o.err
	case <-ctx.Done():
		return Message{}, errcode.From(ctx.Err())
	}
}

// ErrStored tells that a Draft was stored before; the message comes with it.
var ErrStored = errcode.New(errcode.Conflict, "this message is stored already").With(errcode.KeyReason, "duplicate")

// Send queues a message. It returns an error if the Draft can't be a message, and
// waits while the queue is full. Otherwise it calls done with the outcome, in the order
// of the calls to Send; done must not block.
func (h *Hub) Send(ctx context.Context, d Draft, done func(Message, error)) error {
	d, err := d.check(h.now())
	if err != nil {
		return err
	}
	p := &post{draft: d, size: int64(len(d.Text)) + postOverhead, done: done}
	if !h.room.TryAcquire(p.size) {
		if err := h.room.Acquire(ctx, p.size); err != nil {
			return errcode.Wrap(errcode.Unavailable, err, "too many messages wait to be stored")
		}
	}
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		h.room.Release(p.size)
		return stopped()
	}
	h.posts = append(h.posts, p)
	h.mu.Unlock()
	h.rouse()
	return nil
}

func stopped() error { return errcode.Wrap(errcode.Unavailable, errStopped, "the hub is stopping") }

func (h *Hub) rouse() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// order runs do between two batches.
func (h *Hub) order(ctx context.Context, do func(ctx context.Context) error) error {
	o := &order{do: do, done: make(chan error, 1)}
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return stopped()
	}
	h.orders = append(h.orders, o)
	h.mu.Unlock()
	h.rouse()
	select {
	case err := <-o.done:
		return err
	case <-ctx.Done():
		return errcode.From(ctx.Err())
	case <-h.ended:
		return stopped()
	}
}

// Settle returns once all that was stored by now is published.
func (h *Hub) Settle(ctx context.Context) error {
	return h.order(ctx, func(context.Context) error { return nil })
}

// Run stores and publishes what is posted until ctx ends; what is in line by then is
// still stored.
func (h *Hub) Run(ctx context.Context) error {
	defer close(h.ended)
	var crying sync.WaitGroup
	crying.Go(h.publisher.run)
	defer crying.Wait()
	defer close(h.publisher.calls)
	work := context.WithoutCancel(ctx)
	idle := time.NewTimer(idleFor)
	defer idle.Stop()
	for {
		select {
		case <-h.wake:
			h.work(work)
			idle.Reset(idleFor)
		case <-idle.C:
			if h.index(work) {
				idle.Reset(idleFor / 100)
			}
		case <-ctx.Done():
			h.mu.Lock()
			h.closed = true
			h.mu.Unlock()
			h.work(work)
			h.leaveAll()
			h.work(work)
			return nil
		}
	}
}

// work does all there is to do.
func (h *Hub) work(ctx context.Context) {
	for {
		// Other senders can join the batch; while one is delivered, the next grows.
		runtime.Gosched()
		posts, orders := h.take()
		if len(posts) == 0 && len(orders) == 0 {
			break
		}
		if len(orders) > 0 {
			h.publisher.settle()
		}
		for _, o := range orders {
			o.done <- o.do(ctx)
		}
		if len(posts) > 0 {
			h.commit(ctx, posts)
		}
	}
	h.keepPresences(ctx)
}

func (h *Hub) take() ([]*post, []*order) {
	h.mu.Lock()
	defer h.mu.Unlock()
	orders := h.orders
	h.orders = nil
	n, bytes := 0, int64(0)
	for n < len(h.posts) && n < batchPosts && (n == 0 || bytes+h.posts[n].size <= batchBytes) {
		bytes += h.posts[n].size
		n++
	}
	posts := h.posts[:n:n]
	if h.posts = h.posts[n:]; len(h.posts) == 0 {
		h.posts = nil
	}
	return posts, orders
}

// commit stores a batch, tells its senders, and has it published.
func (h *Hub) commit(ctx context.Context, posts []*post) {
	now := h.now()
	batch := make([]Append, len(posts))
	size := int64(0)
	for i, p := range posts {
		d := p.draft
		batch[i] = Append{
			Message: Message{
				Room:      d.Room,
				Sender:    d.Sender,
				Text:      d.Text,
				Timestamp: d.Timestamp,
				Type:      d.Type,
				ClientID:  d.ClientID,
				Cause:     d.Cause,
			},
			At: now,
		}
		size += p.size
	}
	err := h.store.AppendMessages(ctx, batch)
	h.room.Release(size)
	if err != nil {
		h.log.ErrorContext(ctx, "messages were not stored", slog.Int("messages", len(batch)), slog.Any("error", err))
		for _, p := range posts {
			p.done(Message{}, err)
		}
		return
	}
	todo := h.toPublish(batch, now) // before the senders know: they may ask for their room at once
	for i, p := range posts {
		if batch[i].Duplicate {
			p.done(batch[i].Message, ErrStored)
			continue
		}
		h.lastID.Store(batch[i].ID)
		p.done(batch[i].Message, nil)
	}
	h.publisher.cry(todo)
}

// index prepares old messages for searching; more says that it should be called again.
func (h *Hub) index(ctx context.Context) (more bool) {
	more, err := h.store.IndexMessages(ctx)
	if err != nil {
		h.log.WarnContext(ctx, "messages cannot be indexed", slog.Any("error", err))
		return false
	}
	return more
}
