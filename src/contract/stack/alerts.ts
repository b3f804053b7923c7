/** Alerts: docs/DEPLOYMENTS.md#alerts, #alert-evaluation. */
import { z } from 'zod'
import {
  acknowledgementInput,
  alertCrossing,
  alertEvaluations,
  evaluationsQuery,
  evaluationStatus,
  executionError,
  historyQuery,
  pauseInput,
  silenceInput,
  silenceQuery,
} from './alertHistory.ts'
import { deliveryEndpoints } from './alertDeliveries.ts'
import { alertTestResult } from './alertTests.ts'
import { openEnum, pathId, resource, wireNumber } from '../wire/kernel.ts'
import { listQuery } from '../wire/lists.ts'

export const alertIntervals = ['1m', '5m', '15m', '30m', '1h', '6h', '12h', '1d'] as const
const alertSources = ['tile', 'saved_search'] as const
const alertStates = ['ALERT', 'OK', 'INSUFFICIENT_DATA', 'DISABLED', 'PENDING'] as const
export const thresholdTypes = [
  'above',
  'above_exclusive',
  'below',
  'below_or_equal',
  'equal',
  'not_equal',
  'between',
  'not_between',
] as const

/** The text of a threshold type in a sentence. `above` includes the threshold itself. */
export const thresholdLabels: Record<(typeof thresholdTypes)[number], string> = {
  above: 'at least',
  above_exclusive: 'above',
  below: 'below',
  below_or_equal: 'at most',
  equal: 'equal to',
  not_equal: 'not equal to',
  between: 'between',
  not_between: 'outside',
}

/** Types with a second number, `thresholdMax`. */
export const rangeThresholdTypes: readonly string[] = ['between', 'not_between']

const unitMinutes: Record<string, number> = { s: 1 / 60, m: 1, h: 60, d: 1440, w: 10080 }

/** The minutes of an interval such as `15m`; null if it is not a number of at most nine digits followed by a unit letter. */
export function intervalMinutes(interval: string): number | null {
  const match = /^(\d{1,9})([smhdw])$/.exec(interval)
  if (!match?.[1] || !match[2]) return null
  return Number(match[1]) * (unitMinutes[match[2]] ?? 1)
}

/** Where a notification is sent. `webhook` with `webhookId` on both variants; others pass through unchanged. */
const alertChannel = z.looseObject({
  type: openEnum(['webhook', 'email']),
  webhookId: z.string().optional(),
  /** The recipients of an `email` channel, which some deployments offer. */
  emailRecipients: z.array(z.string()).optional(),
})
export type AlertChannel = z.infer<typeof alertChannel>

const name = z.string().min(1).max(512)
const text = z.string().min(1).max(4096)
export const maxChannels = 10
/** A week. */
const maxRenotifyMinutes = 10_080

/** Deployments may have further choices. The stack has exactly these. */
interface Openness {
  choice<const T extends readonly [string, ...string[]]>(values: T): z.ZodType<string, string>
  channel: z.ZodType<AlertChannel, AlertChannel>
}
const open: Openness = { choice: (values) => openEnum(values), channel: alertChannel }
const closed: Openness = {
  choice: (values) => z.enum(values),
  channel: z.object({
    type: z.enum(['webhook'], {
      error: ({ input }) =>
        input === undefined ? undefined : "Alerts notify by webhook here: use the type 'webhook' with a webhookId",
    }),
    webhookId: z.string().min(1),
  }),
}

const inputFields = ({ choice, channel }: Openness) => ({
  dashboardId: z.string().min(1).nullish(),
  tileId: z.string().min(1).nullish(),
  savedSearchId: z.string().min(1).nullish(),
  groupBy: z.string().nullish(),
  interval: choice(alertIntervals),
  threshold: z.number(),
  thresholdType: choice(thresholdTypes),
  thresholdMax: z.number().optional(),
  channel: channel.optional(),
  channels: z.array(channel).min(1).max(maxChannels).optional(),
  name: name.nullish(),
  message: text.nullish(),
  note: text.nullish(),
  numConsecutiveWindows: z.int().min(1).nullish(),
  scheduleOffsetMinutes: z.int().min(0).max(1439).optional(),
  scheduleStartAt: z.iso.datetime().nullish(),
  /** Minutes after which a firing alert is sent again; 0 with every evaluation. Absent or null: only changes are sent. */
  renotifyIntervalMinutes: z.int().min(0).max(maxRenotifyMinutes).nullish(),
})

