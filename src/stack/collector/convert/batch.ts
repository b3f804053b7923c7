/** The rows of an export request by table, and the records that could not be stored. */
import type Long from 'long'
import type { TelemetryTable } from '../../telemetry/tables.ts'
import type { Message } from '../otlp/messages.ts'
import { type Instant, instant, millisecondsInstant } from '../otlp/instants.ts'
import { attributeMap } from '../otlp/attributeValues.ts'

/** A record that cannot be stored. The message says why; the rest of its batch is stored (OTLP: partial success). */
export class Unstorable extends Error {}

/** The times that the tables keep. */
export interface TimeWindow {
  /** Arrival of the batch: stands in for a time that is not given. */
  arrival: Instant
  /** Whole seconds. */
  oldest: number
  newest: number
  retentionDays: number
}

const day = 86_400

/** Older than the retention would vanish right after it was acknowledged; far in the future would never end. */
export function timeWindow(now: number, retentionDays: number): TimeWindow {
  const arrival = millisecondsInstant(now)
  return { arrival, retentionDays, oldest: arrival.seconds - retentionDays * day, newest: arrival.seconds + day }
}

export class Batch {
  #tables = new Map<TelemetryTable, object[]>()
  readonly window: TimeWindow
  rejected = 0
  readonly #reasons = new Map<string, number>()

  constructor(window: TimeWindow) {
    this.window = window
  }

  /** The rows of one table, to be added to. */
  rowsOf(table: TelemetryTable): object[] {
    let rows = this.#tables.get(table)
    if (!rows) this.#tables.set(table, (rows = []))
    return rows
  }

  /** The rows so far, which are the caller's from now on. */
  take(): ReadonlyMap<TelemetryTable, readonly object[]> {
    const taken = this.#tables
    this.#tables = new Map()
    return taken
  }

  /** Adds the row that `build` makes; one that is `Unstorable` is counted instead. */
  add(rows: object[], build: () => object): void {
    try {
      rows.push(build())
    } catch (error) {
      if (!(error instanceof Unstorable)) throw error
      this.reject(error.message)
    }
  }

  reject(reason: string): void {
    this.rejected += 1
    // A sender with a broken clock gives each record a reason of its own: a few of them are enough to find it.
    if (this.#reasons.size < 5 || this.#reasons.has(reason)) {
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    }
  }

  /** Why records were refused, for the sender's log. */
  get errorMessage(): string {
    return [...this.#reasons].map(([reason, count]) => (count > 1 ? `${reason} (${count} times)` : reason)).join('; ')
  }

  /** The first of the times that is set, or the arrival. */
  time(...times: Long[]): Instant {
    const time = times.find((time) => time.low !== 0 || time.high !== 0)
    return time ? this.#within(instant(time)) : this.window.arrival
  }

  #within(time: Instant): Instant {
    const { oldest, newest, retentionDays } = this.window
    if (time.seconds < oldest) {
      throw new Unstorable(`time ${dateText(time)} is older than the retention of ${retentionDays} days`)
    }
    if (time.seconds > newest) throw new Unstorable(`time ${dateText(time)} is more than a day in the future`)
    return time
  }
}

function dateText({ seconds }: Instant): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString()
}

/** What all rows of one resource share, converted once. */
export function resourceColumns(resource: Message<'Resource'> | null, schemaUrl: string) {
  const attributes = attributeMap(resource?.attributes ?? [])
  return {
    ServiceName: attributes['service.name'] ?? '',
    ResourceAttributes: attributes,
    ResourceSchemaUrl: schemaUrl,
  }
}

/** What all rows of one instrumentation scope share, converted once. */
export function scopeColumns(scope: Message<'Scope'> | null, schemaUrl: string) {
  return {
    ScopeName: scope?.name ?? '',
    ScopeVersion: scope?.version ?? '',
    ScopeAttributes: attributeMap(scope?.attributes ?? []),
    ScopeDroppedAttrCount: scope?.droppedAttributesCount ?? 0,
    ScopeSchemaUrl: schemaUrl,
  }
}

/** Hexadecimal, or empty where the id has not the length that it must have or is all zeros, which both mean none. */
export function idText(id: Uint8Array, length: 8 | 16): string {
  if (id.length !== length || id.every((byte) => byte === 0)) return ''
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex')
}
