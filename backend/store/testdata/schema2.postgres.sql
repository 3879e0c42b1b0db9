-- A database of schema 2 in PostgreSQL, like schema2.sql, written by pg_dump.

CREATE TABLE agents_state (
    room_name text NOT NULL,
    agent_name text NOT NULL,
    last_seen_timestamp text NOT NULL,
    status text NOT NULL
);

CREATE TABLE drawings (
    id text NOT NULL,
    name text,
    gateway text,
    head text,
    redo text,
    bases text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    deleted_at timestamp with time zone
);

CREATE TABLE local_config (
    id bigint NOT NULL,
    text text,
    hash text,
    at timestamp with time zone
);

CREATE SEQUENCE local_config_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE local_config_id_seq OWNED BY local_config.id;

CREATE TABLE local_messages (
    seq bigint NOT NULL,
    id text,
    session_key text,
    agent_id text,
    role text,
    text text,
    run_id text,
    idempotency_key text,
    state text,
    model text,
    at timestamp with time zone
);

CREATE SEQUENCE local_messages_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE local_messages_seq_seq OWNED BY local_messages.seq;

CREATE TABLE messages (
    id bigint NOT NULL,
    room_name text NOT NULL,
    sender text NOT NULL,
    message_content text NOT NULL,
    "timestamp" text NOT NULL,
    message_type text NOT NULL,
    client_message_id text DEFAULT ''::text NOT NULL,
    stored_at bigint NOT NULL,
    cause text
);

CREATE SEQUENCE messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE messages_id_seq OWNED BY messages.id;

CREATE TABLE plan_calls (
    id bigint NOT NULL,
    plan_id text,
    proposal_id text,
    at timestamp with time zone,
    body text NOT NULL
);

CREATE SEQUENCE plan_calls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE plan_calls_id_seq OWNED BY plan_calls.id;

CREATE TABLE plan_progress (
    plan_id text NOT NULL,
    task_id text NOT NULL,
    body text NOT NULL
);

CREATE TABLE plan_proposals (
    plan_id text NOT NULL,
    id text NOT NULL,
    body text NOT NULL
);

CREATE TABLE plan_versions (
    plan_id text NOT NULL,
    number bigint NOT NULL,
    body text NOT NULL,
    plan text NOT NULL
);

CREATE TABLE plans (
    id text NOT NULL,
    body text NOT NULL
);

CREATE TABLE questions (
    id text NOT NULL,
    agent text,
    ask_key text,
    waiting boolean,
    body text
);

CREATE TABLE room_agents (
    room_name text NOT NULL,
    agent_name text NOT NULL,
    heard bigint NOT NULL,
    turns bigint NOT NULL,
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    cost_usd numeric NOT NULL,
    unpriced bigint DEFAULT 0 NOT NULL
);

CREATE TABLE room_marks (
    name text NOT NULL,
    value bigint NOT NULL
);

CREATE TABLE room_setups (
    room_name text NOT NULL,
    body text NOT NULL
);

