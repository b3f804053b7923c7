/** The fields of the alert form and their titles. */
import type { AlertChannel } from '#contract/stack/alerts.ts'

/** The values of the form: texts are never null, numbers are null while their field is empty. */
export type AlertForm = {
  name: string
  message: string
  note: string
  source: string
  dashboardId: string
  tileId: string
  savedSearchId: string
  groupBy: string
  interval: string
  thresholdType: string
  threshold: number | null
  thresholdMax: number | null
  channels: AlertChannel[]
  /** Offered for deployments that know it. */
  renotifyIntervalMinutes: number | null
  numConsecutiveWindows: number | null
  scheduleOffsetMinutes: number | null
  /** ISO text in UTC. */
  scheduleStartAt: string
}

export type AlertField = keyof AlertForm

/** The label of every field, in the order of the form. */
export const fieldTitles: Record<AlertField, string> = {
  name: 'Name',
  source: 'Query',
  dashboardId: 'Dashboard',
  tileId: 'Tile',
  savedSearchId: 'Saved search',
  groupBy: 'Group by',
  thresholdType: 'Operator',
  threshold: 'Threshold',
  thresholdMax: 'Upper threshold',
  interval: 'Interval',
  numConsecutiveWindows: 'Consecutive windows',
  channels: 'Channels',
  renotifyIntervalMinutes: 'Repeat interval',
  message: 'Message',
  note: 'Note',
  scheduleOffsetMinutes: 'Schedule offset',
  scheduleStartAt: 'Schedule start',
}

// Object.keys forgets that these are the keys of the record above.
export const alertFields = Object.keys(fieldTitles) as AlertField[]
