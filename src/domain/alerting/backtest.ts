/** The behavior of an alert over windows of the past. */
import type { Group } from './groupState.ts'
import { group } from 'd3-array'
import { replay } from './evaluate.ts'
import type { AlertRule, WindowValues } from './evaluateWindow.ts'
import type { AlertEvent } from './alertEvent.ts'
import { maxSingleGroups } from './summary.ts'
import { violates } from './threshold.ts'

/** From the window in which an alert, or one group of it, fired until it was resolved. */
export interface Firing {
  groupKey: string
  group: Group | null
  /** Start of the first window that fires, epoch milliseconds. */
  start: number
  /** When it would have been sent: the end of that window. */
  firedAt: number
  /** When it would have been resolved. The end of the last window, if it still fires. */
  end: number
  stillFiring: boolean
  durationMs: number
  /** The value that is farthest from OK. */
  peak: number
  /** Number of messages for each channel. 0 if it was part of a summary. */
  messages: number
}

/** One message for each channel. */
interface Message {
  /** Epoch milliseconds. */
  time: number
  /** Null for the summary of many groups. */
  groupKey: string | null
}

export interface Backtest {
  /** Oldest first. */
  firings: Firing[]
  /** The durations of all firings together. */
  firingMs: number
  /** Oldest first. */
  messages: Message[]
}

/** Replays windows that follow each other, oldest first, with the evaluator's own rules. */
export function backtest(rule: AlertRule, windows: readonly WindowValues[]): Backtest {
  const last = windows.at(-1)?.end ?? 0
  const { events } = replay({ ...rule, renotifyIntervalMinutes: null }, windows)
  const firings: Firing[] = []
  const open = new Map<string, Firing>()
  for (const event of events) {
    if (event.state === 'ALERT') {
      const firing = firingOf(event, last)
      firings.push(firing)
      open.set(event.groupKey, firing)
      continue
    }
    const firing = open.get(event.groupKey)
    if (!firing) continue
    open.delete(event.groupKey)
    Object.assign(firing, { end: event.end, durationMs: event.end - firing.firedAt, stillFiring: false, messages: 2 })
  }
  setPeaks(rule, windows, firings)
  const messages = messagesOf(firings)
  return { firings, firingMs: firings.reduce((sum, { durationMs }) => sum + durationMs, 0), messages }
}

/** It fires until the end, unless it is resolved. */
function firingOf({ start, end, value, ...event }: AlertEvent, last: number): Firing {
  return {
    groupKey: event.groupKey,
    group: event.group,
    start,
    firedAt: end,
    end: last,
    stillFiring: true,
    durationMs: last - end,
    peak: value,
    messages: 1,
  }
}

function setPeaks(rule: AlertRule, windows: readonly WindowValues[], firings: readonly Firing[]): void {
  const isWorse = isWorseBy(rule)
  const firstAt = new Map(windows.map(({ start }, at) => [start, at]))
  for (const firing of firings) {
    for (let at = firstAt.get(firing.start) ?? windows.length; at < windows.length; at++) {
      const window = windows[at]
      if (!window || window.end > firing.end || (!firing.stillFiring && window.end === firing.end)) break
      for (const { key, value } of window.values) {
        if (key === firing.groupKey && violates(rule, value) && isWorse(value, firing.peak)) firing.peak = value
      }
    }
  }
}

/** Whether a value is farther from OK than another. */
export function isWorseBy({
  threshold,
  thresholdType,
  thresholdMax,
}: AlertRule): (value: number, than: number) => boolean {
  if (thresholdType === 'below' || thresholdType === 'below_or_equal') return (value, than) => value < than
  if (thresholdType === 'not_between' || thresholdType === 'not_equal') {
    const middle = (threshold + (thresholdMax ?? threshold)) / 2
    return (value, than) => Math.abs(value - middle) > Math.abs(than - middle)
  }
  return (value, than) => value > than
}

/** Groups that fire together are one summary, and so is their end. */
function messagesOf(firings: readonly Firing[]): Message[] {
  const messages: Message[] = []
  for (const [time, together] of group(firings, ({ firedAt }) => firedAt)) {
    if (together.length > maxSingleGroups) {
      for (const firing of together) firing.messages = 0
      messages.push({ time, groupKey: null })
      if (together.every(({ stillFiring }) => !stillFiring)) {
        messages.push({ time: Math.max(...together.map(({ end }) => end)), groupKey: null })
      }
      continue
    }
    for (const { groupKey, end, stillFiring } of together) {
      messages.push({ time, groupKey }, ...(stillFiring ? [] : [{ time: end, groupKey }]))
    }
  }
  return messages.toSorted((a, b) => a.time - b.time)
}
