/** The rows of an export request by table, and the records that could not be stored. */
import type Long from 'long'
import type { TelemetryTable } from '../../telemetry/tables.ts'
import type { Message } from '../../collector/otlp/messages.ts'
import { type Instant, instant, millisecondsInstant } from './instants.ts'
import { attributeMap } from './attributeValues.ts'

/**
 * A record that cannot be stored. The message is the reason; the rest of its batch is stored (OTLP: partial success).
 */
export class Unstorable extends Error {}

/** The times that the tables retain. */
export interface TimeWindow {
  /** The time of receipt, which replaces a missing time. */
  arrival: Instant
  /** Whole seconds. */
  oldest: number
  newest: number
  retentionDays: number
}

const day = 86_400

/** Older records would expire right after the response; records far in the future would never expire. */
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

  /** Collects the rows of one table. */
  rowsOf(table: TelemetryTable): object[] {
    let rows = this.#tables.get(table)
    if (!rows) this.#tables.set(table, (rows = []))
    return rows
  }

  /** The rows so far. They belong to the caller from now on. */
  take(): ReadonlyMap<TelemetryTable, readonly object[]> {
    const taken = this.#tables
    this.#tables = new Map()
    return taken
  }

  /** Adds the row that `build` returns; counts an `Unstorable` one instead. */
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
    // A sender with a wrong clock gives each record a different reason: a few of them are enough.
    if (this.#reasons.size < 5 || this.#reasons.has(reason)) {
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    }
  }

  /** Why records were rejected, for the sender's log. */
  get errorMessage(): string {
    return [...this.#reasons].map(([reason, count]) => (count > 1 ? `${reason} (${count} times)` : reason)).join('; ')
  }

  /** The first of the times that is set, or the time of receipt. */
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

/** The common columns of one resource, converted once. */
export function resourceColumns(resource: Message<'Resource'> | null, schemaUrl: string) {
  const attributes = attributeMap(resource?.attributes ?? [])
  return {
    ServiceName: attributes['service.name'] ?? '',
    ResourceAttributes: attributes,
    ResourceSchemaUrl: schemaUrl,
  }
}

/** The common columns of one instrumentation scope, converted once. */
export function scopeColumns(scope: Message<'Scope'> | null, schemaUrl: string) {
  return {
    ScopeName: scope?.name ?? '',
    ScopeVersion: scope?.version ?? '',
    ScopeAttributes: attributeMap(scope?.attributes ?? []),
    ScopeDroppedAttrCount: scope?.droppedAttributesCount ?? 0,
    ScopeSchemaUrl: schemaUrl,
  }
}

/** Hexadecimal, or empty if the ID has another length or is all zeros, which both mean none. */
export function idText(id: Uint8Array, length: 8 | 16): string {
  if (id.length !== length || id.every((byte) => byte === 0)) return ''
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex')
}
