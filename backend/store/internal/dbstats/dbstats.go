// Package dbstats measures what a database holds, by kinds that a person knows.
package dbstats

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"gorm.io/gorm"

	"agentflow/backend/store/database"
)

// kinds are the parts that a person knows, in the order in which they are shown. The
// first table is the one whose rows are counted.
var kinds = []struct {
	name   string
	tables []string
}{
	{"teams", []string{"teams"}},
	{"versions", []string{"versions"}},
	{"snapshots", []string{"snapshots"}},
	{"files", []string{"file_snapshots", "file_texts"}},
	{"templates", []string{"templates"}},
	{"rooms", []string{"rooms", "agents_state", "room_marks", "room_setups", "room_agents"}},
	{
		"messages",
		[]string{
			"messages",
			"messages_search",
			"messages_search_data",
			"messages_search_idx",
			"messages_search_docsize",
			"messages_search_config",
		},
	},
	{"sessions", []string{"local_messages", "local_config"}},
	{"tasks", []string{"tasks", "task_events"}},
	{"plans", []string{"plans", "plan_versions", "plan_proposals", "plan_calls", "plan_progress"}},
	{"questions", []string{"questions"}},
	{"permissions", []string{"standing_permissions"}},
}

// tableSizes returns the bytes of each table with its indexes.
func tableSizes(db *gorm.DB, postgres bool) (map[string]int64, error) {
	query := "SELECT s.tbl_name AS name, SUM(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = 1 GROUP BY s.tbl_name"
	if postgres {
		query = "SELECT relname AS name, pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables"
	}
	var rows []struct {
		Name  string
		Bytes int64
	}
	err := db.Raw(query).Scan(&rows).Error
	out := make(map[string]int64, len(rows))
	for _, r := range rows {
		out[r.Name] = r.Bytes
	}
	return out, err
}

// Size returns how many bytes the database takes on the disk, with what is not yet joined
// into it, and how much of it is each kind's. In PostgreSQL path means nothing.
func Size(db *gorm.DB, path string, postgres bool) (database.Size, error) {
	out := database.Size{Elsewhere: postgres}
	var err error
	if postgres {
		err = db.Raw("SELECT pg_database_size(current_database())").Scan(&out.Bytes).Error
	} else {
		out.Bytes, err = onDisk(path)
	}
	if err == nil {
		out.Parts, err = Parts(db, postgres)
	}
	return out, err
}

func onDisk(path string) (bytes int64, err error) {
	for _, end := range []string{"", "-wal"} {
		info, err := os.Stat(path + end)
		if err == nil {
			bytes += info.Size()
		} else if !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	return bytes, nil
}

// Parts returns how much there is of each kind.
func Parts(db *gorm.DB, postgres bool) ([]database.Holding, error) {
	of, err := tableSizes(db, postgres)
	if err != nil {
		return nil, err
	}
	out := make([]database.Holding, 0, len(kinds))
	for _, k := range kinds {
		part := database.Holding{Kind: k.name}
		for _, table := range k.tables {
			part.Bytes += of[table]
		}
		if err := db.Table(k.tables[0]).Count(&part.Count).Error; err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

// LastChange is when a team was last changed.
func LastChange(db *gorm.DB) (time.Time, error) {
	var rows []struct{ UpdatedAt time.Time }
	err := db.Table("teams").Select("updated_at").Order("updated_at DESC").Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return time.Time{}, err
	}
	return rows[0].UpdatedAt, nil
}
