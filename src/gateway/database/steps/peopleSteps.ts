/** Steps of `../migrations.ts`: people, how they sign in, and their sessions. */

export const people: readonly string[] = [
  // Roles are JSON: the roles on single connections by their IDs.
  `CREATE TABLE people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    roles TEXT NOT NULL,
    state TEXT NOT NULL,
    password TEXT,
    created_at TEXT NOT NULL,
    seen_at TEXT
  )`,
  // One-time links by the hash of their token. A link without a person opens the console as administrator.
  `CREATE TABLE sign_in_links (
    hash TEXT PRIMARY KEY,
    person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
    expires_at TEXT NOT NULL
  )`,
  `CREATE TABLE personal_tokens (
    id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    secret_end TEXT NOT NULL,
    role TEXT NOT NULL,
    connections TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT
  )`,
]

export const identities: readonly string[] = [
  // The accounts of people at OpenID Connect providers, with their groups at the last sign-in.
  `CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    group_names TEXT NOT NULL,
    signed_in_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (issuer, subject)
  )`,
  'CREATE INDEX identities_by_person ON identities (person_id)',
  // Sessions that were started with a provider, by their public IDs.
  `CREATE TABLE provider_sessions (
    session_id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    sid TEXT,
    id_token TEXT NOT NULL,
    started_at TEXT NOT NULL
  )`,
  'CREATE INDEX provider_sessions_by_subject ON provider_sessions (issuer, subject)',
  `CREATE TABLE passkeys (
    id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    credential TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    counter BIGINT NOT NULL,
    transports TEXT NOT NULL,
    synced INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    used_at TEXT
  )`,
  'CREATE INDEX passkeys_by_person ON passkeys (person_id)',
  // Challenges, transactions and sign-out tokens that were used, until they expire.
  `CREATE TABLE used_once (
    hash TEXT PRIMARY KEY,
    expires_at TEXT NOT NULL
  )`,
]

export const sessions: readonly string[] = [
  // The consoles that use this database: see `cluster/presence.ts`.
  `CREATE TABLE consoles (
    id TEXT PRIMARY KEY,
    beat INTEGER NOT NULL
  )`,
  // Times are milliseconds since 1970.
  `CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    way TEXT,
    browser TEXT NOT NULL,
    address TEXT NOT NULL,
    person TEXT
  )`,
  'CREATE INDEX sessions_by_person ON sessions (person)',
  // The link that a console printed, until it is used or the console ends.
  'ALTER TABLE sign_in_links ADD COLUMN console TEXT REFERENCES consoles (id) ON DELETE CASCADE',
  // Wrong proofs, by the digest of who entered them.
  `CREATE TABLE sign_in_attempts (
    name TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL
  )`,
  'CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (at)',
]

export const agentTokens: readonly string[] = [
  // `agents` for a token that only the MCP server takes.
  'ALTER TABLE personal_tokens ADD COLUMN valid_for TEXT',
]

export const sharedLinks: readonly string[] = [
  // Links for people without an account, by the hash of their token: see `sharedLinks`. Their content is sealed.
  `CREATE TABLE shared_links (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    connection_id TEXT NOT NULL,
    deployment TEXT NOT NULL,
    created_by TEXT,
    creator TEXT NOT NULL,
    name TEXT NOT NULL,
    dashboard_id TEXT,
    shown_range TEXT NOT NULL,
    is_snapshot INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT,
    views INTEGER NOT NULL,
    viewed_at TEXT,
    content BLOB,
    result BLOB
  )`,
  'CREATE INDEX shared_links_by_connection ON shared_links (connection_id, expires_at)',
]

export const savedStatements: readonly string[] = [
  // SQL that people keep on a connection. The statement is sealed. Its version counts its changes.
  `CREATE TABLE saved_statements (
    id TEXT PRIMARY KEY,
    connection_id TEXT NOT NULL,
    name TEXT NOT NULL,
    statement BLOB NOT NULL,
    author TEXT NOT NULL,
    created_at TEXT NOT NULL,
    changed_by TEXT,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
  )`,
  'CREATE INDEX saved_statements_by_connection ON saved_statements (connection_id)',
]

export const usedStatements: readonly string[] = ['ALTER TABLE saved_statements ADD COLUMN used_at TEXT']
