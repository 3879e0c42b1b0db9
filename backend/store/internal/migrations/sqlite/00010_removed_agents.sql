-- +goose Up
-- Which agents somebody removed from their rooms, and what they were.
ALTER TABLE room_agents ADD COLUMN removed numeric NOT NULL DEFAULT false;
ALTER TABLE room_agents ADD COLUMN agent_id text;
ALTER TABLE room_agents ADD COLUMN model text;
