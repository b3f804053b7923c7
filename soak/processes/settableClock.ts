/** A clock for processes, which may be set while they run. */
import { renameSync, writeFileSync } from 'node:fs'
import { shiftedClock } from '../../src/node/testing/shiftedClock.ts'

/** A clock that processes read while they run. */
export interface SettableClock {
  /** Environment variables of a process that has this clock. */
  variables: Record<string, string>
  /** Epoch milliseconds. */
  wall(): number
  /** Sets it, by seconds relative to the true time. */
  set(seconds: number): void
}

/**
 * A clock of the code in JavaScript. That of native code stays: libfaketime, which shifts both, can stop a process for good when it
 * starts another one.
 *
 * @param offsetFile is made
 */
export function settableClock(offsetFile: string): SettableClock {
  let offset = 0
  const set = (seconds: number) => {
    writeFileSync(`${offsetFile}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    renameSync(`${offsetFile}.new`, offsetFile)
    offset = seconds * 1000
  }
  set(0)
  return { variables: shiftedClock(offsetFile), wall: () => Date.now() + offset, set }
}
