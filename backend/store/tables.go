package store

import "agentflow/backend/store/questions"

// tables are those of the newest schema. A schema only ever gains tables and columns, so
// that one step leads from any older one to it.
var tables = append(questions.Tables(), []any{
	&drawingRow{}, &versionRow{}, &snapshotRow{}, &localConfigRow{}, &localMessageRow{}, &templateRow{},
	&chatRow{}, &agentStateRow{}, &roomRow{}, &roomMarkRow{}, &taskRow{}, &taskEventRow{},
}...)

// Inbox is the Store of the inbox.
func Inbox(s *Store) questions.Inbox {
	return questions.Inbox{Read: s.read, Write: s.write, Found: s.found, Classify: s.classify}
}
