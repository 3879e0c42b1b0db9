package store

import (
	"context"
	"time"

	"gorm.io/gorm/logger"
)

// SetDurability lets a test show what less than FULL would lose.
func SetDurability(level string) { durability = level }

// EachStatement has a test told of every statement that has run.
func EachStatement(ran func()) { statements = counter{logger.Discard, ran} }

type counter struct {
	logger.Interface
	ran func()
}

func (c counter) Trace(context.Context, time.Time, func() (string, int64), error) { c.ran() }

// WatchLockEvery has the lock of PostgreSQL looked at more often until the test ends.
func WatchLockEvery(t interface{ Cleanup(func()) }, every time.Duration) {
	before := lockEvery
	lockEvery = every
	t.Cleanup(func() { lockEvery = before })
}
