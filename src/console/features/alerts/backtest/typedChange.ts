/** Tells typing, which is likely to go on, from what was chosen, pasted or replaced. */
import type { BacktestValues } from './backtestFields.ts'

type Typed = Pick<BacktestValues, 'groupBy' | 'scheduleOffsetMinutes' | 'scheduleStartAt'>

/** Whether the change of a form is one key in a text field. */
export function isTyped(before: Typed, now: Typed): boolean {
  return (
    isOneKey(before.groupBy, now.groupBy) ||
    before.scheduleOffsetMinutes !== now.scheduleOffsetMinutes ||
    before.scheduleStartAt !== now.scheduleStartAt
  )
}

/** Whether one character was added or removed. */
function isOneKey(before: string, now: string): boolean {
  const [short, long] = before.length < now.length ? [before, now] : [now, before]
  if (long.length - short.length !== 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  return short.slice(at) === long.slice(at + 1)
}
