/** The fields that the backtest reads and writes in the form of an alert. */
import type { PastSilence } from '#domain/alerting/silence.ts'

export interface BacktestValues {
  source: string
  dashboardId: string
  tileId: string
  savedSearchId: string
  groupBy: string
  interval: string
  scheduleOffsetMinutes: number | null
  scheduleStartAt: string
  thresholdType: string
  threshold: number | null
  thresholdMax: number | null
  numConsecutiveWindows: number | null
}

export type NumberField = 'threshold' | 'thresholdMax' | 'numConsecutiveWindows'

export interface BacktestFields {
  values: BacktestValues
  /** The silences of the stored alert. */
  silences: readonly PastSilence[]
  setNumber: (field: NumberField, value: number) => void
  /** Windows begin at multiples of their length. */
  removeOffset: () => void
}
