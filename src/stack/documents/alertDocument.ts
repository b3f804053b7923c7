/** Alerts as they are stored and returned: docs/DEPLOYMENTS.md#omitted-fields (what a PUT keeps), #alerts (responses). */
import type { z } from 'zod'
import type { recurrence } from '#contract/stack/alertHistory.ts'
import { channelsOf, type AlertChannel, type alertInputStrict } from '#contract/stack/alerts.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { newObjectId } from '../ids.ts'

export type AlertInput = z.output<typeof alertInputStrict>

/** The fields that a client does not set. */
type Origin = {
  id: string
  teamId: string
  state: string
  createdAt: string
  updatedAt: string
}

/** A time in which an alert, or one of its groups, sends nothing. */
type StoredSilence = { at: string; until: string; reason?: string; recurring?: z.output<typeof recurrence> }

/** Fields that evaluations and operations of the alert set. A PUT keeps it. */
type Operated = {
  /** For a pending alert: the longest streak of its groups. */
  pendingWindows?: number
  silenced?: StoredSilence
  silencedGroups?: (StoredSilence & { group: string })[]
  /** Only while it fires. */
  acknowledged?: { at: string; by?: string; note?: string }
  /** The state is `DISABLED` meanwhile. */
  paused?: { at: string; reason?: string }
  executionErrors?: { timestamp: string; type: string; message: string }[]
}

/** A type alias, because an interface does not fit the loose schemas of the contract. */
export type AlertDocument = Origin &
  Operated & {
    name: string | null
    message: string | null
    note: string | null
    /** Absent where it is that of what the alert watches, and so are tags. */
    displayName?: string
    tags?: string[]
    threshold: number
    thresholdMax?: number
    thresholdType: string
    interval: string
    numConsecutiveWindows: number | null
    source: string
    dashboardId?: string
    tileId?: string
    savedSearchId?: string
    groupBy?: string
    /** The first of `channels`, for clients that only know one channel. */
    channel: AlertChannel
    channels: AlertChannel[]
    scheduleOffsetMinutes?: number
    scheduleStartAt?: string | null
    /** Absent in alerts of earlier versions. */
    renotifyIntervalMinutes?: number | null
  }

/** Fields that a PUT keeps if they are left out. All others are replaced. */
type Kept = Operated &
  Pick<AlertDocument, 'thresholdMax' | 'scheduleOffsetMinutes' | 'scheduleStartAt' | 'renotifyIntervalMinutes'>

export function newAlert(input: AlertInput, teamId: string): AlertDocument {
  const now = currentIsoTime()
  return alertDocument(input, { id: newObjectId(), teamId, state: 'OK', createdAt: now, updatedAt: now }, {})
}

export function changedAlert(stored: AlertDocument, input: AlertInput): AlertDocument {
  return alertDocument(input, { ...stored, updatedAt: currentIsoTime() }, stored)
}

function alertDocument(input: AlertInput, origin: Origin, stored: Kept): AlertDocument {
  const channels = channelsOf(input)
  const [channel] = channels
  if (!channel) throw new TypeError('an alert has at least one channel')
  return {
    id: origin.id,
    teamId: origin.teamId,
    state: origin.state,
    name: input.name ?? null,
    message: input.message ?? null,
    note: input.note ?? null,
    ...defined('displayName', input.displayName),
    ...defined('tags', input.tags),
    threshold: input.threshold,
    ...defined('thresholdMax', input.thresholdMax ?? stored.thresholdMax),
    thresholdType: input.thresholdType,
    interval: input.interval,
    numConsecutiveWindows: input.numConsecutiveWindows ?? null,
    source: input.source,
    ...watched(input),
    channel,
    channels,
    ...schedule(input, stored),
    renotifyIntervalMinutes:
      input.renotifyIntervalMinutes === undefined
        ? (stored.renotifyIntervalMinutes ?? null)
        : input.renotifyIntervalMinutes,
    ...defined('pendingWindows', stored.pendingWindows),
    ...defined('silenced', stored.silenced),
    ...defined('silencedGroups', stored.silencedGroups),
    ...defined('acknowledged', stored.acknowledged),
    ...defined('paused', stored.paused),
    ...defined('executionErrors', stored.executionErrors),
    createdAt: origin.createdAt,
    updatedAt: origin.updatedAt,
  }
}

/** Only fields of its source: a tile alert has no group by, because its tile has one. */
function watched(input: AlertInput): Pick<AlertDocument, 'dashboardId' | 'tileId' | 'savedSearchId' | 'groupBy'> {
  if (input.source === 'tile') {
    return { ...defined('dashboardId', input.dashboardId), ...defined('tileId', input.tileId) }
  }
  return { ...defined('savedSearchId', input.savedSearchId), ...defined('groupBy', input.groupBy) }
}

/** A start time excludes an offset, and is returned with milliseconds. Removing it also removes the old offset. */
function schedule(input: AlertInput, stored: Kept): Pick<AlertDocument, 'scheduleOffsetMinutes' | 'scheduleStartAt'> {
  const startAt = input.scheduleStartAt === undefined ? stored.scheduleStartAt : input.scheduleStartAt
  const cleared = input.scheduleStartAt === null ? 0 : stored.scheduleOffsetMinutes
  const offset = startAt ? 0 : (input.scheduleOffsetMinutes ?? cleared)
  return {
    ...(offset !== undefined && { scheduleOffsetMinutes: offset }),
    ...(startAt !== undefined && { scheduleStartAt: startAt && new Date(startAt).toISOString() }),
  }
}

/** The field if it has a value. Responses leave out fields that are not set. */
function defined<K extends string, T>(name: K, value: T | null | undefined): { [P in K]?: T } {
  if (value === null || value === undefined) return {}
  return { [name]: value } as { [P in K]?: T } // a computed key widens to string
}
