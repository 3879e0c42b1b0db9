package sessionsapi

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"agentflow/backend/gateway/client"
)

// reader is a feed that has an event after a while, or ends.
type reader struct {
	after time.Duration
	ends  error
}

func (r reader) Next(ctx context.Context) (client.ChatEvent, error) {
	select {
	case <-ctx.Done():
		return client.ChatEvent{}, context.Cause(ctx)
	case <-time.After(r.after):
		return client.ChatEvent{State: "final"}, r.ends
	}
}

func (reader) Close() {}

// A quiet feed is no end: the reader gets a ping. The end of the feed or of the request is one.
func TestNext_TellsSilenceFromTheEnd(t *testing.T) {
	over := errors.New("over")
	for name, c := range map[string]struct {
		feed   reader
		leaves time.Duration // when the request ends; 0: never
		silent bool
		err    error
	}{
		"an event":      {feed: reader{after: time.Second}},
		"a quiet feed":  {feed: reader{after: time.Hour}, silent: true},
		"a feed's end":  {feed: reader{after: time.Second, ends: over}, err: over},
		"a page's end":  {feed: reader{after: time.Hour}, leaves: time.Second, err: context.Canceled},
		"a late return": {feed: reader{after: pingEvery - 1}},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.leaves > 0 {
				time.AfterFunc(c.leaves, cancel)
			}
			e, silent, err := next(ctx, c.feed)
			if silent != c.silent || !errors.Is(err, c.err) {
				t.Errorf("%s: silent %v, %v", name, silent, err)
			}
			if c.err == nil && !c.silent && e.State != "final" {
				t.Errorf("%s: the event is lost: %+v", name, e)
			}
		})
	}
}
