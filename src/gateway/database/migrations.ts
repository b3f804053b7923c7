/** The tables of the console's records: `console.db`, or on the server of `CONSOLE_DATABASE_URL`. */
import type { Migrations } from '#node/database/migrations.ts'

/** The statements of each step. Add a step at the end, and never edit one. */
const steps: readonly (readonly string[])[] = [
  [
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
  ],
  [
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
  ],
  [
    // The actors of a deployment, without reading all of its changes.
    'CREATE INDEX changes_by_actor ON changes (deployment, actor) WHERE actor IS NOT NULL',
    "CREATE INDEX changes_pending ON changes (seq) WHERE outcome = 'pending'",
  ],
  [
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
  ],
  [
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
  ],
  [
    // Four eyes. What is sealed is base64.
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
    // Of a break-glass: absent in all other entries, and not part of what is hashed there.
    'ALTER TABLE audit ADD COLUMN mark TEXT',
  ],
  [
    // Who somebody is at an OpenID Connect provider, with their groups at the last sign-in.
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
  ],
  [
    // The consoles that use this database: see `consoles/presence.ts`.
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
  ],
  [
    // The data directory of a console, by its digest: a start in it shows that the former console has ended.
    'ALTER TABLE consoles ADD COLUMN place TEXT',
  ],
  [
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
  ],
  [
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
  ],
  [
    // The console that completes it, by its ID in `consoles`; another one takes it over when that has ended.
    'ALTER TABLE changes ADD COLUMN owner TEXT',
    'ALTER TABLE runs ADD COLUMN owner TEXT',
    // The deployment that a run writes to, while it is under way: `Place.deployment` and `Place.origin`.
    'ALTER TABLE runs ADD COLUMN deployment TEXT',
    'ALTER TABLE runs ADD COLUMN origin TEXT',
  ],
  [
    // Records that consoles write now: see `consoles/sharedLocks.ts`.
    `CREATE TABLE record_locks (
      name TEXT PRIMARY KEY,
      owner TEXT NOT NULL
    )`,
  ],
  [
    // The console that carries it out, like the owner of a run. Before, the time of its last sign of life told that.
    'ALTER TABLE change_requests ADD COLUMN owner TEXT',
    'ALTER TABLE change_requests DROP COLUMN touched_at',
    'ALTER TABLE api_key_rotations ADD COLUMN owner TEXT',
    // The console that sends it now.
    'ALTER TABLE approval_notices ADD COLUMN owner TEXT',
    // Work of one console at a time: see `consoles/duties.ts`. The time is milliseconds since 1970.
    `CREATE TABLE duties (
      name TEXT PRIMARY KEY,
      owner TEXT,
      begun_at INTEGER NOT NULL
    )`,
  ],
  [
    // On a shared database, a number that grows with each stored state, and the console that stored it: see
    // `history/otherWrites.ts`.
    'ALTER TABLE records ADD COLUMN changed INTEGER',
    'ALTER TABLE records ADD COLUMN writer TEXT',
    'CREATE INDEX records_by_change ON records (deployment, kind, changed) WHERE changed IS NOT NULL',
    // Set while the result is the response of the write: see `history/provisionalResults.ts`.
    'ALTER TABLE changes ADD COLUMN provisional INTEGER',
    'CREATE INDEX changes_provisional ON changes (deployment, kind) WHERE provisional IS NOT NULL',
  ],
  [
    // The rate limits that consoles divide, by the digest of the key: see `consoles/sharedBudgets.ts`. Times are milliseconds.
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
  ],
  [
    // Writes with an id, for some minutes: see `resources/sharedWrites.ts`. The outcome is sealed.
    `CREATE TABLE sent_writes (
      name TEXT PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      owner TEXT NOT NULL,
      at INTEGER NOT NULL,
      outcome BLOB
    )`,
    'CREATE INDEX sent_writes_by_time ON sent_writes (at)',
  ],
  [
    // Whether no other one may start beside it: a command, such as `rotate-key`.
    'ALTER TABLE consoles ADD COLUMN alone INTEGER',
  ],
  [
    // Metrics that were read: see `sampling/sharedSamples.ts`. The revision is that of the connection.
    `CREATE TABLE samplings (
      connection_id TEXT NOT NULL,
      revision TEXT NOT NULL,
      begun_at INTEGER NOT NULL,
      PRIMARY KEY (connection_id, revision)
    )`,
    `CREATE TABLE samples (
      connection_id TEXT NOT NULL,
      revision TEXT NOT NULL,
      at INTEGER NOT NULL,
      pace INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (connection_id, revision, at)
    )`,
    'CREATE INDEX samples_by_time ON samples (at)',
  ],
  [
    // Which database this is, and how many writes it had: see `node/database/storeIdentity.ts`.
    'CREATE TABLE store_identity (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL)',
  ],
  [
    // Of the actor, if it has an account: absent in earlier entries, and not part of what is hashed there.
    'ALTER TABLE audit ADD COLUMN person_id TEXT',
  ],
  [
    // One row, with what consoles remember of their clock: see `clockMemory.ts`.
    'CREATE TABLE clock_memory (id INTEGER PRIMARY KEY, memory TEXT NOT NULL)',
  ],
  [
    // Seeded connections that come and go with what they lead to: see `connections/temporaryConnections.ts`.
    'CREATE TABLE temporary_connections (id TEXT PRIMARY KEY, base_url TEXT NOT NULL)',
  ],
  [
    // Deployments that release pipelines reported: see `markers/reportedMarkers.ts`.
    `CREATE TABLE markers (
      connection_id TEXT NOT NULL,
      id TEXT NOT NULL,
      at TEXT NOT NULL,
      title TEXT NOT NULL,
      service TEXT,
      version TEXT,
      text TEXT,
      url TEXT,
      actor TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (connection_id, id)
    )`,
    'CREATE INDEX markers_by_time ON markers (connection_id, at)',
    'CREATE INDEX markers_by_creation ON markers (connection_id, created_at)',
    // Versions that appeared in telemetry, and the range that was looked at: see `markers/foundDeployments.ts`.
    `CREATE TABLE found_versions (
      connection_id TEXT NOT NULL,
      deployment TEXT NOT NULL,
      service TEXT NOT NULL,
      version TEXT NOT NULL,
      first_at TEXT NOT NULL,
      is_new INTEGER NOT NULL,
      PRIMARY KEY (connection_id, deployment, service, version)
    )`,
    `CREATE TABLE version_searches (
      connection_id TEXT NOT NULL,
      deployment TEXT NOT NULL,
      from_at TEXT NOT NULL,
      to_at TEXT NOT NULL,
      PRIMARY KEY (connection_id, deployment)
    )`,
  ],
  [
    // Bytes that services used in five minutes each: see `sampling/serviceLoads.ts`.
    `CREATE TABLE service_loads (
      connection_id TEXT NOT NULL,
      revision TEXT NOT NULL,
      service_id TEXT NOT NULL,
      at INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      low INTEGER NOT NULL,
      high INTEGER NOT NULL,
      total INTEGER NOT NULL,
      measurements INTEGER NOT NULL,
      PRIMARY KEY (connection_id, revision, service_id, at)
    )`,
    'CREATE INDEX service_loads_by_time ON service_loads (at)',
  ],
  [
    // The agent that asked for a change, and the tools by which agents may change a connection without approval.
    'ALTER TABLE change_requests ADD COLUMN agent TEXT',
    'ALTER TABLE approval_settings ADD COLUMN agent_tools TEXT',
  ],
]

export const migrations: Migrations = { both: steps.map((step) => step.join(';\n')), sortsByBytes: true }
