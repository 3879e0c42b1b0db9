-- +goose Up
-- The schema from before there were migrations. What an older database has of it stays as it is.
CREATE TABLE IF NOT EXISTS questions (
	id text,
	agent text,
	ask_key text,
	waiting boolean,
	body text,
	PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS idx_questions_waiting ON questions (waiting);
CREATE UNIQUE INDEX IF NOT EXISTS question_once ON questions (agent, ask_key) WHERE ask_key <> '';
CREATE TABLE IF NOT EXISTS standing_permissions (
	id text,
	body text,
	PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS agents_state (
	room_name text,
	agent_name text,
	last_seen_timestamp text NOT NULL,
	status text NOT NULL,
	PRIMARY KEY (room_name, agent_name)
);
CREATE TABLE IF NOT EXISTS room_setups (
	room_name text,
	body text NOT NULL,
	PRIMARY KEY (room_name)
);
CREATE TABLE IF NOT EXISTS room_agents (
	room_name text,
	agent_name text,
	heard bigint NOT NULL,
	turns bigint NOT NULL,
	tokens_in bigint NOT NULL,
	tokens_out bigint NOT NULL,
	cost_usd numeric NOT NULL,
	unpriced bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (room_name, agent_name)
);
CREATE TABLE IF NOT EXISTS plans (
	id text,
	body text NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS plan_versions (
	plan_id text,
	number bigint,
	body text NOT NULL,
	plan text NOT NULL,
	PRIMARY KEY (plan_id, number)
);
CREATE TABLE IF NOT EXISTS plan_proposals (
	plan_id text,
	id text,
	body text NOT NULL,
	PRIMARY KEY (plan_id, id)
);
CREATE TABLE IF NOT EXISTS plan_calls (
	id bigserial,
	plan_id text,
	proposal_id text,
	at timestamptz,
	body text NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS plan_calls_of ON plan_calls (plan_id, proposal_id);
CREATE TABLE IF NOT EXISTS plan_progress (
	plan_id text,
	task_id text,
	body text NOT NULL,
	PRIMARY KEY (plan_id, task_id)
);
CREATE TABLE IF NOT EXISTS tasks (
	id text,
	idempotency_key text,
	status text,
	ord bigint,
	body text,
	seq bigint,
	cancelled boolean NOT NULL DEFAULT false,
	changed bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (id)
);
CREATE UNIQUE INDEX IF NOT EXISTS idx_tasks_order ON tasks (ord);
CREATE UNIQUE INDEX IF NOT EXISTS task_once ON tasks (idempotency_key) WHERE idempotency_key <> '';
CREATE INDEX IF NOT EXISTS tasks_recent ON tasks (status, cancelled, changed, id);
CREATE TABLE IF NOT EXISTS task_events (
	task_id text,
	seq bigint,
	body text,
	PRIMARY KEY (task_id, seq)
);
CREATE TABLE IF NOT EXISTS drawings (
	id text,
	name text,
	gateway text,
	head text,
	redo text,
	bases text,
	created_at timestamptz,
	updated_at timestamptz,
	deleted_at timestamptz,
	PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS versions (
	id text,
	drawing text,
	parent text,
	started_at timestamptz,
	at timestamptz,
	cause text,
	label text,
	author text,
	name text,
	coalesce text,
	gateway text,
	snapshot text,
	counts text,
	topology bytea,
	PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS by_drawing ON versions (drawing);
CREATE TABLE IF NOT EXISTS snapshots (
	id text,
	gateway text,
	hash text,
	at timestamptz,
	cause text,
	drawing text,
	agents bigint,
	config bytea,
	PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS idx_snapshots_gateway ON snapshots (gateway);
CREATE TABLE IF NOT EXISTS local_config (
	id bigserial,
	text text,
	hash text,
	at timestamptz,
	PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS local_messages (
	seq bigserial,
	id text,
	session_key text,
	agent_id text,
	role text,
	text text,
	run_id text,
	idempotency_key text,
	state text,
	model text,
	at timestamptz,
	PRIMARY KEY (seq)
);
CREATE UNIQUE INDEX IF NOT EXISTS idx_local_messages_id ON local_messages (id);
CREATE INDEX IF NOT EXISTS local_by_session ON local_messages (session_key, run_id);
CREATE UNIQUE INDEX IF NOT EXISTS local_once ON local_messages (session_key, idempotency_key) WHERE idempotency_key <> '';
CREATE TABLE IF NOT EXISTS templates (
	id text,
	name text,
	description text,
	created_at timestamptz,
	deleted_at timestamptz,
	topology bytea,
	PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS messages (
	id bigserial,
	room_name text NOT NULL,
	sender text NOT NULL,
	message_content text NOT NULL,
	timestamp text NOT NULL,
	message_type text NOT NULL,
	client_message_id text NOT NULL DEFAULT '',
	stored_at bigint NOT NULL,
	cause text,
	PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS messages_by_room ON messages (room_name, id);
CREATE INDEX IF NOT EXISTS messages_by_timestamp ON messages ("timestamp");
CREATE UNIQUE INDEX IF NOT EXISTS messages_once ON messages (room_name, sender, client_message_id) WHERE client_message_id <> '';
CREATE INDEX IF NOT EXISTS messages_told ON messages (id) WHERE cause IS NOT NULL;
CREATE TABLE IF NOT EXISTS rooms (
	name text,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (name)
);
CREATE TABLE IF NOT EXISTS room_marks (
	name text,
	value bigint NOT NULL,
	PRIMARY KEY (name)
);
-- What older programs left behind: permissions that named only an agent and a tool, an index that tasks_recent replaced,
-- and the older word for the team whose agents take part in a room.
DROP TABLE IF EXISTS tool_rules;
DROP INDEX IF EXISTS idx_tasks_status;
UPDATE room_setups SET body = REPLACE(body, '"cast":{"drawing":', '"cast":{"team":') WHERE body LIKE '%"cast":{"drawing":%';
