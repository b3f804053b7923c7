/**
 * How many missed windows of an alert are read at once. What is too much for one statement, after a pause of the evaluator,
 * is read in smaller parts, oldest first, so that it always ends.
 */
import type { AlertWindow } from '#domain/alerting/schedule.ts'
import type { Answer } from './reading/reader.ts'

export class CatchUpLimits {
  /** By alert. Alerts that are not in it are read at once. */
  readonly #most = new Map<string, number>()

  /** The windows to read now. */
  limit(alertId: string, windows: readonly AlertWindow[]): readonly AlertWindow[] {
    return windows.slice(0, this.#most.get(alertId))
  }

  /** Learns from an answer to so many windows. */
  learn(alertId: string, windows: number, answer: Answer): void {
    if ('error' in answer) {
      if (answer.tooMuch && windows > 1) this.#most.set(alertId, Math.ceil(windows / 2))
      return
    }
    const most = this.#most.get(alertId)
    if (most === undefined) return
    // Fewer windows were left than could be read.
    if (windows < most) this.#most.delete(alertId)
    else this.#most.set(alertId, most * 2)
  }
}
