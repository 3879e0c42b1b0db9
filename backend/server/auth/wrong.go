package auth

import "time"

// WrongTokens is how many wrong tokens count now, from all addresses together.
func (c *Control) WrongTokens() int {
	l, now := &c.lockouts, time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, t := range l.seen {
		if !t.over(now) {
			n += t.count
		}
	}
	return n
}