CREATE TABLE rooms (
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE snapshots (
    id text NOT NULL,
    gateway text,
    hash text,
    at timestamp with time zone,
    cause text,
    drawing text,
    agents bigint,
    config bytea
);

CREATE TABLE standing_permissions (
    id text NOT NULL,
    body text
);

CREATE TABLE task_events (
    task_id text NOT NULL,
    seq bigint NOT NULL,
    body text
);

CREATE TABLE tasks (
    id text NOT NULL,
    idempotency_key text,
    status text,
    ord bigint,
    body text,
    seq bigint,
    cancelled boolean DEFAULT false NOT NULL,
    changed bigint DEFAULT 0 NOT NULL
);

CREATE TABLE templates (
    id text NOT NULL,
    name text,
    description text,
    created_at timestamp with time zone,
    deleted_at timestamp with time zone,
    topology bytea
);

CREATE TABLE versions (
    id text NOT NULL,
    drawing text,
    parent text,
    started_at timestamp with time zone,
    at timestamp with time zone,
    cause text,
    label text,
    author text,
    name text,
    "coalesce" text,
    gateway text,
    snapshot text,
    counts text,
    topology bytea
);

ALTER TABLE ONLY local_config ALTER COLUMN id SET DEFAULT nextval('local_config_id_seq'::regclass);

ALTER TABLE ONLY local_messages ALTER COLUMN seq SET DEFAULT nextval('local_messages_seq_seq'::regclass);

ALTER TABLE ONLY messages ALTER COLUMN id SET DEFAULT nextval('messages_id_seq'::regclass);

ALTER TABLE ONLY plan_calls ALTER COLUMN id SET DEFAULT nextval('plan_calls_id_seq'::regclass);

INSERT INTO agents_state VALUES ('r', 's', '2026-11-21T09:00:00Z', 'away');

INSERT INTO drawings VALUES ('d', 'kept', '', 'v2', 'null', '{"local":{"snapshot":"","version":"v1","hash":"h","readAt":"0001-01-01T00:00:00Z"}}', '2026-11-21 09:00:00+00', '2026-11-21 09:00:00+00', NULL);
INSERT INTO drawings VALUES ('gone', 'gone', '', '', 'null', 'null', '2026-11-21 09:00:00+00', '2026-11-21 09:00:00+00', '2026-11-21 09:00:00+00');

INSERT INTO local_config VALUES (1, '{}', 'h', '2026-11-21 09:00:00+00');

INSERT INTO local_messages VALUES (1, 'm', 'agent:a:main', 'a', 'user', 'hello', 'run', '', '', '', '2026-11-21 09:00:00+00');

INSERT INTO messages VALUES (1, 'r', 's', 'the first text', '2026-11-21T09:00:00Z', 'chat', '', 1795251600000, NULL);
INSERT INTO messages VALUES (2, 'r', 's', '第二の文', '2026-11-21T09:00:01Z', 'system', '', 1795251600000, '{"code":"turn_silent"}');

INSERT INTO plan_versions VALUES ('p', 1, '{"number":1,"at":"0001-01-01T00:00:00Z","cause":"","added":0,"removed":0,"changed":0}', 'null');

INSERT INTO plans VALUES ('p', '{"id":"p","name":"","wish":"Add \"wish\": lists","head":0,"rev":0,"tasks":0,"done":0,"waiting":0,"createdAt":"0001-01-01T00:00:00Z","updatedAt":"0001-01-01T00:00:00Z","last":0}');
INSERT INTO plan_proposals VALUES ('p','q','{"id":"q","state":"refused","wish":"Add a switch","at":"2026-11-21T09:00:00Z"}');

INSERT INTO questions VALUES ('q', '', 'k', false, '{"id":"q","agent":"","askedAt":"2026-11-21T09:00:00Z","state":"answered","endedAt":"2026-11-21T09:00:00Z"}');

INSERT INTO room_agents VALUES ('r', 'a', 2, 1, 5, 0, 0, 0);

INSERT INTO room_marks VALUES ('schema', 2);

INSERT INTO room_setups VALUES ('r', '{"room":"r","cast":{"team":"d","agents":["a"]}}');

INSERT INTO rooms VALUES ('r', '2026-11-21 09:00:00+00');

INSERT INTO snapshots VALUES ('snap', 'local', 'h', '2026-11-21 09:00:00+00', 'apply', 'd', 1, '\x1f8b08000000000004ff000200fdff7b7d010000ffff43bfa6a302000000');

INSERT INTO standing_permissions VALUES ('rule', '{"id":"rule","agent":"a","tool":"shell","until":"revoked","since":"2026-11-21T09:00:00Z","uses":0}');

INSERT INTO task_events VALUES ('done', 2, '{"taskId":"done","seq":2,"type":"status","at":"2026-11-21T09:00:00Z"}');
INSERT INTO task_events VALUES ('called-off', 2, '{"taskId":"called-off","seq":2,"type":"status","at":"2026-11-21T09:00:00Z"}');
INSERT INTO task_events VALUES ('mentions', 2, '{"taskId":"mentions","seq":2,"type":"status","at":"2026-11-21T09:00:00Z"}');

INSERT INTO tasks VALUES ('t', 'key of t', 'pending', 1, '{"taskId":"t","sessionId":"of t","taskType":"chat","userPrompt":"prompt of t","status":"pending","progress":0,"createdAt":"2026-11-21T09:00:00Z","updatedAt":"2026-11-21T09:00:00Z"}', 1, false, 1795251600000000000);
INSERT INTO tasks VALUES ('done', 'key of done', 'completed', 2, '{"taskId":"done","sessionId":"s","taskType":"chat","userPrompt":"prompt of done","status":"completed","progress":0,"result":{"text":"ok"},"createdAt":"2026-11-21T09:00:00Z","updatedAt":"2026-11-21T09:00:01Z"}', 2, false, 1795251601000000000);
INSERT INTO tasks VALUES ('called-off', 'key of called-off', 'failed', 3, '{"taskId":"called-off","sessionId":"s","taskType":"chat","userPrompt":"prompt of called-off","status":"failed","progress":0,"cause":{"code":"cancelled"},"createdAt":"2026-11-21T09:00:00Z","updatedAt":"2026-11-21T09:00:02Z"}', 2, true, 1795251602000000000);
INSERT INTO tasks VALUES ('odd', 'key of odd', 'pending', 4, '{"taskId":"odd","sessionId":"\"quoted\" \\ 日本語 \u0000","taskType":"chat","userPrompt":"prompt of odd","status":"pending","progress":0,"createdAt":"2026-11-21T09:00:00Z","updatedAt":"2026-11-21T09:00:00Z"}', 1, false, 1795251600000000000);
INSERT INTO tasks VALUES ('mentions', 'key of mentions', 'completed', 5, '{"taskId":"mentions","sessionId":"other","taskType":"chat","userPrompt":"prompt of mentions","context":{"sessionId":"s"},"status":"completed","progress":0,"createdAt":"2026-11-21T09:00:00Z","updatedAt":"2026-11-21T09:00:00Z"}', 2, false, 1795251600000000000);

INSERT INTO templates VALUES ('tpl', 'template', '', '2026-11-21 09:00:00+00', NULL, '\x1f8b08000000000004ff003500caff7b226e616d65223a226b657074222c226167656e7473223a5b7b226964223a2261222c226e616d65223a22e382a8e383bc227d5d7d010000ffff835422d535000000');

INSERT INTO versions VALUES ('v1', 'd', '', '2026-11-21 09:00:00+00', '2026-11-21 09:00:00+00', 'edit', 'first', '', '', '', '', '', '{"agents":0,"connections":0,"added":0,"removed":0,"changed":0,"moved":0}', '\x1f8b08000000000004ff003500caff7b226e616d65223a226b657074222c226167656e7473223a5b7b226964223a2261222c226e616d65223a22e382a8e383bc227d5d7d010000ffff835422d535000000');
INSERT INTO versions VALUES ('v2', 'd', 'v1', '2026-11-21 09:00:00+00', '2026-11-21 09:00:00+00', 'edit', '', '', 'named', '', '', 'snap', '{"agents":0,"connections":0,"added":0,"removed":0,"changed":0,"moved":0}', '\x1f8b08000000000004ff003500caff7b226e616d65223a226b657074222c226167656e7473223a5b7b226964223a2261222c226e616d65223a22e382a8e383bc227d5d7d010000ffff835422d535000000');

SELECT pg_catalog.setval('local_config_id_seq', 1, false);

SELECT pg_catalog.setval('local_messages_seq_seq', 1, true);

SELECT pg_catalog.setval('messages_id_seq', 1, false);

SELECT pg_catalog.setval('plan_calls_id_seq', 1, false);

ALTER TABLE ONLY agents_state
    ADD CONSTRAINT agents_state_pkey PRIMARY KEY (room_name, agent_name);

ALTER TABLE ONLY drawings
    ADD CONSTRAINT drawings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY local_config
    ADD CONSTRAINT local_config_pkey PRIMARY KEY (id);

ALTER TABLE ONLY local_messages
    ADD CONSTRAINT local_messages_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY plan_calls
    ADD CONSTRAINT plan_calls_pkey PRIMARY KEY (id);

ALTER TABLE ONLY plan_progress
    ADD CONSTRAINT plan_progress_pkey PRIMARY KEY (plan_id, task_id);

ALTER TABLE ONLY plan_proposals
    ADD CONSTRAINT plan_proposals_pkey PRIMARY KEY (plan_id, id);

ALTER TABLE ONLY plan_versions
    ADD CONSTRAINT plan_versions_pkey PRIMARY KEY (plan_id, number);

ALTER TABLE ONLY plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (id);

ALTER TABLE ONLY questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY room_agents
    ADD CONSTRAINT room_agents_pkey PRIMARY KEY (room_name, agent_name);

ALTER TABLE ONLY room_marks
    ADD CONSTRAINT room_marks_pkey PRIMARY KEY (name);

ALTER TABLE ONLY room_setups
    ADD CONSTRAINT room_setups_pkey PRIMARY KEY (room_name);

ALTER TABLE ONLY rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (name);

ALTER TABLE ONLY snapshots
    ADD CONSTRAINT snapshots_pkey PRIMARY KEY (id);

ALTER TABLE ONLY standing_permissions
    ADD CONSTRAINT standing_permissions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY task_events
    ADD CONSTRAINT task_events_pkey PRIMARY KEY (task_id, seq);

ALTER TABLE ONLY tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY templates
    ADD CONSTRAINT templates_pkey PRIMARY KEY (id);

ALTER TABLE ONLY versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (id);

CREATE INDEX by_drawing ON versions USING btree (drawing);

CREATE UNIQUE INDEX idx_local_messages_id ON local_messages USING btree (id);

CREATE INDEX idx_questions_waiting ON questions USING btree (waiting);

CREATE INDEX idx_snapshots_gateway ON snapshots USING btree (gateway);

CREATE UNIQUE INDEX idx_tasks_order ON tasks USING btree (ord);

CREATE INDEX local_by_session ON local_messages USING btree (session_key, run_id);

CREATE UNIQUE INDEX local_once ON local_messages USING btree (session_key, idempotency_key) WHERE (idempotency_key <> ''::text);

CREATE INDEX messages_by_room ON messages USING btree (room_name, id);

CREATE INDEX messages_by_timestamp ON messages USING btree ("timestamp");

CREATE UNIQUE INDEX messages_once ON messages USING btree (room_name, sender, client_message_id) WHERE (client_message_id <> ''::text);


CREATE INDEX messages_told ON messages USING btree (id) WHERE (cause IS NOT NULL);

CREATE INDEX plan_calls_of ON plan_calls USING btree (plan_id, proposal_id);

CREATE UNIQUE INDEX question_once ON questions USING btree (agent, ask_key) WHERE (ask_key <> ''::text);

CREATE UNIQUE INDEX task_once ON tasks USING btree (idempotency_key) WHERE (idempotency_key <> ''::text);

CREATE INDEX tasks_recent ON tasks USING btree (status, cancelled, changed, id);

