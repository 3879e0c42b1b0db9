package store

// tables are those of the newest schema. A schema only ever gains tables and columns, so
// that one step leads from any older one to it.
var tables = []any{
	&drawingRow{}, &versionRow{}, &snapshotRow{}, &localConfigRow{}, &localMessageRow{}, &templateRow{},
	&chatRow{}, &agentStateRow{}, &roomRow{}, &roomMarkRow{}, &taskRow{}, &taskEventRow{},
}
