/**
 * Rows that cannot be read, because what is stored in them is damaged. Lists leave them out, so that one damaged row does not
 * keep all others from being read. They are logged, and counted in a gauge.
 */
import type { Meter } from '@opentelemetry/api'
import type { Logger } from 'pino'
import type { Row } from './statements.ts'

/** Reading this row failed. The message is for people and has nothing of the row but its ID. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow'

  constructor(
    readonly table: string,
    readonly id: string,
    options?: ErrorOptions,
  ) {
    super(
      `The record ${id} of the table ${table} is damaged and cannot be read. Delete it, or restore a backup.`,
      options,
    )
  }
}

type Listener = (damage: DamagedRow) => void

/** The damaged rows that this process knows. */
class DamagedRows {
  private readonly known = new Map<string, DamagedRow>()
  private readonly listeners = new Set<Listener>()

  /** The oldest first. */
  all(): readonly DamagedRow[] {
    return [...this.known.values()]
  }

  /** Calls the listener once for each damaged row, also for those that are known already. @returns a function that ends it */
  listen(listener: Listener): () => void {
    this.listeners.add(listener)
    for (const damage of this.known.values()) listener(damage)
    return () => void this.listeners.delete(listener)
  }

  report(damage: DamagedRow): void {
    const key = keyOf(damage)
    if (this.known.has(key) || this.known.size >= maxKnown) return
    this.known.set(key, damage)
    for (const listener of this.listeners) listener(damage)
  }

  /** The row was deleted, or can be read again. */
  forget(table: string, id: string): void {
    if (this.known.size > 0) this.known.delete(keyOf({ table, id }))
  }
}

/** A table may be damaged as a whole. */
const maxKnown = 1000

const keyOf = ({ table, id }: Pick<DamagedRow, 'table' | 'id'>) => JSON.stringify([table, id])

/** Those of this process. */
export const damagedRows = new DamagedRows()

/** Logs each damaged row once, and reports their number as a gauge. @returns a function that ends the log */
export function watchDamagedRows(logger: Pick<Logger, 'error'>, meter: Meter): () => void {
  meter
    .createObservableGauge('damaged_records', { description: 'Stored records that cannot be read' })
    .addCallback((result) => result.observe(damagedRows.all().length))
  return damagedRows.listen(({ table, id, message, cause }) => logger.error({ err: cause, table, id }, message))
}

/** @throws DamagedRow if `read` throws */
export function readRow<T>(table: string, id: string, read: () => T): T {
  try {
    const value = read()
    damagedRows.forget(table, id)
    return value
  } catch (cause) {
    const damage = new DamagedRow(table, id, { cause })
    damagedRows.report(damage)
    throw damage
  }
}

/**
 * Reads each row. Rows for which `read` throws are reported and left out.
 * @param idOf a column, or a function that returns what identifies the row
 */
export function readableRows<T>(
  table: string,
  rows: readonly Row[],
  idOf: string | ((row: Row) => string),
  read: (row: Row) => T,
): T[] {
  return rows.flatMap((row) => {
    const id = typeof idOf === 'string' ? String(row[idOf]) : idOf(row)
    const found = tolerant(() => readRow(table, id, () => ({ value: read(row) })))
    return found ? [found.value] : []
  })
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
