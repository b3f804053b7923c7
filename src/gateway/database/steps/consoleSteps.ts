/** Steps of `../migrations.ts`: connections, and what consoles on one database coordinate. */

export const consolePlaces: readonly string[] = [
  // The data directory of a console, by its digest: a start in it shows that the former console has ended.
  'ALTER TABLE consoles ADD COLUMN place TEXT',
]

export const keyRotations: readonly string[] = [
  // Rotations of API keys of managed connections. The two keys are in the details, which are sealed.
  `CREATE TABLE api_key_rotations (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL,
    old_key TEXT NOT NULL,
    phase TEXT NOT NULL,
    state TEXT NOT NULL,
    done INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    version INTEGER NOT NULL,
    details BLOB NOT NULL
  )`,
  'CREATE UNIQUE INDEX api_key_rotations_open ON api_key_rotations (old_key) WHERE ended_at IS NULL',
]

export const sharedLists: readonly string[] = [
  // Lists that every console holds in memory: see `sharedList.ts`. Records are JSON; the keys in them are sealed.
  `CREATE TABLE connections (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    record TEXT NOT NULL
  )`,
  `CREATE TABLE record_matches (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    record TEXT NOT NULL
  )`,
  // How often each list was changed.
  `CREATE TABLE list_revisions (
    name TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
  )`,
  // The sealed data key, and the salt of CONSOLE_SECRET: see `connections/consoleKeys.ts`.
  `CREATE TABLE console_keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  )`,
]

export const recordLocks: readonly string[] = [
  // Records that consoles write now: see `cluster/sharedLocks.ts`.
  `CREATE TABLE record_locks (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL
  )`,
]

export const requestBudgets: readonly string[] = [
  // The rate limits that consoles divide, by the digest of the key: see `cluster/sharedBudgets.ts`. Times are milliseconds.
  `CREATE TABLE request_budgets (
    name TEXT PRIMARY KEY,
    request_limit REAL,
    request_window REAL,
    paused_until INTEGER NOT NULL,
    paused_for INTEGER NOT NULL
  )`,
  `CREATE TABLE budget_portions (
    name TEXT NOT NULL,
    console TEXT NOT NULL,
    size INTEGER NOT NULL,
    used INTEGER NOT NULL,
    wants INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (name, console)
  )`,
]

export const sentWrites: readonly string[] = [
  // Writes with an id, for some minutes: see `resources/sharedWrites.ts`. The outcome is sealed.
  `CREATE TABLE sent_writes (
    name TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    owner TEXT NOT NULL,
    at INTEGER NOT NULL,
    outcome BLOB
  )`,
  'CREATE INDEX sent_writes_by_time ON sent_writes (at)',
]

export const exclusiveConsoles: readonly string[] = [
  // Whether no other one may start beside it: a command, such as `rotate-key`.
  'ALTER TABLE consoles ADD COLUMN alone INTEGER',
]

export const storeIdentity: readonly string[] = [
  // Which database this is, and how many writes it had: see `node/database/storeIdentity.ts`.
  'CREATE TABLE store_identity (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL)',
]

export const clockMemory: readonly string[] = [
  // One row, with what consoles remember of their clock: see `clockMemory.ts`.
  'CREATE TABLE clock_memory (id INTEGER PRIMARY KEY, memory TEXT NOT NULL)',
]

export const temporaryConnections: readonly string[] = [
  // Seeded connections that come and go with what they lead to: see `connections/seedConnections.ts`.
  'CREATE TABLE temporary_connections (id TEXT PRIMARY KEY, base_url TEXT NOT NULL)',
]
