/** The rows and alerts of `alertWorker.ts`, and what has to be sent of them. */
import { replay } from '#domain/alerting/evaluate.ts'
import { minute, sceneStart } from './alertScene.ts'

export const crashServices = ['api', 'cart', 'web']
export const crashThresholds = [1, 2, 3, 4, 5, 6]

/** The records and rows that a worker uses: a folder, or servers that several workers share. */
export interface CrashTarget {
  dataDir: string
  servers?: { databaseUrl: string; clickhouseUrl: string }
  /** The URL of a webhook. Without it nothing is sent, and the outbox fills. */
  webhookUrl?: string
}

export type CrashTask = { type: 'prepare'; minutes: number } | { type: 'pass'; at: number }

/** The body of the webhook: an event as `crashEvents` writes it, with the end of its window in milliseconds. */
export const crashBody = '{{threshold}} {{groupKey}} {{state}} {{endTime}}'

/** Number of rows in a minute: each count lasts for some minutes, longer than a killed process needs to be replaced. */
export function crashRows(service: string, minute: number): number {
  return (Math.floor((minute + 2 * crashServices.indexOf(service)) / 6) * 5) % 7
}

/** Each firing and recovery of so many minutes, according to the rows. */
export function crashEvents(minutes: number): string[] {
  return crashThresholds.flatMap((threshold) => {
    const rule = { alertId: '', grouped: true, threshold, thresholdType: 'above' }
    const windows = Array.from({ length: minutes }, (_, at) => ({
      start: sceneStart + at * minute,
      end: sceneStart + (at + 1) * minute,
      values: crashServices.flatMap((ServiceName) => {
        const value = crashRows(ServiceName, at)
        return value > 0 ? [{ key: `ServiceName:${ServiceName}`, group: { ServiceName }, value }] : []
      }),
    }))
    return replay(rule, windows).events.map(
      ({ groupKey, state, end }) => `${threshold} ${groupKey} ${state} ${(end - sceneStart) / minute}`,
    )
  })
}
