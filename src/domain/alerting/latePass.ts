/** Whether the evaluation of alerts is late. Times are epoch milliseconds. */

const minute = 60_000
/** Milliseconds from the full minute to the start of its pass: exporters send in batches. */
export const settleMs = 5000

interface LastPass {
  /** The minute that it evaluated. */
  due: number
  /** When it ended. */
  ended: number
}

/**
 * Late by more than a minute: the last pass, or the one that should have followed it by now.
 *
 * @param since when the evaluation could begin, such as the start of the process: a pass is not late before that
 */
export function isLatePass({ due, ended }: LastPass, now: number, since: number): boolean {
  // A pass dated in the future was recorded before the clock was set back: ignore it.
  const last = due > now + minute ? since : Math.max(due, since)
  return ended - due > minute || now - last > 2 * minute + settleMs
}
