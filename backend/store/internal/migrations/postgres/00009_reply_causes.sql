-- +goose Up
-- Why there is no reply, as JSON.
ALTER TABLE local_messages ADD COLUMN cause text;
