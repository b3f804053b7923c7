/** The fields of the alert form, with their titles and their values as people read them. */
import type { AlertChannel } from '#contract/alerts.ts'
import { formatChannel, savedSearchName, tileName, type Names } from '#console/references/alertNames.ts'
import { formatInterval, formatAlertSource, thresholdWord } from './alertLabels.ts'

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

/** For a list of changes or a comparison, with names instead of IDs. An empty value is "none"; one without a known name is unchanged. */
export function formatAlertField(field: AlertField, form: AlertForm, names: Names): string {
  const value = form[field]
  if (value === '' || value === null) return 'none'
  switch (field) {
    case 'source':
      return formatAlertSource(form.source)
    case 'dashboardId':
      return names.dashboards.get(form.dashboardId)?.name || form.dashboardId
    case 'tileId': {
      const board = names.dashboards.get(form.dashboardId)
      return board ? tileName(board, form.tileId) : form.tileId
    }
    case 'savedSearchId':
      return names.savedSearches ? savedSearchName(form.savedSearchId, names) : form.savedSearchId
    case 'thresholdType':
      return thresholdWord(form.thresholdType)
    case 'interval':
      return formatInterval(form.interval)
    case 'channels':
      return (
        form.channels
          .map((channel) => formatChannel(channel, names))
          .filter(Boolean)
          .join(', ') || 'none'
      )
    default:
      return String(value)
  }
}