/** The rules between fields, as the deployments check them: docs/DEPLOYMENTS.md#alerts. */
function alertRules(
  alert: { source: string } & z.infer<z.ZodObject<ReturnType<typeof inputFields>>>,
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (alert.source === 'tile') {
    if (alert.dashboardId == null) refuse('dashboardId', 'Required')
    if (alert.tileId == null) refuse('tileId', 'Required')
  }
  if (alert.source === 'saved_search' && alert.savedSearchId == null) refuse('savedSearchId', 'Required')
  if (rangeThresholdTypes.includes(alert.thresholdType)) {
    if (alert.thresholdMax === undefined) {
      refuse('thresholdMax', 'thresholdMax is required for between/not_between threshold types')
    } else if (alert.thresholdMax < alert.threshold) {
      refuse('thresholdMax', 'thresholdMax must be greater than or equal to threshold')
    }
  }
  const { channel, channels } = alert
  if (!channel && !channels) refuse('channels', 'Provide either "channel" or "channels"')
  if (channel && channels?.[0] && !sameChannel(channel, channels[0])) {
    refuse(
      'channels',
      'When both "channel" and "channels" are provided, "channel" must match the first entry of "channels"',
    )
  }
  if (channels?.some((channel, at) => channels.findIndex((other) => sameChannel(channel, other)) !== at)) {
    refuse('channels', 'Duplicate notification channels are not allowed')
  }
  const minutes = intervalMinutes(alert.interval)
  const offset = alert.scheduleOffsetMinutes ?? 0
  if (minutes !== null && offset > 0 && offset >= minutes) {
    refuse('scheduleOffsetMinutes', `scheduleOffsetMinutes must be less than ${minutes} minutes`)
  }
  if (alert.scheduleStartAt && offset > 0) {
    refuse('scheduleOffsetMinutes', 'scheduleOffsetMinutes must be 0 when scheduleStartAt is set')
  }
  if (alert.scheduleStartAt) refuseFarStart(alert.scheduleStartAt, refuse)
}

function refuseFarStart(startAt: string, refuse: (path: string, message: string) => void): void {
  const years = (Date.parse(startAt) - Date.now()) / (365.25 * 86_400_000)
  if (years > 1) refuse('scheduleStartAt', 'scheduleStartAt must be within 1 year from now')
  if (years < -10) refuse('scheduleStartAt', 'scheduleStartAt must not be more than 10 years ago')
}

/** Compares channels independently of key order. */
function sameChannel(a: AlertChannel, b: AlertChannel): boolean {
  const sorted = (channel: AlertChannel) =>
    JSON.stringify(Object.entries(channel).toSorted(([x], [y]) => (x < y ? -1 : 1)))
  return sorted(a) === sorted(b)
}

/** The input of clients. Unknown fields and choices pass through to the deployment. */
export const alertInput = z
  .looseObject({ source: openEnum(alertSources), ...inputFields(open) })
  .superRefine(alertRules)
export type AlertInput = z.infer<typeof alertInput>

/** The fields that alerts of this source do not have, because they belong to another one; none for an unknown source. */
export function fieldsOfOtherSource(source: unknown): readonly (keyof ReturnType<typeof inputFields>)[] {
  if (source === 'tile') return ['savedSearchId', 'groupBy']
  return source === 'saved_search' ? ['dashboardId', 'tileId'] : []
}

