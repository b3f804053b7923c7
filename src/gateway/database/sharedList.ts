/**
 * A small list of records that every console holds in memory, because each request needs it. A change is made to what is
 * stored, is stored first and is then in memory. Other consoles see by its revision that there is one.
 */
import type { z } from 'zod'
import type { Row, Statements } from '#node/database/statements.ts'
import type { Database } from './databaseInterface.ts'
import { StoredRows } from './storedRows.ts'

interface ListDependencies<T> {
  database: Pick<Database, 'rows' | 'transact' | 'damaged'>
  table: 'connections' | 'record_matches'
  schema: z.ZodType<T>
}

interface Stored<T> {
  /** How often the list was changed. */
  revision: number
  records: ReadonlyMap<string, T>
  /** IDs of records that are stored and damaged. */
  damaged: ReadonlySet<string>
}

export class SharedList<T extends { id: string }> {
  #held: Stored<T> = { revision: -1, records: new Map(), damaged: new Set() }

  readonly #stored: StoredRows

  readonly #dependencies: ListDependencies<T>

  private constructor(dependencies: ListDependencies<T>) {
    this.#dependencies = dependencies
    this.#stored = new StoredRows(dependencies.database, dependencies.table)
  }

  static async open<T extends { id: string }>(dependencies: ListDependencies<T>): Promise<SharedList<T>> {
    const list = new SharedList(dependencies)
    await list.refresh()
    return list
  }

  /** How often the list was changed. */
  get revision(): number {
    return this.#held.revision
  }

  /** In the order in which they were added, without damaged ones. */
  all(): readonly T[] {
    return [...this.#held.records.values()]
  }

  get(id: string): T | undefined {
    return this.#held.records.get(id)
  }

  /** Whether a record with this ID is stored, also a damaged one. */
  has(id: string): boolean {
    return this.#held.records.has(id) || this.#held.damaged.has(id)
  }

  /**
   * Replaces the list. No change of any console comes in between. Damaged records stay as they are, until one is written with
   * the same ID.
   * @param work gets what is stored, and returns records that stay as they are as the same objects
   * @throws what `work` throws, and what `Database.transact` throws: nothing was changed
   */
  async change(work: (records: readonly T[]) => readonly T[]): Promise<void> {
    const { table } = this.#dependencies
    const changed = await this.#dependencies.database.transact(async (transaction) => {
      const stored = await this.#read(transaction)
      const wanted = new Map(work([...stored.records.values()]).map((record) => [record.id, record]))
      const gone = [...stored.records.keys()].filter((id) => !wanted.has(id))
      const written = [...wanted.values()].filter((record) => stored.records.get(record.id) !== record)
      if (gone.length === 0 && written.length === 0) return stored
      for (const id of gone) await transaction.run(`DELETE FROM ${table} WHERE id = ?`, [id])
      for (const record of written) {
        await transaction.run(
          `INSERT INTO ${table} (id, position, record) VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM ${table}), ?)
            ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
          [record.id, JSON.stringify(record)],
        )
      }
      await countRevision(transaction, table)
      const damaged = new Set([...stored.damaged].filter((id) => !wanted.has(id)))
      return { revision: stored.revision + 1, records: wanted, damaged }
    })
    this.#adopt(changed)
  }

  /** Removes a record that is stored and damaged. @returns whether there was one */
  async removeDamaged(id: string): Promise<boolean> {
    const { table } = this.#dependencies
    const left = await this.#dependencies.database.transact(async (transaction) => {
      const stored = await this.#read(transaction)
      if (!stored.damaged.has(id)) return undefined
      await transaction.run(`DELETE FROM ${table} WHERE id = ?`, [id])
      const revision = await countRevision(transaction, table)
      return { ...stored, revision, damaged: new Set([...stored.damaged].filter((other) => other !== id)) }
    })
    if (left) this.#adopt(left)
    return left !== undefined
  }

  /**
   * Follows what other consoles have changed.
   * @param seen the revisions of all lists, by name, if they were read already
   * @returns ids of records that are not as they were
   */
  async refresh(seen?: ReadonlyMap<string, number>): Promise<string[]> {
    const { rows } = this.#dependencies.database
    const revision = seen
      ? (seen.get(this.#dependencies.table) ?? 0)
      : await revisionIn({ rows }, this.#dependencies.table)
    if (revision <= this.#held.revision) return []
    const before = this.#held.records
    // Records that are newer than this revision are read again the next time.
    const found = await this.#recordsIn({ rows })
    if (!this.#adopt({ revision, ...found })) return []
    const { records } = found
    const ids = new Set([...before.keys(), ...records.keys()])
    return [...ids].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(records.get(id)))
  }

  /** Rows read before a change of this console do not replace it. */
  #adopt(read: Stored<T>): boolean {
    if (read.revision <= this.#held.revision) return false
    this.#held = read
    return true
  }

  async #read(from: Pick<Statements, 'rows'>): Promise<Stored<T>> {
    return { revision: await revisionIn(from, this.#dependencies.table), ...(await this.#recordsIn(from)) }
  }

  async #recordsIn({ rows }: Pick<Statements, 'rows'>): Promise<Omit<Stored<T>, 'revision'>> {
    const found = await rows(`SELECT id, record FROM ${this.#dependencies.table} ORDER BY position`)
    const records = new Map(
      this.#stored.each(found, (row) => [String(row['id']), recordIn(row, this.#dependencies.schema)]),
    )
    return { records, damaged: new Set(found.map(({ id }) => String(id)).filter((id) => !records.has(id))) }
  }
}

/** The record of a row. @throws for a damaged one: read it with `StoredRows` */
export function recordIn<T extends { id: string }>({ id, record }: Row, schema: z.ZodType<T>): T {
  const parsed = schema.parse(JSON.parse(String(record)))
  if (parsed.id !== id) throw new TypeError('The text is not the record with this ID.')
  return parsed
}

async function revisionIn({ rows }: Pick<Statements, 'rows'>, table: string): Promise<number> {
  const [row] = await rows('SELECT revision FROM list_revisions WHERE name = ?', [table])
  return Number(row?.['revision'] ?? 0)
}

/**
 * Counts a change in the table of revisions: how often each thing was changed that consoles hold in memory. Part of the
 * transaction that makes it, or right after it.
 * @returns the new revision
 */
export async function countRevision({ rows }: Statements, name: string): Promise<number> {
  const [row] = await rows(
    `INSERT INTO list_revisions (name, revision) VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET revision = list_revisions.revision + 1 RETURNING revision`,
    [name],
  )
  return Number(row?.['revision'])
}
