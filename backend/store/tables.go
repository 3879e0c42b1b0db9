package store

import (
	"slices"

	"gorm.io/gorm"

	"agentflow/backend/store/internal/plans"
	"agentflow/backend/store/internal/questions"
	"agentflow/backend/store/internal/roomturns"
	"agentflow/backend/store/internal/tasks"
)

// tables are those of the newest schema. A schema only ever gains tables and columns, so
// that one step leads from any older one to it.
var tables = slices.Concat(questions.Tables(), roomturns.Tables(), plans.Tables(), tasks.Tables(), []any{
	&teamRow{}, &versionRow{}, &snapshotRow{}, &localConfigRow{}, &localMessageRow{}, &templateRow{},
	&chatRow{}, &roomRow{}, &roomMarkRow{},
})

// migrate brings an older schema up to date, and what its rows lack.
func migrate(tx *gorm.DB) error {
	if err := tx.AutoMigrate(tables...); err != nil {
		return err
	}
	if err := questions.Upgrade(tx); err != nil {
		return err
	}
	if err := roomturns.Upgrade(tx); err != nil {
		return err
	}
	return tasks.Upgrade(tx)
}

// Inbox is the Store of the inbox.
func Inbox(s *Store) questions.Inbox {
	return questions.Inbox{Read: s.read, Write: s.write, Found: s.found, Classify: s.classify}
}

// Plans is the Store of the planner.
func Plans(s *Store) plans.Plans {
	return plans.Plans{Read: s.read, Write: s.write, Found: s.found, Classify: s.classify}
}

// Tasks is the Store of the coordinator.
func Tasks(s *Store) *tasks.Tasks {
	return &tasks.Tasks{Read: s.read, Write: s.write, Found: s.found, Classify: s.classify, Last: &s.lastTask}
}