/** The fields of another source are not stored. One that has a value is refused instead of being lost. */
function refuseOtherSource(
  alert: { source: string } & z.output<z.ZodObject<ReturnType<typeof inputFields>>>,
  context: z.RefinementCtx,
): void {
  for (const field of fieldsOfOtherSource(alert.source)) {
    if (!alert[field]) continue
    const message = `Alerts with the source ${alert.source} have no ${field}, and it would be lost: leave it out`
    context.addIssue({ code: 'custom', path: [field], message })
  }
}

/**
 * The input that the stack accepts: the same fields and rules with fixed choices, without unknown keys. The source of an
 * alert is a union, as on deployments: a missing or unknown source makes the whole input invalid, not one field.
 */
export const alertInputStrict = z
  .object({
    ...inputFields(closed),
    /** Default: the name of what it watches. The console keeps both fields as they are. */
    displayName: name.nullish(),
    /** Default: the tags of what it watches. */
    tags: z.array(z.string().max(64)).max(50).nullish(),
  })
  .and(z.union([z.object({ source: z.literal('tile') }), z.object({ source: z.literal('saved_search') })]))
  .superRefine(alertRules)
  .superRefine(refuseOtherSource)

const silence = z.looseObject({
  at: z.string().optional(),
  until: z.string().optional(),
  reason: z.string().optional(),
  /** Only in these times, up to `until`. */
  recurring: z
    .looseObject({
      weekdays: z.array(wireNumber).optional(),
      startUtc: z.string().optional(),
      /** By the clock of `timeZone`. */
      start: z.string().optional(),
      timeZone: z.string().optional(),
      minutes: wireNumber.optional(),
    })
    .optional(),
})

