/** A clock for processes, which may be set while they run. */
import { renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The path of libfaketime, which shifts the clock for the engine and SQLite too. Without it, only that of the code in
 * JavaScript is shifted.
 */
const { SOAK_FAKETIME: faketime } = process.env

/** A clock that processes read while they run. */
export interface SettableClock {
  /** Environment variables of a process that has this clock. */
  variables: Record<string, string>
  /** Epoch milliseconds. */
  wall(): number
  /** Sets it, by seconds relative to the true time. */
  set(seconds: number): void
}

/** @param offsetFile is made @param onlyScript shifts the clock only for code in JavaScript */
export function settableClock(offsetFile: string, onlyScript = false): SettableClock {
  let offset = 0
  const set = (seconds: number) => {
    writeFileSync(`${offsetFile}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    renameSync(`${offsetFile}.new`, offsetFile)
    offset = seconds * 1000
  }
  set(0)
  return { variables: clockVariables(offsetFile, onlyScript), wall: () => Date.now() + offset, set }
}

function clockVariables(offsetFile: string, onlyScript: boolean): Record<string, string> {
  if (faketime && !onlyScript) {
    return {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_NO_CACHE: '1',
    }
  }
  const preload = resolve(import.meta.dirname, '../../src/node/testing/clockOffset.mjs')
  return { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`, CLOCK_OFFSET_FILE: offsetFile }
}
