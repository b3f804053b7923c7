/**
 * The one way in which rows are read that have more than plain values: JSON, sealed texts, and words of a list. Lists leave
 * damaged rows out, and one row alone is refused or counts as absent. All of them are reported to the administrators.
 */
import { eachReadable, readNamed, tolerant } from '#node/database/damagedRows.ts'
import { forgetDeleted } from '#node/database/forgetDeleted.ts'
import type { Row, Value } from '#node/database/statements.ts'
import type { Database } from './databaseInterface.ts'
import { storedTables, type StoredTable } from './storedTables.ts'

export class StoredRows {
  /** @param part what is read of the rows, where several parts of them are read apart */
  constructor(
    private readonly database: Pick<Database, 'damaged'>,
    private readonly table: StoredTable,
    private readonly part?: string,
  ) {}

  /** @throws DamagedRow if `read` throws */
  one<T>(row: Row, read: (row: Row) => T): T {
    const name = { ...nameOf(this.table, row), ...(this.part !== undefined && { part: this.part }) }
    return readNamed(name, () => read(row), this.database.damaged)
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
