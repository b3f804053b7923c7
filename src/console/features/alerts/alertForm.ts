/** Converts an alert to the form and back to the request body. */
import { z } from 'zod'
import type { RecordForm } from '#console/records/record/recordForm.ts'
import {
  alertInput,
  channelsOf,
  fieldsOfOtherSource,
  rangeThresholdTypes,
  type Alert,
  type AlertChannel,
} from '#contract/stack/alerts.ts'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { sameValue, setField as set } from '#console/ui/form/values.ts'
import type { Variant } from '#contract/wire/kernel.ts'
import { alertFields, fieldTitles, type AlertField, type AlertForm } from './formFields.ts'
import { writable } from './writableAlert.ts'
import type { ApiFailure } from '#console/api/failure.ts'

export const emptyForm: AlertForm = {
  name: '',
  message: '',
  note: '',
  source: 'tile',
  dashboardId: '',
  tileId: '',
  savedSearchId: '',
  groupBy: '',
  interval: '5m',
  thresholdType: 'above',
  threshold: null,
  thresholdMax: null,
  channels: [{ type: 'webhook', webhookId: '' }],
  renotifyIntervalMinutes: null,
  numConsecutiveWindows: null,
  scheduleOffsetMinutes: null,
  scheduleStartAt: '',
}

export function readForm(alert: Alert): AlertForm {
  return {
    name: alert.name ?? '',
    message: alert.message ?? '',
    note: alert.note ?? '',
    source: alert.source,
    dashboardId: alert.dashboardId ?? '',
    tileId: alert.tileId ?? '',
    savedSearchId: alert.savedSearchId ?? '',
    groupBy: alert.groupBy ?? '',
    interval: alert.interval,
    thresholdType: alert.thresholdType,
    threshold: alert.threshold,
    thresholdMax: alert.thresholdMax ?? null,
    channels: channelsOf(alert),
    renotifyIntervalMinutes: alert.renotifyIntervalMinutes ?? null,
    numConsecutiveWindows: alert.numConsecutiveWindows ?? null,
    scheduleOffsetMinutes: alert.scheduleOffsetMinutes ?? null,
    scheduleStartAt: alert.scheduleStartAt ?? '',
  }
}

/** The fields that differ from what was read. Of a new alert, those that differ from an empty form. */
export function changedFields(form: AlertForm, base: Alert | null): AlertField[] {
  const before = base ? readForm(base) : emptyForm
  return alertFields.filter((field) => !sameValue(form[field], before[field]))
}

/** The body that sends the form. An edit starts from what was read, so that untouched fields are sent back unchanged. */
export function writeBody(form: AlertForm, base: Alert | null, variant: Variant): Record<string, unknown> {
  const body = base ? writable(base) : createdFields(form)
  for (const field of changedFields(form, base)) {
    const values =
      field === 'channels' ? channelFields(form.channels, base, variant) : { [field]: wireValue(field, form, base) }
    for (const [name, value] of Object.entries(values)) set(body, name, value)
  }
  return base?.source === form.source ? body : withoutOtherSource(body, form.source, base)
}

/** The fields that every new alert has, even where they have the values of an empty form. */
function createdFields({ source, interval, threshold, thresholdType, channels }: AlertForm): Record<string, unknown> {
  const known = channels.length > 1 ? { channels } : channels[0] ? { channel: channels[0] } : {}
  return { source, interval, threshold: threshold ?? undefined, thresholdType, ...known }
}

function wireValue(field: Exclude<AlertField, 'channels'>, form: AlertForm, base: Alert | null): unknown {
  const value = form[field]
  if (field === 'threshold') return value ?? undefined
  if (field === 'thresholdMax')
    return rangeThresholdTypes.includes(form.thresholdType) ? (value ?? undefined) : base?.thresholdMax
  // An omitted offset would keep its value.
  if (field === 'scheduleOffsetMinutes') return value ?? (base ? 0 : undefined)
  if (value === '' || value === null) return base ? null : undefined
  return value
}

