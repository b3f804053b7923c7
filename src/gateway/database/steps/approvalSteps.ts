/** Steps of `../migrations.ts`: two-person approval. */

export const approvals: readonly string[] = [
  // Two-person approval. What is sealed is base64.
  `CREATE TABLE approval_settings (
    connection_id TEXT PRIMARY KEY,
    four_eyes INTEGER NOT NULL,
    notification TEXT
  )`,
  `CREATE TABLE break_glass (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL,
    person_id TEXT,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    ended_at TEXT
  )`,
  'CREATE INDEX break_glass_by_connection ON break_glass (connection_id, ends_at)',
  `CREATE TABLE change_requests (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    connection_id TEXT NOT NULL,
    state TEXT NOT NULL,
    origin TEXT NOT NULL,
    title TEXT NOT NULL,
    reason TEXT NOT NULL,
    requester_id TEXT NOT NULL,
    requester TEXT NOT NULL,
    requester_by TEXT NOT NULL,
    need TEXT NOT NULL,
    changes INTEGER NOT NULL,
    opened_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    decided_at TEXT,
    decided_by TEXT,
    decider_id TEXT,
    run_id TEXT,
    digest TEXT,
    revision INTEGER NOT NULL,
    touched_at TEXT NOT NULL,
    sealed TEXT NOT NULL,
    approved TEXT
  )`,
  'CREATE INDEX change_requests_by_state ON change_requests (state)',
  `CREATE TABLE change_request_events (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES change_requests (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    actor TEXT,
    body TEXT
  )`,
  'CREATE INDEX change_request_events_by_request ON change_request_events (request_id, at)',
  `CREATE TABLE change_request_outcomes (
    request_id TEXT NOT NULL REFERENCES change_requests (id) ON DELETE CASCADE,
    change_key TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    PRIMARY KEY (request_id, change_key)
  )`,
  `CREATE TABLE approval_notices (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL,
    event TEXT NOT NULL,
    at TEXT NOT NULL,
    next_at TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    problem TEXT,
    sealed TEXT NOT NULL
  )`,
  'CREATE INDEX approval_notices_by_state ON approval_notices (state, next_at)',
  // Marks a break-glass entry. Other entries have none, and their hashes leave it out.
  'ALTER TABLE audit ADD COLUMN mark TEXT',
]

export const approvalOwners: readonly string[] = [
  // The console that carries it out, like the owner of a run. Before, the time of its last sign of life told that.
  'ALTER TABLE change_requests ADD COLUMN owner TEXT',
  'ALTER TABLE change_requests DROP COLUMN touched_at',
  'ALTER TABLE api_key_rotations ADD COLUMN owner TEXT',
  // The console that sends it now.
  'ALTER TABLE approval_notices ADD COLUMN owner TEXT',
  // Work of one console at a time: see `cluster/backgroundWork.ts`. The time is milliseconds since 1970.
  `CREATE TABLE duties (
    name TEXT PRIMARY KEY,
    owner TEXT,
    begun_at INTEGER NOT NULL
  )`,
]

export const agentApprovals: readonly string[] = [
  // The agent that asked for a change, and the tools by which agents may change a connection without approval.
  'ALTER TABLE change_requests ADD COLUMN agent TEXT',
  'ALTER TABLE approval_settings ADD COLUMN agent_tools TEXT',
]

export const approvalNames: readonly string[] = [
  // The interface calls it two-person approval.
  'ALTER TABLE approval_settings RENAME COLUMN four_eyes TO two_person_approval',
  "UPDATE approval_notices SET event = 'twoPersonApproval.changed' WHERE event = 'fourEyes.changed'",
]
