package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"agentflow/backend/store"
	"agentflow/backend/store/internal/dbfile"
)

// shapeOfSQLite describes the tables, columns and indexes of a database, but not the order in which they came.
func shapeOfSQLite(t *testing.T, db *gorm.DB) []string {
	t.Helper()
	return lines(t, db, `
SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type || ' notnull=' || c."notnull" || ' default='
	|| COALESCE(c.dflt_value, '') || ' key=' || c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c
	WHERE m.type = 'table' AND m.name NOT LIKE 'messages_search%'
UNION ALL SELECT 'index ' || m.name || '.' || i.name || ' unique=' || i."unique" || ' (' || (
		SELECT group_concat(x.name || CASE x."desc" WHEN 1 THEN ' desc' ELSE '' END, ', ')
		FROM pragma_index_info(i.name) f JOIN pragma_index_xinfo(i.name) x ON x.seqno = f.seqno) || ') '
	|| COALESCE((SELECT substr(s.sql, instr(s.sql, 'WHERE')) FROM sqlite_master s
		WHERE s.name = i.name AND instr(s.sql, 'WHERE') > 0), '')
	FROM sqlite_master m JOIN pragma_index_list(m.name) i
	WHERE m.type = 'table' AND m.name NOT LIKE 'messages_search%'`)
}

// shapeOfPostgres describes the same of PostgreSQL.
func shapeOfPostgres(t *testing.T, db *gorm.DB) []string {
	t.Helper()
	return lines(t, db, `
SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' null=' || is_nullable || ' default='
	|| COALESCE(column_default, '')
	FROM information_schema.columns WHERE table_schema = current_schema()
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND indexname <> 'messages_search'`)
}

func lines(t *testing.T, db *gorm.DB, query string) []string {
	t.Helper()
	var out []string
	if err := db.Raw(query).Scan(&out).Error; err != nil {
		t.Fatal(err)
	}
	out = slices.DeleteFunc(out, func(line string) bool {
		return strings.Contains(line, "goose_db_version") || strings.Contains(line, "sqlite_sequence")
	})
	slices.Sort(out)
	if len(out) < 100 {
		t.Fatalf("the database has only %q", out)
	}
	return out
}

// agrees compares what the migrations make with what gorm makes of the models: gorm finds nothing to change, and an
// empty database becomes the same.
func agrees(t *testing.T, migrated, empty *gorm.DB, shape func(*testing.T, *gorm.DB) []string) {
	t.Helper()
	before := shape(t, migrated)
	if err := migrated.AutoMigrate(store.Tables()...); err != nil {
		t.Fatal(err)
	}
	differ(t, "gorm changes what the migrations made", before, shape(t, migrated))
	if err := empty.AutoMigrate(store.Tables()...); err != nil {
		t.Fatal(err)
	}
	differ(t, "the models are something else than what the migrations made", before, shape(t, empty))
}

func differ(t *testing.T, what string, before, after []string) {
	t.Helper()
	var out []string
	for _, line := range before {
		if !slices.Contains(after, line) {
			out = append(out, "- "+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			out = append(out, "+ "+line)
		}
	}
	if len(out) > 0 {
		t.Errorf("%s:\n%s", what, strings.Join(out, "\n"))
	}
}

// The models and the migrations can't drift apart: a column of a model that no migration adds is red, and the reverse.
func TestAPP5_ModelsAndMigrationsAgree(t *testing.T) {
	for name, fill := range map[string]func(dir string){
		"none":         func(string) {},
		"schema 2":     func(dir string) { makeSchema2(t, dir) },
		"before rooms": func(dir string) { makeSchema2(t, dir, beforeRooms...) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fill(dir)
			t.Run("open", func(t *testing.T) { open(t, dir) })
			migrated := look(t, filepath.Join(dir, "agentflow.db"))
			agrees(t, migrated, look(t, filepath.Join(t.TempDir(), "empty.db")), shapeOfSQLite)
			var version, id int
			if err := migrated.Raw("PRAGMA user_version").Scan(&version).Error; err != nil {
				t.Fatal(err)
			}
			if err := migrated.Raw("PRAGMA application_id").Scan(&id).Error; err != nil {
				t.Fatal(err)
			}
			if version != dbfile.SchemaVersion || id != 0x41464c57 {
				t.Errorf("the file is marked as %d %x", version, id)
			}
		})
	}
}
