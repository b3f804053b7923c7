/** When the windows of an alert begin and end: section 1.2 of the alerting reference. Times are epoch milliseconds. */
import { intervalMinutes } from '#contract/alerts.ts'

const minute = 60_000
const hour = 60 * minute

/** The fields of an alert that set its windows. */
export interface Schedule {
  interval: string
  scheduleOffsetMinutes?: number | null | undefined
  scheduleStartAt?: string | null | undefined
}

/** One window: [start, end). It is evaluated once it has ended. */
export interface AlertWindow {
  start: number
  end: number
}

/** The length of a window; null for an interval that is not known here. */
export function windowLength({ interval }: Schedule): number | null {
  const minutes = intervalMinutes(interval)
  return minutes !== null && minutes >= 1 ? minutes * minute : null
}

/**
 * Where windows begin, after a multiple of their length since 1970: the start time, or else the offset. Buckets of
 * queries begin there too, so that a window is always exactly one bucket. Whole seconds, as buckets are.
 */
export function windowPhase(schedule: Schedule): number {
  const length = windowLength(schedule) ?? minute
  const from = anchorOf(schedule) ?? (schedule.scheduleOffsetMinutes ?? 0) * minute
  return modulo(from, length)
}

/** Maximum number of windows of one pass: at most 50, of the last 6 hours for short intervals, else of the last day. */
export function catchUpLimit(length: number): number {
  const reach = length < 15 * minute ? 6 * hour : 24 * hour
  return Math.max(1, Math.min(50, Math.floor(reach / length)))
}

/** The end of the newest window that has ended; null for an interval that is not known here. */
export function newestEnd(schedule: Schedule, now: number): number | null {
  const length = windowLength(schedule)
  if (length === null) return null
  const phase = windowPhase(schedule)
  return phase + Math.floor((now - phase) / length) * length
}

/** The windows to evaluate, and whether earlier ones are lost because they ended too long ago. */
export interface DueWindows {
  windows: AlertWindow[]
  lost: boolean
}

/**
 * The windows that have ended and were not evaluated, oldest first.
 *
 * @param done the end of the last evaluated window; null if there is none: then only the newest window is due
 */
export function dueWindows(schedule: Schedule, now: number, done: number | null): DueWindows {
  const length = windowLength(schedule)
  const latest = newestEnd(schedule, now)
  if (length === null || latest === null) return { windows: [], lost: false }
  const phase = windowPhase(schedule)
  const anchor = anchorOf(schedule) ?? -Infinity
  const next = done === null ? latest : phase + (Math.floor((done - phase) / length) + 1) * length
  const reachable = latest - (catchUpLimit(length) - 1) * length
  const windows: AlertWindow[] = []
  for (let end = Math.max(next, reachable); end <= latest; end += length) {
    if (end - length >= anchor) windows.push({ start: end - length, end })
  }
  return { windows, lost: next < reachable }
}

function anchorOf({ scheduleStartAt }: Schedule): number | undefined {
  const time = scheduleStartAt ? Date.parse(scheduleStartAt) : NaN
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000) * 1000
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
