// @ts-check
/**
 * Shifts the wall clock of a process, its workers and its child processes: `NODE_OPTIONS='--import <this file>'`. The file
 * in CLOCK_OFFSET_FILE has the seconds, such as `+21600`, and may change at any time. Only `Date` is shifted: the monotonic
 * clock, the time since boot and native code keep the true time.
 */
import { readFileSync } from 'node:fs'

/** Milliseconds for which an offset is used before the file is read again. */
const readEvery = 20

const file = process.env['CLOCK_OFFSET_FILE'] ?? ''
const TrueDate = globalThis.Date
const trueNow = TrueDate.now.bind(TrueDate)
const { performance } = globalThis
let offset = 0
let readAt = -Infinity

function now() {
  if (performance.now() - readAt > readEvery) {
    readAt = performance.now()
    offset = readOffset()
  }
  return trueNow() + offset
}

/** Milliseconds. A file that is being written keeps the last offset. */
function readOffset() {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? offset : Number(text) * 1000
  } catch {
    return offset
  }
}

globalThis.Date = new Proxy(TrueDate, {
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now()] : values, made),
  apply: () => new TrueDate(now()).toString(),
})
