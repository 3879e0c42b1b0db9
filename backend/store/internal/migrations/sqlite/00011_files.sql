-- +goose Up
-- Workspace files as gateways had them. Equal texts are stored once.
CREATE TABLE file_snapshots (
	id text,
	gateway text NOT NULL,
	agent text NOT NULL,
	name text NOT NULL,
	hash text NOT NULL,
	at datetime,
	cause text,
	team text,
	size integer NOT NULL,
	tokens integer NOT NULL,
	missing numeric NOT NULL,
	is_binary numeric NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX file_snapshots_by_file ON file_snapshots (gateway, agent, name, id);
CREATE INDEX file_snapshots_by_text ON file_snapshots (hash);
CREATE TABLE file_texts (
	hash text,
	text blob,
	PRIMARY KEY (hash)
);
