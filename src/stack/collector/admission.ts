/** Limits the memory of the collector. Requests beyond the limits are rejected. */
import type { Meter } from '@opentelemetry/api'
import { Refused } from './refusedExport.ts'

export interface AdmissionLimits {
  /** Total bytes of concurrent requests, decompressed. */
  maxBytesInFlight: number
  maxRequestsInFlight: number
  /** Total log records, spans and data points of those requests. */
  maxRecordsInFlight: number
  /** Total decoded bytes of those requests. A single request may exceed it. */
  maxDecodedBytesInFlight: number
  /** Milliseconds. While a request waits longer to be stored, others are refused: they would wait as long. */
  maxStoreWait: number
}

/** One admitted request. */
export interface Ticket {
  /** Reserves further bytes. Throws `Refused` if they do not fit. */
  grow(bytes: number): void
  /**
   * Reserves the records of a complete request and their decoded bytes. Throws `Refused` if they do not fit. From then
   * on, the request waits to be stored.
   */
  growDecoded(records: number, bytes: number): void
  /** Releases everything; a second call does nothing. */
  release(): void
}

export class Admission {
  bytes = 0
  requests = 0
  records = 0
  decodedBytes = 0
  /** When each request that waits to be stored began to, oldest first. */
  readonly #waiting = new Map<Ticket, number>()
  readonly #limits: AdmissionLimits

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** Throws `Refused` if no request would be admitted now, however small. */
  check(): void {
    const { maxRequestsInFlight, maxBytesInFlight, maxStoreWait } = this.#limits
    if (this.requests >= maxRequestsInFlight || this.bytes >= maxBytesInFlight) throw overloaded()
    const [oldest] = this.#waiting.values()
    if (oldest !== undefined && performance.now() - oldest >= maxStoreWait) throw overloaded()
  }

  /** Admits a request of so many bytes, or throws `Refused`. */
  admit(bytes: number): Ticket {
    this.check()
    this.#take(bytes)
    this.requests += 1
    let held = bytes
    let records = 0
    let decoded = 0
    let open = true
    const ticket: Ticket = {
      grow: (more) => {
        this.#take(more)
        held += more
      },
      growDecoded: (moreRecords, moreBytes) => {
        const { maxRecordsInFlight, maxDecodedBytesInFlight } = this.#limits
        if (this.records + moreRecords > maxRecordsInFlight) throw overloaded()
        if (this.decodedBytes > 0 && this.decodedBytes + moreBytes > maxDecodedBytesInFlight) throw overloaded()
        this.records += moreRecords
        this.decodedBytes += moreBytes
        records += moreRecords
        decoded += moreBytes
        this.#waiting.set(ticket, performance.now())
      },
      release: () => {
        if (!open) return
        open = false
        this.#waiting.delete(ticket)
        this.bytes -= held
        this.records -= records
        this.decodedBytes -= decoded
        this.requests -= 1
      },
    }
    return ticket
  }

  #take(bytes: number): void {
    if (this.bytes + bytes > this.#limits.maxBytesInFlight) throw overloaded()
    this.bytes += bytes
  }
}

/** The requests that are not stored yet: more of them, or more bytes, than the limits are refused. */
export function measureAdmission(meter: Meter, admission: Admission): void {
  meter
    .createObservableGauge('collector.requests', { unit: '{request}', description: 'Exports that are not stored yet' })
    .addCallback((result) => result.observe(admission.requests))
  meter
    .createObservableGauge('collector.size', { unit: 'By', description: 'Bytes of exports that are not stored yet' })
    .addCallback((result) => result.observe(admission.bytes))
}

function overloaded(): Refused {
  return new Refused('overloaded', 'the collector is busy. Try again in a moment')
}