/** One channel goes as `channel`, more as `channels`; an alert that was read with both keeps both, in step. */
function channelFields(channels: AlertChannel[], base: Alert | null, variant: Variant): Record<string, unknown> {
  const [first] = channels
  if (!base) return channels.length > 1 ? { channel: undefined, channels } : { channel: first }
  const several = variant === 'openSource' || channels.length > 1 || base.channels !== undefined
  return {
    channel: base.channel || !several ? first : undefined,
    channels: several ? channels : undefined,
  }
}

/** An alert with another query does not keep the reference to the former one. */
function withoutOtherSource(
  body: Record<string, unknown>,
  source: string,
  base: Alert | null,
): Record<string, unknown> {
  for (const field of fieldsOfOtherSource(source)) set(body, field, base && field in base ? null : undefined)
  return body
}

/** The rules of the contract, on the body that the form would send; their errors land on the form's fields. */
export function formSchema(base: Alert | null, variant: Variant) {
  return z.custom<AlertForm>().superRefine((form, context) => {
    for (const issue of issuesOf(writeBody(form, base, variant))) {
      const path = issue.path[0] === 'channel' ? ['channels', 0, ...issue.path.slice(1)] : [...issue.path]
      context.addIssue({ code: 'custom', path, message: formatIssue(issue) })
    }
    form.channels.forEach((channel, at) => {
      if (channel.type === 'webhook' && !channel.webhookId) {
        context.addIssue({ code: 'custom', path: ['channels', at, 'webhookId'], message: 'Choose a webhook' })
      }
    })
  })
}

/** Valid values in place of invalid fields, so that the rules between fields are checked in the same pass. */
const sound = { source: 'tile', interval: '5m', threshold: 0, thresholdMax: 0, thresholdType: 'above' }

function issuesOf(body: Record<string, unknown>): z.core.$ZodIssue[] {
  const own = alertInput.safeParse(body).error?.issues ?? []
  const faulty = own.filter((issue) => issue.code !== 'custom').map((issue) => String(issue.path[0]))
  if (faulty.length === 0) return own
  const rest = Object.entries(body).filter(([field]) => !faulty.includes(field))
  const fixed = Object.entries(sound).filter(([field]) => faulty.includes(field))
  const between = alertInput.safeParse(Object.fromEntries([...rest, ...fixed])).error?.issues ?? []
  return [...own, ...between.filter((issue) => !faulty.includes(String(issue.path[0])))]
}

export const alertForm: RecordForm<Alert, AlertForm> = {
  titles: fieldTitles,
  read: readForm,
  schema: (base, { variant }) => formSchema(base, variant),
  body: (form, base, { variant }) => writeBody(form, base, variant),
  changed: changedFields,
  formatValue: (field, form) => String(form[field] ?? ''),
  refusals,
  errorPaths: (form) => [...alertFields, ...form.channels.map((_, at) => `channels.${at}.webhookId` as const)],
}

/** Refusals of deployments that name no field: docs/DEPLOYMENTS.md#alerts, and the fields they mean. */
const meant: readonly (readonly [says: RegExp, field: string])[] = [
  [/dashboard (?:id|not found)/i, 'dashboardId'],
  [/saved search/i, 'savedSearchId'],
  [/tile not found|raw sql/i, 'tileId'],
  [/webhook|notification channel/i, 'channels'],
]

/** Where each refusal belongs on the form. Empty if the form has no field for it. */
export function refusals(failure: ApiFailure): { path: string; message: string }[] {
  // Both spell where the first channel's webhook is.
  if (failure.fields?.length)
    return failure.fields.map((refused) => ({ ...refused, path: refused.path.replace(/^channel\b/, 'channels.0') }))
  if (failure.code !== 'invalid') return []
  const field = meant.find(([says]) => says.test(failure.message))?.[1]
  return field ? [{ path: field, message: failure.message }] : []
}
