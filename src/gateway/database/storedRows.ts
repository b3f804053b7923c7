/**
 * The one way in which rows are read that have more than plain values: JSON, sealed texts, and words of a list. Lists leave
 * damaged rows out, and one row alone is refused or counts as absent. All of them are reported to the administrators.
 */
import { eachReadable, readNamed, tolerant, forgetDeleted } from '#node/database/damagedRows.ts'
import type { Row, Value } from '#node/database/statements.ts'
import type { Database } from './databaseInterface.ts'

export class StoredRows {
  readonly #database: Pick<Database, 'damaged'>
  readonly #table: StoredTable
  readonly #part?: string

  /** @param part what is read of the rows, where several parts of them are read apart */
  constructor(database: Pick<Database, 'damaged'>, table: StoredTable, part?: string) {
    this.#database = database
    this.#table = table
    this.#part = part
  }

  /** @throws DamagedRow if `read` throws */
  one<T>(row: Row, read: (row: Row) => T): T {
    const name = { ...nameOf(this.#table, row), ...(this.#part !== undefined && { part: this.#part }) }
    return readNamed(name, () => read(row), this.#database.damaged)
  }

  /** Undefined for a row that is absent, and for a damaged one. */
  ifReadable<T>(row: Row | undefined, read: (row: Row) => T): T | undefined {
    return row && tolerant(() => this.one(row, read))
  }

  /** Without damaged rows. */
  each<T>(rows: readonly Row[], read: (row: Row) => T): T[] {
    return eachReadable(rows, (row) => this.one(row, read))
  }

  /**
   * As many readable rows as are wanted, so that a page is not taken for the last one because rows in it are damaged.
   * @param page the rows of a query with this limit and offset
   */
  async page<T>(
    wanted: number,
    page: (limit: number, offset: number) => Promise<Row[]>,
    read: (row: Row) => T,
  ): Promise<T[]> {
    const found: T[] = []
    for (let offset = 0; found.length < wanted;) {
      const limit = wanted - found.length
      const rows = await page(limit, offset)
      found.push(...this.each(rows, read))
      if (rows.length < limit) break
      offset += rows.length
    }
    return found
  }
}

/** Characters of a key that is the hash of a secret: the whole hash is shown nowhere. */
const shownOfHash = 32

function nameOf(table: StoredTable, row: Row) {
  const key = storedTables[table].map((column) => row[column] as Value) // of the columns of a key, none is of another type
  const shown = key.map((value) => (table === 'sessions' ? String(value).slice(0, shownOfHash) : String(value)))
  return { table, id: shown.join(' '), key }
}

/** Forgets the damaged rows that were deleted meanwhile. A database that cannot be reached is reported elsewhere. */
export async function forgetDeletedRows({ damaged, rows }: Pick<Database, 'damaged' | 'rows'>): Promise<void> {
  // `StoredRows` reports no other tables.
  await forgetDeleted({ damaged, rows, keyOf: (table) => storedTables[table as StoredTable] }).catch(() => {})
}

/**
 * The columns that identify a row, for tables that are read with `StoredRows`. `damagedRows.spec.ts` checks that every table is
 * here or among the plain ones, and damages a row of each table that is here.
 */
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
