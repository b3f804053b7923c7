/** Processes whose clock differs from that of the machine. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @returns environment variables of a process whose clock is shifted by the seconds in a file: see `clockOffset.mjs` */
export function shiftedClock(offsetFile: string): { NODE_OPTIONS: string; CLOCK_OFFSET_FILE: string } {
  const preload = pathToFileURL(join(import.meta.dirname, 'clockOffset.mjs')).href
  return { NODE_OPTIONS: `--import ${preload}`, CLOCK_OFFSET_FILE: offsetFile }
}
