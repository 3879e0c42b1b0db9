// Package database holds the words in which the hub speaks of its database as a whole.
package database

import "time"

// Holding is how much the database holds of one kind.
type Holding struct {
	Kind  string `json:"kind" enum:"drawings,versions,snapshots,templates,rooms,messages,sessions,tasks,plans,questions,permissions"`
	Count int64  `json:"count"`
	Bytes int64  `json:"bytes,omitempty" doc:"on the disk, with what is kept to find them"`
}

// Size is how much there is.
type Size struct {
	Bytes int64 `json:"bytes" doc:"of the files on the disk"`
	// Elsewhere is set where the database is a server's, whose own means save and restore it.
	Elsewhere bool      `json:"elsewhere,omitempty" doc:"in PostgreSQL: saved and restored by its own means, such as pg_dump"`
	Parts     []Holding `json:"parts"`
}

// Backup is a database that was handed in, checked and found good.
type Backup struct {
	Bytes int64       `json:"bytes"`
	Last  time.Time   `json:"last,omitzero" doc:"the latest change in it"`
	Parts []Holding   `json:"parts"`
	Waits BackupWaits `json:"waits"`
}

// BackupWaits is what a backup would do by itself if it were restored as it is. Restored, permissions
// are gone, and tasks and plans paused. Bindings are not in it: they are this computer's own.
type BackupWaits struct {
	Permissions int `json:"permissions" doc:"standing permissions, which are dropped"`
	Tasks       int `json:"tasks" doc:"that haven't ended, which are paused"`
	Plans       int `json:"plans" doc:"that are being worked on, which are paused"`
	Bindings    int `json:"bindings" doc:"what the owner allows agents on this computer, which is dropped"`
}

// Reasons for which a file that is handed in as a backup is refused.
const (
	ReasonNoDatabase = "no_database"
	ReasonForeign    = "foreign_database"
	ReasonNewer      = "newer_schema"
	ReasonDamaged    = "damaged"
	ReasonProgram    = "program_inside"
	ReasonElsewhere  = "database_elsewhere"
)
