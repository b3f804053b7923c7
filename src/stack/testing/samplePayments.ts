/** The values that the firing alert of the sample would read in the hours around the incident, without an engine. */
import type { Alert } from '#contract/stack/alerts.ts'
import { replay } from '#domain/alerting/evaluate.ts'
import type { Evaluation } from '#domain/alerting/evaluation.ts'
import type { WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { windowLength } from '#domain/alerting/schedule.ts'
import { groupOf } from '#domain/alerting/tally.ts'
import { generateSlice, sliceAt } from '../sample/shop.ts'

/** The hours around the incident, by index: it is in the last two of four, because slices begin with the newest. */
export const incidentSlices = [28, 29, 30, 31] as const

const group = groupOf(['ServiceName'], ['shop-payment'])

/** The windows of these hours, and their length. */
export function paymentWindows(
  alert: Pick<Alert, 'interval'>,
  anchor: number,
): { length: number; windows: WindowValues[] } {
  const length = windowLength(alert) ?? 0
  const times = incidentSlices.flatMap((index) => paymentErrors(anchor, index))
  const from = Math.ceil(sliceAt(anchor, 31).start / length) * length
  const windows = Array.from({ length: 15 }, (_, at) => from + at * length).map((start) => {
    const value = times.filter((time) => time >= start && time < start + length).length
    const values = value === 0 ? [] : [{ ...group, value }]
    return { start, end: start + length, values }
  })
  return { length, windows }
}

/** The evaluations of these windows, and of those until `to`, in which nothing failed. */
export function paymentEvaluations(
  alert: Pick<Alert, 'id' | 'interval' | 'threshold' | 'thresholdType'>,
  anchor: number,
  to: number,
): Evaluation[] {
  const { length, windows } = paymentWindows(alert, anchor)
  for (let start = windows.at(-1)?.end ?? to; start + length <= to; start += length)
    windows.push({ start, end: start + length, values: [] })
  return replay({ ...alert, alertId: alert.id, grouped: true }, windows).evaluations
}

/** Times of the logs that the watched saved search finds in a slice. */
function paymentErrors(anchor: number, index: number): number[] {
  return generateSlice(anchor, index)
    .logs.map(({ record }) => record as { timeUnixNano: string; severityText: string; body: { stringValue: string } })
    .filter(({ severityText, body }) => severityText === 'ERROR' && body.stringValue.includes('payment provider'))
    .map(({ timeUnixNano }) => Number(BigInt(timeUnixNano) / 1_000_000n))
}
