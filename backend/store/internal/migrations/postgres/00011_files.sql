-- +goose Up
-- Workspace files as gateways had them. Equal texts are stored once.
CREATE TABLE file_snapshots (
	id text,
	gateway text NOT NULL,
	agent text NOT NULL,
	name text NOT NULL,
	hash text NOT NULL,
	at timestamptz,
	cause text,
	team text,
	size bigint NOT NULL,
	tokens bigint NOT NULL,
	missing boolean NOT NULL,
	is_binary boolean NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX file_snapshots_by_file ON file_snapshots (gateway, agent, name, id);
CREATE INDEX file_snapshots_by_text ON file_snapshots (hash);
CREATE TABLE file_texts (
	hash text,
	text bytea,
	PRIMARY KEY (hash)
);
