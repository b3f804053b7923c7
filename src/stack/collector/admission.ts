/** Bounds what the collector holds in memory at once. What does not fit is turned away before it is acknowledged. */
import { Refused } from './refused.ts'

export interface AdmissionLimits {
  /** Bytes of requests, decompressed, that may be under way at once. */
  maxBytesInFlight: number
  maxRequestsInFlight: number
}

/** One admitted request. */
export interface Ticket {
  /** Takes further bytes. Throws `Refused` when they do not fit. */
  grow(bytes: number): void
  /** Gives everything back; a second call does nothing. */
  release(): void
}

export class Admission {
  bytes = 0
  requests = 0
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
    let open = true
    return {
      grow: (more) => {
        this.#take(more)
        held += more
      },
      release: () => {
        if (!open) return
        open = false
        this.bytes -= held
        this.requests -= 1
      },
    }
  }

  #take(bytes: number): void {
    if (this.bytes + bytes > this.#limits.maxBytesInFlight) throw overloaded()
    this.bytes += bytes
  }
}

function overloaded(): Refused {
  return new Refused('overloaded', 'the collector is busy: try again in a moment')
}
