/** When the windows of an alert begin and end: docs/DEPLOYMENTS.md#alert-evaluation. Times are epoch milliseconds. */
import { intervalMinutes } from '#contract/stack/alerts.ts'

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

/** A time in which the clock changed, or was not certain: rows of it may have other times, or may not exist. */
export interface UncertainTime {
  start: number
  end: number
}

export interface DueWindows {
  /** To be evaluated, oldest first: those before the next uncertain ones. */
  windows: AlertWindow[]
  /** Not to be evaluated, because the clock changed in them, oldest first. They come before all others if there are any. */
  uncertain: AlertWindow[]
  /** Windows that come after these. */
  hasMore: boolean
  /** Earlier windows ended too long ago, and are never evaluated. */
  lost: boolean
}

/** Windows of an alert that are marked as not evaluated at once, at most: as many as its page shows one by one. */
const maxMarked = 400

/** The share of a window that may be uncertain. A day is worth evaluating although the clock was corrected in it. */
const acceptedUncertainty = 0.1

/**
 * The windows that have ended and were not evaluated.
 *
 * @param done the end of the last evaluated window; null if there is none: then only the newest window is due
 */
export function dueWindows(
  schedule: Schedule,
  now: number,
  done: number | null,
  uncertainTimes: readonly UncertainTime[] = [],
): DueWindows {
  const length = windowLength(schedule)
  const latest = newestEnd(schedule, now)
  if (length === null || latest === null) return { windows: [], uncertain: [], hasMore: false, lost: false }
  const phase = windowPhase(schedule)
  const anchor = anchorOf(schedule) ?? -Infinity
  const next = done === null ? latest : phase + (Math.floor((done - phase) / length) + 1) * length
  const oldest = latest - (maxMarked - 1) * length
  const ended: AlertWindow[] = []
  for (let end = Math.max(next, oldest); end <= latest; end += length) {
    if (end - length >= anchor) ended.push({ start: end - length, end })
  }
  const uncertain = new Set(ended.filter((window) => uncertainShare(window, uncertainTimes) > acceptedUncertainty))
  const certain = ended.filter((window) => !uncertain.has(window))
  const late = new Set(certain.slice(0, -catchUpLimit(length)))
  const due = ended.filter((window) => !late.has(window))
  const isSkipped = due[0] !== undefined && uncertain.has(due[0])
  const change = due.findIndex((window) => uncertain.has(window) !== isSkipped)
  const first = change === -1 ? due : due.slice(0, change)
  return {
    windows: isSkipped ? [] : first,
    uncertain: isSkipped ? first : [],
    hasMore: first.length < due.length,
    lost: late.size > 0 || next < oldest,
  }
}

/** How much of a window is uncertain: 0 to 1. */
function uncertainShare({ start, end }: AlertWindow, times: readonly UncertainTime[]): number {
  const overlaps = times.map((time) => Math.max(0, Math.min(end, time.end) - Math.max(start, time.start)))
  return overlaps.reduce((sum, overlap) => sum + overlap, 0) / (end - start)
}

function anchorOf({ scheduleStartAt }: Schedule): number | undefined {
  const time = scheduleStartAt ? Date.parse(scheduleStartAt) : NaN
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000) * 1000
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
