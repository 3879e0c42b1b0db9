package audit

import (
	"cmp"
	"slices"
	"time"
)

// kindsAtMost is how many kinds of refusals are counted in a minute; those of further addresses are
// counted together.
const kindsAtMost = 1000

// counted sums up the refusals of unknown callers in one minute. Even millions of the same
// kind make one line.
type counted struct {
	minute time.Time
	kinds  map[refusal]*Entry
}

type refusal struct {
	address string
	status  int
}

func (c *counted) add(e Entry) {
	if c.kinds == nil {
		c.kinds, c.minute = map[refusal]*Entry{}, e.At.Truncate(time.Minute)
	}
	kind := refusal{e.Address, e.Status}
	if c.kinds[kind] == nil && len(c.kinds) >= kindsAtMost {
		e.Address, e.Path = "", ""
		kind.address = ""
	}
	if first := c.kinds[kind]; first != nil {
		first.Count++
		return
	}
	e.Count = 1
	c.kinds[kind] = &e
}

// tell writes down what was counted, once its minute is over; the zero time says that it is.
func (l *Log) tell(now time.Time) error {
	c := &l.counted
	if c.kinds == nil || now.Truncate(time.Minute).Equal(c.minute) {
		return nil
	}
	all := make([]*Entry, 0, len(c.kinds))
	for _, e := range c.kinds {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Entry) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Address, b.Address)) })
	for _, e := range all {
		if err := l.put(&l.refused, *e); err != nil {
			return err
		}
		delete(c.kinds, refusal{e.Address, e.Status})
	}
	c.kinds = nil
	return nil
}
