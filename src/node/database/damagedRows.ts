/**
 * Rows that cannot be read, because what is stored in them is damaged. Lists leave them out, so that one damaged row
 * does not keep all others from being read. They are logged, counted in a gauge, and forgotten once they were deleted,
 * by whatever statement or person.
 */
import type { Meter } from '@opentelemetry/api'
import type { Logger } from 'pino'
import type { DamageSummary } from '#contract/wire/damage.ts'
import type { Row, Value, Statements } from './statements.ts'

/** Reading this row failed. The message is for people and has nothing of the row but its ID. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow'

  readonly table: string
  readonly id: string
  readonly key: readonly Value[]
  readonly part: string

  /**
   * @param key the values of the columns that identify the row, where they are not just the ID
   * @param part what of the row is damaged, where its parts are read apart
   */
  constructor(table: string, id: string, options?: ErrorOptions, key: readonly Value[] = [id], part = '') {
    super(
      `The record ${id} of the table ${table} is damaged and cannot be read. Delete it, or restore a backup.`,
      options,
    )
    this.table = table
    this.id = id
    this.key = key
    this.part = part
  }
}

/** Rows that a page names. */
const maxShown = 20

type Listener = (damage: DamagedRow) => void

/** The damaged rows of a database that this process knows. */
export class DamagedRows {
  readonly #known = new Map<string, DamagedRow>()
  readonly #listeners = new Set<Listener>()

  /** The oldest first. */
  all(): readonly DamagedRow[] {
    return [...this.#known.values()]
  }

  /** Undefined if there are none. */
  summary(): DamageSummary | undefined {
    const all = this.all()
    if (all.length === 0) return undefined
    return { total: all.length, records: all.slice(0, maxShown).map(({ table, id }) => ({ table, id })) }
  }

  /** Calls the listener once for each damaged row, also for those that are known already. @returns a function that ends it */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    for (const damage of this.#known.values()) listener(damage)
    return () => void this.#listeners.delete(listener)
  }

  report(damage: DamagedRow): void {
    const key = keyOf(damage)
    if (this.#known.has(key) || this.#known.size >= maxKnown) return
    this.#known.set(key, damage)
    for (const listener of this.#listeners) listener(damage)
  }

  /** The row was deleted, or can be read again. @param part the only one that can be read; default: all of them */
  forget(table: string, id: string, part?: string): void {
    if (this.#known.size === 0) return
    const key = keyOf({ table, id })
    if (part === undefined || this.#known.get(key)?.part === part) this.#known.delete(key)
  }
}

/** A table may be damaged as a whole. */
const maxKnown = 1000

const keyOf = ({ table, id }: Pick<DamagedRow, 'table' | 'id'>) => JSON.stringify([table, id])

/** The damaged rows of the stack in this process. */
export const damagedRows = new DamagedRows()

interface Watched {
  /** Default: those of the stack. */
  known?: DamagedRows
  /** Forgets those that were deleted. */
  refresh: () => Promise<void>
}

/**
 * Logs each damaged row once, and reports their number as a gauge. The log has no message of what failed: it may quote the
 * record.
 * @returns a function that ends the log
 */
export function watchDamagedRows(
  logger: Pick<Logger, 'error'>,
  meter: Meter | undefined,
  { known = damagedRows, refresh }: Watched,
): () => void {
  meter
    ?.createObservableGauge('damaged_records', { description: 'Stored records that cannot be read' })
    .addCallback(async (result) => {
      await refresh()
      result.observe(known.all().length)
    })
  return known.listen(({ table, id, message, cause }) => {
    logger.error({ fault: cause instanceof Error ? cause.name : 'unknown', table, id }, message)
  })
}

/** The columns that identify a row. */
interface RowName {
  table: string
  /** For people. */
  id: string
  /** Default: the ID. */
  key?: readonly Value[]
  /** Default: none of several. */
  part?: string
}

/** @throws DamagedRow if `read` throws */
export function readNamed<T>({ table, id, key, part = '' }: RowName, read: () => T, known: DamagedRows): T {
  try {
    const value = read()
    known.forget(table, id, part)
    return value
  } catch (cause) {
    const damage = new DamagedRow(table, id, { cause }, key, part)
    known.report(damage)
    throw damage
  }
}

/** Reads a row of the stack. @throws DamagedRow if `read` throws */
export function readRow<T>(table: string, id: string, read: () => T): T {
  return readNamed({ table, id }, read, damagedRows)
}

/** Reads each row of the stack. Rows for which `read` throws are reported and left out. @param columns those that identify a row */
export function readableRows<T>(
  table: string,
  rows: readonly Row[],
  columns: readonly string[],
  read: (row: Row) => T,
): T[] {
  return eachReadable(rows, (row) => {
    const key = columns.map((column) => row[column] as Value) // of the columns of a key, none is of another type
    return readNamed({ table, id: key.map(String).join(' '), key }, () => read(row), damagedRows)
  })
}

/** Without the rows that are damaged. @param read throws DamagedRow for them */
export function eachReadable<T>(rows: readonly Row[], read: (row: Row) => T): T[] {
  return rows.flatMap((row) => tolerant(() => [read(row)]) ?? [])
}

/** Undefined if a damaged row is read meanwhile. */
export function tolerant<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    return undefinedIfDamaged(error)
  }
}

/** For the `catch` of a promise. @throws every other error */
export function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedRow)) throw error
}

/** Rows of one query. */
const batch = 100

interface Known {
  damaged: DamagedRows
  rows: Statements['rows']
  /** The columns whose values identify a row. */
  keyOf: (table: string) => readonly string[]
}

/** Forgets the damaged rows that are not stored any more. */
export async function forgetDeleted({ damaged, rows, keyOf }: Known): Promise<void> {
  const all = damaged.all()
  for (const table of new Set(all.map((damagedRow) => damagedRow.table))) {
    const known = all.filter((damagedRow) => damagedRow.table === table)
    for (let from = 0; from < known.length; from += batch) {
      const some = known.slice(from, from + batch)
      const stored = await storedOf({ table, columns: keyOf(table) }, some, rows)
      for (const { id, key } of some) if (!stored.has(nameOf(key))) damaged.forget(table, id)
    }
  }
}

async function storedOf(
  { table, columns }: { table: string; columns: readonly string[] },
  some: readonly DamagedRow[],
  rows: Statements['rows'],
): Promise<ReadonlySet<string>> {
  const isOne = `(${columns.map((column) => `${column} = ?`).join(' AND ')})`
  const found = await rows(
    `SELECT ${columns.join(', ')} FROM ${table} WHERE ${some.map(() => isOne).join(' OR ')}`,
    some.flatMap(({ key }) => [...key]),
  )
  return new Set(found.map((row: Row) => nameOf(columns.map((column) => row[column]))))
}

/** A server returns large numbers as texts. */
const nameOf = (key: readonly unknown[]) => JSON.stringify(key.map(String))
