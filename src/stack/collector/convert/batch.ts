/** The rows of an export request by table, and the records that could not be stored. */
import type { TelemetryTable } from '../../telemetry/tables.ts'
import { nativeBlock, type NativeBlock } from '../../telemetry/native/nativeBlock.ts'
import type { Column } from '../../telemetry/native/columns.ts'
import type { Fields } from '../otlp/fields.ts'
import type { WireReader } from '../otlp/wireReader.ts'
import { nanosecondsOf, secondsOf } from '../otlp/instants.ts'

/** The times that the tables retain. */
export interface TimeWindow {
  /** The time of receipt, which replaces a missing time. */
  arrival: { low: number; high: number }
  /** Whole seconds. */
  oldest: number
  newest: number
  retentionDays: number
}

const day = 86_400

/**
 * Older records would expire right after the response; records far in the future would never expire.
 *
 * @param now epoch milliseconds
 * @param machineNow the machine's raw clock, in epoch milliseconds. Local senders stamp records with it; it differs from `now`
 *   while a clock step is not confirmed (see `wallClock.ts`)
 */
export function timeWindow(now: number, retentionDays: number, machineNow = now): TimeWindow {
  const arrival = nanosecondsOf(now)
  const seconds = (at: number) => Math.floor(at / 1000)
  const oldest = seconds(Math.min(now, machineNow)) - retentionDays * day
  return { arrival, retentionDays, oldest, newest: seconds(Math.max(now, machineNow)) + day }
}

type Columns = Readonly<Record<string, Column>>

/** The columns of a table while they are written. */
export interface Rows<C extends Columns = Columns> {
  readonly columns: C
  count: number
}

/**
 * Columns of earlier batches, one set for each function that makes them: memory that has grown to the size of a batch is used
 * again. Batches are converted one after the other, so that more sets are not needed.
 */
const spareColumns = new WeakMap<() => Columns, Columns>()

interface MadeRows {
  rows: Rows
  make: () => Columns
}

export class Batch {
  readonly #tables = new Map<TelemetryTable, MadeRows>()
  readonly window: TimeWindow
  rejected = 0
  readonly #reasons = new Map<string, number>()

  constructor(window: TimeWindow) {
    this.window = window
  }

  /** Collects the rows of one table. Each table has one function that makes its columns. */
  rowsOf<C extends Columns>(table: TelemetryTable, make: () => C): Rows<C> {
    let found = this.#tables.get(table)
    if (!found) {
      const columns = spareColumns.get(make) ?? make()
      spareColumns.delete(make)
      this.#tables.set(table, (found = { rows: { columns, count: 0 }, make }))
    }
    // Made by the same function before.
    return found.rows as Rows<C>
  }

  /** The rows so far. They belong to the caller from now on. */
  take(): ReadonlyMap<TelemetryTable, NativeBlock> {
    const blocks = new Map<TelemetryTable, NativeBlock>()
    for (const [table, { rows }] of this.#tables) {
      if (rows.count > 0) blocks.set(table, nativeBlock(rows.columns, rows.count))
    }
    this.discard()
    return blocks
  }

  /** Drops the rows so far. The next batch uses their memory. */
  discard(): void {
    for (const { rows, make } of this.#tables.values()) {
      for (const column of Object.values(rows.columns)) column.clear()
      spareColumns.set(make, rows.columns)
    }
    this.#tables.clear()
  }

  /** Counts a record that cannot be stored. The rest of its batch is stored (OTLP: partial success). */
  reject(reason: string): void {
    this.rejected += 1
    // A sender with a wrong clock gives each record a different reason: a few of them are enough.
    if (this.#reasons.size < 5 || this.#reasons.has(reason)) {
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    }
  }

  /** Why records were rejected, for the sender's log. */
  get errorMessage(): string {
    return [...this.#reasons].map(([reason, count]) => (count > 1 ? `${reason} (${count} times)` : reason)).join('; ')
  }

  /**
   * Reads the time of a record into `low` and `high` of the reader: the first of these fields that is set, or the time of
   * receipt.
   * @returns whether the tables retain that time; otherwise the record is counted as rejected
   */
  readTime(wire: WireReader, record: Fields, ...tags: readonly number[]): boolean {
    if (!tags.some((tag) => record.fixed64(tag))) Object.assign(wire, this.window.arrival)
    const { oldest, newest, retentionDays } = this.window
    const seconds = secondsOf(wire.low, wire.high)
    if (seconds < oldest) {
      this.reject(`time ${dateText(seconds)} is older than the retention of ${retentionDays} days`)
    } else if (seconds > newest) this.reject(`time ${dateText(seconds)} is more than a day in the future`)
    return seconds >= oldest && seconds <= newest
  }
}

function dateText(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString()
}
