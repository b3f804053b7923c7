/**
 * How damaged rows are treated, for each table. `damagedRows.spec.ts` checks that every table is in one of the two lists, and
 * damages a row of each table that is read with `StoredRows`.
 */

/** The columns that identify a row, for tables that are read with `StoredRows`. */
export const storedTables = {
  api_key_rotations: ['id'],
  approval_notices: ['id'],
  approval_settings: ['connection_id'],
  audit: ['seq'],
  break_glass: ['id'],
  change_request_events: ['id'],
  change_request_outcomes: ['request_id', 'change_key'],
  change_requests: ['id'],
  changes: ['seq'],
  connections: ['id'],
  identities: ['issuer', 'subject'],
  links: ['from_deployment', 'to_deployment', 'record'],
  mappings: ['from_deployment', 'to_deployment', 'reference'],
  passkeys: ['id'],
  people: ['id'],
  personal_tokens: ['id'],
  provider_sessions: ['session_id'],
  record_matches: ['id'],
  records: ['deployment', 'kind', 'id'],
  run_steps: ['run_id', 'position'],
  runs: ['id'],
  saved_statements: ['id'],
  samples: ['connection_id', 'revision', 'at'],
  sent_writes: ['name'],
  sessions: ['hash'],
  shared_links: ['id'],
  versions: ['hash'],
} as const satisfies Record<string, readonly string[]>

export type StoredTable = keyof typeof storedTables

const plain = 'has only IDs, numbers and times, which are compared in SQL: a row that does not match is not found'

/** Tables without anything that could fail to be read, and why. */
export const plainTables: Readonly<Record<string, string>> = {
  budget_portions: plain,
  clock_memory: 'a memory that cannot be read is none: the clock begins without it',
  console_keys: 'a start stops without its keys, because nothing else decrypts the rest',
  consoles: plain,
  duties: plain,
  list_revisions: plain,
  found_versions: 'has only texts, which are shown as they are',
  last_readings: 'what cannot be read is read from the deployment again',
  lists: plain,
  markers: 'has only texts, which are shown as they are',
  migrations: 'a start stops when it cannot tell the version of the records',
  record_locks: plain,
  request_budgets: plain,
  samplings: plain,
  service_loads: plain,
  size_loads: plain,
  size_predictions: plain,
  sign_in_attempts: plain,
  sign_in_links: plain,
  snapshot_settings: plain,
  temporary_connections: plain,
  store_identity: 'a start stops for a database with another identity',
  used_once: plain,
  version_searches: plain,
}
