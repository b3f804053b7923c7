/** Steps of `../migrations.ts`: runs, the history of records and the audit log. */

export const runs: readonly string[] = [
  `CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    details BLOB NOT NULL
  )`,
  `CREATE TABLE run_steps (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    state TEXT NOT NULL,
    outcome BLOB,
    step BLOB NOT NULL,
    PRIMARY KEY (run_id, position)
  )`,
  `CREATE TABLE links (
    from_deployment TEXT NOT NULL,
    to_deployment TEXT NOT NULL,
    record TEXT NOT NULL,
    id TEXT NOT NULL,
    base BLOB,
    PRIMARY KEY (from_deployment, to_deployment, record)
  )`,
  `CREATE TABLE mappings (
    from_deployment TEXT NOT NULL,
    to_deployment TEXT NOT NULL,
    reference TEXT NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (from_deployment, to_deployment, reference)
  )`,
]

export const history: readonly string[] = [
  // Versions of records: each is whole, or the difference to the version in `base`.
  `CREATE TABLE versions (
    hash TEXT PRIMARY KEY,
    base TEXT REFERENCES versions (hash),
    bytes BLOB NOT NULL
  ) WITHOUT ROWID`,
  'CREATE INDEX versions_by_base ON versions (base) WHERE base IS NOT NULL',
  `CREATE TABLE records (
    deployment TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    hash TEXT NOT NULL,
    keyframe TEXT NOT NULL,
    first_seen TEXT NOT NULL,
    gone_at TEXT,
    PRIMARY KEY (deployment, kind, id)
  ) WITHOUT ROWID`,
  // Kinds of which a whole list was seen: a record that appears later was created outside of this console.
  `CREATE TABLE lists (
    deployment TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (deployment, kind)
  ) WITHOUT ROWID`,
  `CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    deployment TEXT NOT NULL,
    origin TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    record_id TEXT,
    name TEXT NOT NULL,
    action TEXT NOT NULL,
    cause TEXT NOT NULL,
    actor TEXT,
    run TEXT,
    at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    before TEXT,
    after TEXT,
    fields INTEGER,
    method TEXT,
    path TEXT,
    status INTEGER,
    duration INTEGER,
    request_id TEXT,
    reason TEXT,
    pending BLOB
  )`,
  'CREATE INDEX changes_by_time ON changes (deployment, at)',
  'CREATE INDEX changes_by_record ON changes (deployment, kind, record_id)',
  'CREATE INDEX changes_by_origin ON changes (origin, kind, record_id)',
  `CREATE TABLE snapshot_settings (
    connection_id TEXT PRIMARY KEY,
    minutes INTEGER NOT NULL
  )`,
]

export const historyIndexes: readonly string[] = [
  // The actors of a deployment, without reading all of its changes.
  'CREATE INDEX changes_by_actor ON changes (deployment, actor) WHERE actor IS NOT NULL',
  "CREATE INDEX changes_pending ON changes (seq) WHERE outcome = 'pending'",
]

export const audit: readonly string[] = [
  `CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    address TEXT,
    event TEXT NOT NULL,
    connection_id TEXT,
    subject TEXT,
    outcome TEXT NOT NULL,
    status INTEGER,
    reason TEXT,
    request TEXT NOT NULL,
    begun INTEGER,
    changes TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  )`,
  'CREATE INDEX audit_by_begun ON audit (begun) WHERE begun IS NOT NULL',
  'CREATE INDEX audit_by_event ON audit (event)',
  'CREATE INDEX audit_by_time ON audit (at)',
]

export const owners: readonly string[] = [
  // The console that completes it, by its ID in `consoles`; another one takes it over when that has ended.
  'ALTER TABLE changes ADD COLUMN owner TEXT',
  'ALTER TABLE runs ADD COLUMN owner TEXT',
  // The deployment that a run writes to, while it is under way: `Place.deployment` and `Place.origin`.
  'ALTER TABLE runs ADD COLUMN deployment TEXT',
  'ALTER TABLE runs ADD COLUMN origin TEXT',
]

export const otherWrites: readonly string[] = [
  // On a shared database, a number that grows with each stored state, and the console that stored it: see
  // `history/otherWrites.ts`.
  'ALTER TABLE records ADD COLUMN changed INTEGER',
  'ALTER TABLE records ADD COLUMN writer TEXT',
  'CREATE INDEX records_by_change ON records (deployment, kind, changed) WHERE changed IS NOT NULL',
  // Set while the result is the response of the write: see `history/provisionalResults.ts`.
  'ALTER TABLE changes ADD COLUMN provisional INTEGER',
  'CREATE INDEX changes_provisional ON changes (deployment, kind) WHERE provisional IS NOT NULL',
]

export const auditPeople: readonly string[] = [
  // The account of the actor, if it has one: absent in earlier entries, and not part of what is hashed there.
  'ALTER TABLE audit ADD COLUMN person_id TEXT',
]

/** The last readings of connections, sealed: see `environments/lastReadings.ts`. */
export const lastReadings: readonly string[] = [
  `CREATE TABLE last_readings (
    name TEXT PRIMARY KEY,
    part TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    baseline_id TEXT,
    revision TEXT NOT NULL,
    build TEXT NOT NULL,
    content BLOB NOT NULL
  )`,
  'CREATE INDEX last_readings_by_part ON last_readings (part)',
  'CREATE INDEX last_readings_by_connection ON last_readings (connection_id)',
  'CREATE INDEX last_readings_by_baseline ON last_readings (baseline_id)',
]
