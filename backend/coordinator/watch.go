package coordinator

import (
	"context"

	"agentflow/backend/event"
	"agentflow/backend/task"
)

const watchBuffer = 256

// publish tells everybody who watches the task. The events are kept already.
func (m *Machine) publish(events []task.Event) {
	if len(events) == 0 {
		return
	}
	m.mu.Lock()
	topic := m.watched[events[0].TaskID]
	m.mu.Unlock()
	if topic == nil {
		return
	}
	for _, e := range events {
		topic.Publish(e)
	}
}

// Watch hands over the task's events after seq, in order and without a gap, those of the
// past first, and returns nil after the last one, which is of type end. It blocks; when ctx
// ends it returns the cause, and an error of send as it is. A task that is not there:
// NOT_FOUND.
func (m *Machine) Watch(ctx context.Context, id task.ID, after int64, send func([]task.Event) error) error {
	if _, err := m.o.Store.Task(ctx, id); err != nil {
		return err
	}
	topic := m.open(id)
	defer m.close(id)
	for {
		live := topic.Subscribe(watchBuffer)
		seq, ended, err := m.past(ctx, id, after, send)
		if err == nil && !ended {
			seq, ended, err = follow(ctx, live, seq, send)
		}
		live.Close()
		if err != nil || ended {
			return err
		}
		after = seq
	}
}

// past sends what is kept.
func (m *Machine) past(ctx context.Context, id task.ID, after int64, send func([]task.Event) error) (seq int64, ended bool, err error) {
	for {
		kept, err := m.o.Store.TaskEvents(ctx, id, after, page)
		if err != nil || len(kept) == 0 {
			return after, false, err
		}
		if err := send(kept); err != nil {
			return after, false, err
		}
		last := kept[len(kept)-1]
		if after = last.Seq; last.Type == task.EventEnd {
			return after, true, nil
		}
		if len(kept) < page {
			return after, false, nil
		}
	}
}

// follow sends what comes, until the end, or until something was missed.
func follow(ctx context.Context, live *event.Subscription[task.Event], after int64, send func([]task.Event) error) (seq int64, ended bool, err error) {
	for {
		select {
		case <-ctx.Done():
			return after, false, context.Cause(ctx)
		case e, ok := <-live.C():
			if !ok || e.Seq > after+1 {
				return after, false, nil
			}
			if e.Seq <= after {
				continue
			}
			batch := []task.Event{e}
			missed := false
			for after = e.Seq; e.Type != task.EventEnd && len(live.C()) > 0 && !missed; {
				next, ok := <-live.C()
				if missed = !ok || next.Seq > after+1; missed || next.Seq <= after {
					continue
				}
				e, after = next, next.Seq
				batch = append(batch, e)
			}
			if err := send(batch); err != nil || e.Type == task.EventEnd || missed {
				return after, e.Type == task.EventEnd, err
			}
		}
	}
}

func (m *Machine) open(id task.ID) *event.Topic[task.Event] {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.watched[id] == nil {
		m.watched[id] = new(event.Topic[task.Event])
	}
	m.watches[id]++
	return m.watched[id]
}

func (m *Machine) close(id task.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.watches[id]--; m.watches[id] == 0 {
		delete(m.watches, id)
		delete(m.watched, id)
	}
}
