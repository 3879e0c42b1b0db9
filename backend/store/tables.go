package store

// tables1 are the tables of schema 1.
var tables1 = []any{&drawingRow{}, &versionRow{}, &snapshotRow{}, &localConfigRow{}, &localMessageRow{}, &templateRow{}}
