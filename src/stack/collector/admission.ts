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
}

/** One admitted request. */
export interface Ticket {
  /** Reserves further bytes. Throws `Refused` if they do not fit. */
  grow(bytes: number): void
  /** Reserves the records of the request and their decoded bytes. Throws `Refused` if they do not fit. */
  growDecoded(records: number, bytes: number): void
  /** Releases everything; a second call does nothing. */
  release(): void
}

export class Admission {
  bytes = 0
  requests = 0
  records = 0
  decodedBytes = 0
  readonly #limits: AdmissionLimits

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** Admits a request of so many bytes, or throws `Refused`. */
  admit(bytes: number): Ticket {
    if (this.requests >= this.#limits.maxRequestsInFlight) throw overloaded()
    this.#take(bytes)
    this.requests += 1
    let held = bytes
    let records = 0
    let decoded = 0
    let open = true
    return {
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
      },
      release: () => {
        if (!open) return
        open = false
        this.bytes -= held
        this.records -= records
        this.decodedBytes -= decoded
        this.requests -= 1
      },
    }
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
