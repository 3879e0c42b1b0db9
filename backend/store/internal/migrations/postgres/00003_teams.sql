-- +goose Up
-- What a person edits is a team. Its table, and the columns that name it, had the older word.
ALTER TABLE drawings RENAME TO teams;
ALTER INDEX drawings_pkey RENAME TO teams_pkey;
ALTER TABLE versions RENAME COLUMN drawing TO team;
ALTER TABLE snapshots RENAME COLUMN drawing TO team;
ALTER INDEX by_drawing RENAME TO versions_by_team;
