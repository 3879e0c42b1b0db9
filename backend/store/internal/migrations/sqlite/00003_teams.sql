-- +goose Up
-- What a person edits is a team. Its table, and the columns that name it, had the older word.
ALTER TABLE drawings RENAME TO teams;
ALTER TABLE versions RENAME COLUMN drawing TO team;
ALTER TABLE snapshots RENAME COLUMN drawing TO team;
DROP INDEX by_drawing;
CREATE INDEX versions_by_team ON versions (team);
