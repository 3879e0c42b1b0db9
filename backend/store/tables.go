package store

import (
	"agentflow/backend/store/internal/plans"
	"agentflow/backend/store/internal/questions"
	"agentflow/backend/store/internal/tasks"
)

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
