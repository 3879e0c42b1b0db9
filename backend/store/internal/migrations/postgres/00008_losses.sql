-- +goose Up
-- What a config of a gateway lost against the one before it, as JSON, and until when that was shown as an alarm.
ALTER TABLE snapshots ADD COLUMN losses text;
ALTER TABLE snapshots ADD COLUMN good text;
ALTER TABLE snapshots ADD COLUMN settled_at timestamptz;
