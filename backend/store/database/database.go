// Package database holds the words in which the hub speaks of its database as a whole.
package database

import "time"

// Holding is how much the database holds of one kind.
type Holding struct {
	Kind  string `json:"kind" enum:"teams,versions,snapshots,files,templates,rooms,messages,sessions,tasks,plans,questions,permissions" doc:"Kind of rows."`
	Count int64  `json:"count"`
	Bytes int64  `json:"bytes,omitempty" doc:"Size on disk with indexes."`
}

// Size is how much there is.
type Size struct {
	Bytes int64 `json:"bytes" doc:"Size of the files on disk."`
	// Elsewhere is set where the database is a server's, whose own means save and restore it.
	Elsewhere bool      `json:"elsewhere,omitempty" doc:"The database is PostgreSQL. Back it up with its own tools, such as pg_dump."`
	Parts     []Holding `json:"parts"`
}

// Backup is a database that was handed in, checked and found good.
type Backup struct {
	Bytes int64       `json:"bytes" doc:"Size of the backup."`
	Last  time.Time   `json:"last,omitzero" doc:"Time of the latest change of a team in the backup."`
	Parts []Holding   `json:"parts" doc:"Content by kind."`
	Waits BackupWaits `json:"waits" doc:"What won't continue by itself after the restore."`
	Local string      `json:"-"` // config of the built-in gateway
}

// BackupWaits is what a backup would continue if it were restored unchanged. A restore drops
// permissions, and pauses tasks and plans. A backup has no bindings: they are this computer's own.
type BackupWaits struct {
	Permissions int `json:"permissions" doc:"Standing permissions, which are dropped."`
	Tasks       int `json:"tasks" doc:"Tasks that haven't ended, which are paused."`
	Plans       int `json:"plans" doc:"Plans that are running, which are paused."`
	Bindings    int `json:"bindings" doc:"Bindings of agents on this computer, which are dropped."`
	Agents      int `json:"agents" doc:"Agents of the built-in gateway's team that you must allow before you can use them."`
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
