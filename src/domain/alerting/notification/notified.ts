/** The content of a notification: the alert, the event, and what the alert watches. */
import type { AlertEvent } from '../alertEvent.ts'

/** The fields of an alert that notifications use. Templates can read all of them as `alert`. */
export type NotifiedAlert = {
  id: string
  teamId?: string
  name?: string | null
  message?: string | null
  note?: string | null
  threshold: number
  thresholdMax?: number | null
  thresholdType: string
  interval: string
  source: string
  dashboardId?: string | null
  tileId?: string | null
  savedSearchId?: string | null
  groupBy?: string | null
}

/** An event of an alert. `INSUFFICIENT_DATA` is the state of test notifications. */
export type NotifiedEvent = Omit<AlertEvent, 'state'> & {
  state: AlertEvent['state'] | 'INSUFFICIENT_DATA'
  /** The first groups of a summary, which stands for more groups than are announced one by one. */
  groups?: readonly string[]
  /** The number of all of its groups. */
  groupCount?: number
  /** A test of the alert: the message says that, and whether the value violates the threshold. */
  test?: { violates: boolean }
}

/** The subject of the alert, by name. */
export interface Watched {
  /** Name of the tile or saved search. */
  name: string
  /** Name of the dashboard of a tile. */
  dashboard?: string
  /** The condition or SQL that the alert evaluates. */
  query?: string
}

/** A value and the threshold of an alert, in the unit of the values. */
export interface InUnit {
  value: string
  threshold: string
}

export interface NotificationInput {
  alert: NotifiedAlert
  event: NotifiedEvent
  watched: Watched
  /** Value and threshold in the unit of the values; absent where the numbers alone say it. */
  inUnit?: InUnit | undefined
  /** Rows of the window, each a line of CSV. */
  samples: readonly string[]
  /** Base URL of the console, for the link. */
  consoleUrl: string
  /** Identifies the alert, channel and group: the same when it fires and when it is resolved. */
  eventId: string
  service: string
  /** The body template of the webhook; without one the default of the service. */
  body?: string | null | undefined
}
