/** Sends a write with an id once: a repeated request gets the first outcome, or waits for it. Other consoles: `sharedWrites.ts`. */
import { ApiFailure, refusal, type ErrorCode } from '#node/upstream/apiFailure.ts'

/** Milliseconds that an outcome is retained. In memory: after a restart, a repeated request is a new write. */
const retention = 10 * 60_000

/** The maximum number of outcomes, far more than a person causes in that time. */
const maxEntries = 2_000

/** Errors after which nothing was written, so that the same id may be used again. */
const retryable: readonly ErrorCode[] = ['rateLimited', 'unreachable', 'blocked']

interface Entry<T> {
  fingerprint: string
  outcome: Promise<T>
  until: number
}

export interface Once<T> {
  once(name: string, fingerprint: string, write: () => Promise<T>): Promise<T>
}

export class WriteLog<T> implements Once<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #among?: Once<T>

  /** @param among the consoles of a shared database, which send it once together */
  constructor(among?: Once<T>) {
    this.#among = among
  }

  /** @param fingerprint of the write: the same id with another fingerprint is refused */
  async once(name: string, fingerprint: string, write: () => Promise<T>): Promise<T> {
    this.#evictOld()
    const known = this.#entries.get(name)
    if (known && known.fingerprint !== fingerprint) throw refusal(409, 'This write ID was used for another change.')
    if (known) return known.outcome
    const outcome = this.#among ? this.#among.once(name, fingerprint, write) : write()
    const entry = { fingerprint, outcome, until: performance.now() + retention }
    this.#entries.set(name, entry)
    entry.outcome.catch((error: unknown) => {
      if (isRetryable(error)) this.#entries.delete(name)
    })
    return entry.outcome
  }

  /** The entries are in the order of their creation. */
  #evictOld(): void {
    const now = performance.now()
    for (const [name, { until }] of this.#entries) {
      if (until > now && this.#entries.size < maxEntries) return
      this.#entries.delete(name)
    }
  }
}

/** Whether nothing was written, so that the same id may be used again. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ApiFailure && retryable.includes(error.error.code)
}
