package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"
	"time"

	"agentflow/backend/store/internal/plans"
	"agentflow/backend/store/internal/questions"
	"agentflow/backend/store/internal/roomturns"
	"agentflow/backend/store/internal/tasks"
)

// SetDurability lets a test show what less than FULL would lose.
func SetDurability(level string) { durability = level }

// Tables lists every model that has a table.
func Tables() []any {
	return slices.Concat(questions.Tables(), roomturns.Tables(), plans.Tables(), tasks.Tables(), []any{
		&teamRow{}, &versionRow{}, &snapshotRow{}, &localConfigRow{}, &localMessageRow{}, &templateRow{},
		&fileRow{}, &fileTextRow{},
		&chatRow{}, &roomRow{}, &roomMarkRow{},
	})
}

// EachStatement calls ran after every statement and commit of SQLite, also those that gorm doesn't send.
func EachStatement(ran func()) error {
	db, err := sql.Open(sqliteDriver, "")
	if err != nil {
		return err
	}
	const name = "sqlite, counted"
	sql.Register(name, countedDriver{db.Driver(), ran})
	sqliteDriver = name
	return db.Close()
}

type countedDriver struct {
	driver.Driver
	ran func()
}

func (d countedDriver) Open(name string) (driver.Conn, error) {
	c, err := d.Driver.Open(name)
	return countedConn{c, d.ran}, err
}

type countedConn struct {
	driver.Conn
	ran func()
}

func (c countedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, opts)
	return countedTx{tx, c.ran}, err
}

func (c countedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	defer c.ran()
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
}

func (c countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	defer c.ran()
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

type countedTx struct {
	driver.Tx
	ran func()
}

func (t countedTx) Commit() error {
	defer t.ran()
	return t.Tx.Commit()
}

// WatchLockEvery has the lock of PostgreSQL looked at more often until the test ends.
func WatchLockEvery(t interface{ Cleanup(func()) }, every time.Duration) {
	before := lockEvery
	lockEvery = every
	t.Cleanup(func() { lockEvery = before })
}
