/** The tables of `console.db`. Each version adds statements at the end; earlier ones never change. */
export const migrations: readonly (readonly string[])[] = [
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
]
