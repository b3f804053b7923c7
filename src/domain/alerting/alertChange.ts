/** One change for many alerts, such as a webhook that replaces another: what it does to each of them. */
import {
  channelsOf,
  intervalMinutes,
  rangeThresholdTypes,
  type Alert,
  type AlertChannel,
} from '#contract/stack/alerts.ts'
import { readOnlyAlertFields } from '#contract/stack/readOnlyAlertFields.ts'

export type AlertChange =
  | { kind: 'interval'; interval: string }
  /** 20 makes a threshold of 50 one of 60. */
  | { kind: 'threshold'; percent: number }
  | { kind: 'addWebhook'; webhookId: string }
  | { kind: 'removeWebhook'; webhookId: string }
  | { kind: 'replaceWebhook'; from: string; to: string }

/** The changed alert, or why the change does not apply to it. */
export type PlannedChange = { after: Alert; reason?: undefined } | { after?: undefined; reason: string }

/** `maxChannels`: how many channels an alert may have on this deployment. */
export function planAlertChange(alert: Alert, change: AlertChange, maxChannels: number): PlannedChange {
  switch (change.kind) {
    case 'interval':
      return planInterval(alert, change.interval)
    case 'threshold':
      return planThreshold(alert, change.percent)
    case 'addWebhook':
    case 'removeWebhook':
    case 'replaceWebhook':
      return planChannels(alert, change, maxChannels)
  }
}

function planInterval(alert: Alert, interval: string): PlannedChange {
  if (alert.interval === interval) return { reason: 'already has this interval' }
  const offset = alert.scheduleOffsetMinutes ?? 0
  const minutes = intervalMinutes(interval)
  if (minutes !== null && offset > 0 && offset >= minutes)
    return { reason: `its schedule offset of ${offset} min is not less than the interval` }
  return { after: { ...alert, interval } }
}

function planThreshold(alert: Alert, percent: number): PlannedChange {
  const threshold = scaled(alert.threshold, percent)
  const { thresholdMax } = alert
  const isRange = rangeThresholdTypes.includes(alert.thresholdType) && typeof thresholdMax === 'number'
  const max = isRange ? scaled(thresholdMax, percent) : thresholdMax
  if (threshold === alert.threshold && max === thresholdMax)
    return { reason: alert.threshold === 0 ? 'its threshold is 0' : 'its threshold stays the same' }
  return { after: { ...alert, threshold, ...(isRange && { thresholdMax: max }) } }
}

/** Without the digits that binary fractions add: 0.1 and 20 % is 0.12. */
const scaled = (value: number, percent: number) => Number(((value * (100 + percent)) / 100).toPrecision(12))

type WebhookChange = Extract<AlertChange, { kind: `${string}Webhook` }>

function planChannels(alert: Alert, change: WebhookChange, maxChannels: number): PlannedChange {
  const before = channelsOf(alert)
  const notifies = (id: string) => before.some(({ webhookId }) => webhookId === id)
  if (change.kind === 'addWebhook') {
    if (notifies(change.webhookId)) return { reason: 'already notifies this webhook' }
    if (before.length >= maxChannels)
      return { reason: maxChannels === 1 ? 'can have only one channel here' : `already has ${before.length} channels` }
    return withChannels(alert, [...before, { type: 'webhook', webhookId: change.webhookId }])
  }
  const from = change.kind === 'removeWebhook' ? change.webhookId : change.from
  if (!notifies(from)) return { reason: 'does not notify this webhook' }
  const without = before.filter(({ webhookId }) => webhookId !== from)
  if (change.kind === 'removeWebhook') {
    if (without.length === 0) return { reason: 'would have no channel' }
    return withChannels(alert, without)
  }
  if (change.to === from) return { reason: 'already notifies this webhook' }
  // Each webhook is notified once.
  if (notifies(change.to)) return withChannels(alert, without)
  return withChannels(
    alert,
    before.map((channel) => (channel.webhookId === from ? { ...channel, webhookId: change.to } : channel)),
  )
}

/** The channels in the fields that the alert was read with: an alert that has both keeps both, in step. */
function withChannels(alert: Alert, channels: AlertChannel[]): PlannedChange {
  const hasList = alert.channels !== undefined && alert.channels.length > 0
  return {
    after: {
      ...alert,
      ...((alert.channel || !hasList) && { channel: channels[0] }),
      ...((hasList || channels.length > 1) && { channels }),
    },
  }
}

/** Fields that are returned as null if an alert has no value, and refused as such in a body. */
const absentIfNull = ['channel', 'thresholdMax', 'scheduleOffsetMinutes']

/** The body that stores an alert: every field, known or not, that the deployment does not set by itself. */
export function alertBody(alert: Alert): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(alert).filter(
      ([field, value]) =>
        value !== undefined &&
        !readOnlyAlertFields.includes(field) &&
        !(value === null && absentIfNull.includes(field)),
    ),
  )
}
