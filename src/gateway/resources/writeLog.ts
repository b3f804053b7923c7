/** Makes a write that is named reach the deployment once: a repeat gets the first outcome, or waits for it. */
import { GatewayError, refusal, type ErrorCode } from '../http/errors.ts'

/** How long an outcome is kept, in milliseconds. In memory: after a restart a repeat is a new write. */
const keptFor = 10 * 60_000

/** Outcomes kept at most, the newest: a person makes far fewer changes in that time, a runaway page must not fill the memory. */
const mostKept = 2_000

/** Outcomes that say that nothing was sent or taken: the same name may try again. */
const retryable: readonly ErrorCode[] = ['rateLimited', 'unreachable', 'blocked']

interface Entry<T> {
  fingerprint: string
  outcome: Promise<T>
  until: number
}

export class WriteLog<T> {
  private readonly entries = new Map<string, Entry<T>>()

  /** `fingerprint` tells what is written: the same name for something else is refused. */
  async once(name: string, fingerprint: string, write: () => Promise<T>): Promise<T> {
    this.forgetOld()
    const known = this.entries.get(name)
    if (known && known.fingerprint !== fingerprint) throw refusal(409, 'This write id was used for another change.')
    if (known) return known.outcome
    const entry = { fingerprint, outcome: write(), until: performance.now() + keptFor }
    this.entries.set(name, entry)
    entry.outcome.catch((error: unknown) => {
      if (error instanceof GatewayError && retryable.includes(error.error.code)) this.entries.delete(name)
    })
    return entry.outcome
  }

  /** They stand in the order in which they were made. */
  private forgetOld(): void {
    const now = performance.now()
    for (const [name, { until }] of this.entries) {
      if (until > now && this.entries.size < mostKept) return
      this.entries.delete(name)
    }
  }
}
