/**
 * How processes on one database notice that another one has ended: each adds to its own count at an interval, and one
 * whose count stays the same for a while has ended, by the observations of whoever watches it. Clocks of machines are not
 * compared.
 */
import { createHash } from 'node:crypto'
import { hostname, uptime } from 'node:os'
import { resolve } from 'node:path'

/** Intervals without a beat after which a process has ended. Longer than any pause of a process that works. */
export const endsAfter = 10
/** Beats of this process in which another one did not beat, after which that one has ended: more than `endsAfter`. */
const missedBeats = 12
/** Intervals after a beat in which no other process takes this one for ended. */
export const certainFor = 8

/** A count of beats, as it is stored. */
export interface Beat {
  id: string
  beat: number
}

/** Which beats of others were missed. */
export class MissedBeats {
  #missed = new Map<string, { beat: number; count: number }>()

  /** @param others the counts of now @returns those that have ended, with the count that they were seen with */
  observe(others: readonly Beat[]): Beat[] {
    const before = this.#missed
    this.#missed = new Map(
      others.map(({ id, beat }) => {
        const known = before.get(id)
        return [id, { beat, count: known?.beat === beat ? known.count + 1 : 0 }]
      }),
    )
    return others.filter(({ id }) => (this.#missed.get(id)?.count ?? 0) >= missedBeats)
  }

  /** After an interruption of the database: others may not have reached it either. */
  forget(): void {
    this.#missed.clear()
  }
}

/** By clocks that nobody sets: the monotonic one, and the time since boot, which goes on while the machine sleeps. */
export interface Moment {
  monotonic: number
  boot: number
}

export function moment(): Moment {
  return { monotonic: performance.now(), boot: uptime() * 1000 }
}

/** Milliseconds, by the clock that counted more. */
export function elapsedSince({ monotonic, boot }: Moment): number {
  const now = moment()
  return Math.max(now.monotonic - monotonic, now.boot - boot)
}

/** The name of a data directory on this machine, which one process uses at a time. */
export function placeOf(dataDir: string): string {
  return createHash('sha256')
    .update(`${hostname()} ${resolve(dataDir)}`)
    .digest('base64url')
}