/** An alert as deployments return it: docs/DEPLOYMENTS.md#alerts. */
export const alert = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  message: z.string().nullish(),
  note: z.string().nullish(),
  threshold: wireNumber,
  thresholdMax: wireNumber.nullish(),
  thresholdType: openEnum(thresholdTypes),
  interval: openEnum(alertIntervals),
  numConsecutiveWindows: wireNumber.nullish(),
  source: openEnum(alertSources),
  state: openEnum(alertStates).optional(),
  /** For a pending alert: consecutive windows that violated the threshold so far, out of `numConsecutiveWindows`. */
  pendingWindows: wireNumber.nullish(),
  dashboardId: z.string().nullish(),
  tileId: z.string().nullish(),
  savedSearchId: z.string().nullish(),
  groupBy: z.string().nullish(),
  channel: alertChannel.nullish(),
  channels: z.array(alertChannel).optional(),
  scheduleOffsetMinutes: wireNumber.nullish(),
  scheduleStartAt: z.string().nullish(),
  renotifyIntervalMinutes: wireNumber.nullish(),
  silenced: silence.nullish(),
  /** Silences of single groups. */
  silencedGroups: z.array(silence.extend({ group: z.string() })).nullish(),
  /** Somebody takes care of the alert while it fires: it is not sent again. Removed once it is resolved. */
  acknowledged: z
    .looseObject({ at: z.string().optional(), by: z.string().optional(), note: z.string().optional() })
    .nullish(),
  /** Somebody paused the alert: its state is `DISABLED`. */
  paused: z.looseObject({ at: z.string().optional(), reason: z.string().optional() }).nullish(),
  executionErrors: z.array(executionError).nullish(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type Alert = z.infer<typeof alert>

/** The channels of an alert, from whichever of the two fields the deployment returns. */
export function channelsOf(alert: Pick<Alert, 'channel' | 'channels'>): AlertChannel[] {
  if (alert.channels?.length) return alert.channels
  return alert.channel ? [alert.channel] : []
}

/** Set by evaluations, or by others, and kept by every save. */
const record = {
  volatile: [
    'state',
    'pendingWindows',
    'history',
    'executionErrors',
    'silenced',
    'silencedGroups',
    'acknowledged',
    'paused',
    'updatedAt',
  ],
  operated: ['silenced', 'silencedGroups', 'acknowledged', 'paused'],
} as const

const both = ['openSource', 'managed'] as const
const alertId = z.object({ alertId: pathId })
/** The specification has alerts without these. The stack serves them on both variants. */
const beyond = {
  scope: 'stack',
  variants: ['openSource'],
  alsoManaged: true,
  unspecified: true,
  params: alertId,
} as const

/** The alert to test: one that is stored, one that is typed, or a stored one with changes. */
const testInput = { alertId: z.string().max(128).optional() }

/** Deployments return the only channel in one of two fields. */
const stored = { unreturned: [], either: ['channel', 'channels'], withoutEffect: { scheduleOffsetMinutes: 0 } }

export const alerts = resource('alerts', {
  list: {
    method: 'GET',
    scope: 'stack',
    path: '/alerts',
    variants: both,
    paged: true,
    query: listQuery,
    record,
    list: true,
    result: z.array(alert),
  },
  get: {
    method: 'GET',
    scope: 'stack',
    path: '/alerts/{alertId}',
    variants: both,
    params: alertId,
    record,
    result: alert,
  },
  create: {
    method: 'POST',
    scope: 'stack',
    path: '/alerts',
    variants: both,
    body: alertInput,
    strictBody: alertInputStrict,
    stored,
    result: alert,
  },
  update: {
    method: 'PUT',
    scope: 'stack',
    path: '/alerts/{alertId}',
    variants: both,
    params: alertId,
    body: alertInput,
    strictBody: alertInputStrict,
    stored,
    result: alert,
  },
  delete: {
    method: 'DELETE',
    scope: 'stack',
    path: '/alerts/{alertId}',
    variants: both,
    params: alertId,
    result: z.unknown(),
  },
  evaluations: {
    ...beyond,
    feature: 'evaluations',
    method: 'GET',
    path: '/alerts/{alertId}/evaluations',
    query: evaluationsQuery,
    continued: true,
    result: alertEvaluations,
  },
  evaluationStatus: {
    ...beyond,
    feature: 'evaluationStatus',
    method: 'GET',
    // Not below /alerts, where deployments would take it for the id of an alert.
    path: '/alert-evaluation',
    params: z.object({}),
    result: evaluationStatus,
  },
  history: {
    ...beyond,
    feature: 'firings',
    method: 'GET',
    path: '/alerts/{alertId}/history',
    query: historyQuery,
    list: true,
    result: z.array(alertCrossing),
  },
  silence: {
    ...beyond,
    feature: 'silences',
    operates: true,
    method: 'POST',
    path: '/alerts/{alertId}/silenced',
    body: silenceInput,
    result: alert,
  },
  unsilence: {
    ...beyond,
    feature: 'silences',
    operates: true,
    method: 'DELETE',
    path: '/alerts/{alertId}/silenced',
    query: silenceQuery,
    result: alert,
  },
  /** A firing alert. 409 if it does not fire. */
  acknowledge: {
    ...beyond,
    feature: 'acknowledgements',
    operates: true,
    senderField: 'by',
    method: 'POST',
    path: '/alerts/{alertId}/acknowledged',
    body: acknowledgementInput,
    result: alert,
  },
  unacknowledge: {
    ...beyond,
    feature: 'acknowledgements',
    operates: true,
    method: 'DELETE',
    path: '/alerts/{alertId}/acknowledged',
    result: alert,
  },
  pause: {
    ...beyond,
    feature: 'pauses',
    operates: true,
    method: 'POST',
    path: '/alerts/{alertId}/paused',
    body: pauseInput,
    result: alert,
  },
  resume: {
    ...beyond,
    feature: 'pauses',
    operates: true,
    method: 'DELETE',
    path: '/alerts/{alertId}/paused',
    result: alert,
  },
  /** Reads, evaluates, renders and sends like an evaluation, and stores nothing. It changes no record, but somebody gets a message. */
  test: {
    ...beyond,
    params: z.object({}),
    feature: 'test',
    method: 'POST',
    path: '/alerts/test',
    body: z.looseObject({ ...testInput, alert: alertInput.optional() }),
    strictBody: z.object({ ...testInput, alert: alertInputStrict.optional() }),
    result: alertTestResult,
  },
  ...deliveryEndpoints,
})
