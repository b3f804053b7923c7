/** Alerts of saved searches and of tiles that notify one webhook: the provider refuses others, so they are left out. */
import { alertIntervals, intervalMinutes, rangeThresholdTypes, thresholdTypes } from '#contract/stack/alerts.ts'
import { readOnlyAlertFields } from '#contract/stack/readOnlyAlertFields.ts'
import { isNumber, type JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { itemsOf } from '../records/directory.ts'
import { hasContent, noteUnknownFields, type Description, type Scope } from './description.ts'
import type { Attribute, HclValue } from './hcl.ts'
import { providerVersions } from './provider.ts'

const known: readonly string[] = [
  'name',
  'message',
  'note',
  'interval',
  'threshold',
  'thresholdType',
  'thresholdMax',
  'numConsecutiveWindows',
  'source',
  'savedSearchId',
  'dashboardId',
  'tileId',
  'groupBy',
  'channel',
  'channels',
  'scheduleOffsetMinutes',
  'scheduleStartAt',
  'history',
]

export const describeAlert: Description = (record, scope) => {
  const refusal = refusalOf(record)
  if (refusal !== null) {
    scope.note(`Left out: ${refusal}`)
    return null
  }
  noteUnknownFields(record, [...known, ...readOnlyAlertFields], scope)
  return [...targetOf(record, scope), channelOf(record, scope), ...conditionOf(record), ...textsOf(record, scope)]
}

/** Why the provider refuses an alert. */
function refusalOf(record: JsonObject): string | null {
  const { source, interval, thresholdType, numConsecutiveWindows } = record
  const has = (key: string) => typeof record[key] === 'string' && record[key] !== ''
  const isOfTile = source === 'tile' && has('dashboardId') && has('tileId')
  const isOfSearch = source === 'saved_search' && has('savedSearchId')
  if (!isOfTile && !isOfSearch) return 'the provider only has alerts of saved searches and tiles.'
  const [channel] = channelsOf(record)
  if (channel?.['type'] !== 'webhook' || typeof channel['webhookId'] !== 'string' || channel['webhookId'] === '') {
    return 'the provider only has alerts that notify a webhook.'
  }
  if (!includes(alertIntervals, interval)) return `the provider does not have the interval ${shown(interval)}.`
  if (!includes(thresholdTypes, thresholdType))
    return `the provider does not have the threshold type ${shown(thresholdType)}.`
  if (isRange(record) && !(numberOf(record['thresholdMax']) >= numberOf(record['threshold']))) {
    return 'the provider requires an upper limit that is not below the lower one.'
  }
  if (isNumber(numConsecutiveWindows) && Number(numConsecutiveWindows) < 1) {
    return 'the provider requires at least one consecutive window.'
  }
  const offset = numberOf(record['scheduleOffsetMinutes'] ?? 0)
  if (offset >= (intervalMinutes(shown(interval)) ?? 0) || (offset > 0 && has('scheduleStartAt'))) {
    return 'the provider refuses this offset of its windows.'
  }
  const long = Object.entries(longestTexts).find(([key, bytes]) => has(key) && bytesOf(String(record[key])) > bytes)
  return long ? `the provider has at most ${long[1]} bytes for its ${long[0]}.` : null
}

const longestTexts = { name: 512, message: 4096, note: 4096 }

const includes = (values: readonly string[], value: unknown) => typeof value === 'string' && values.includes(value)
/** A deployment may return anything: `String` and `Number` throw for some objects. */
const shown = (value: unknown) => (typeof value === 'string' || isNumber(value) ? String(value) : JSON.stringify(value))
const numberOf = (value: unknown) => (isNumber(value) ? Number(value) : Number.NaN)
const isRange = (record: JsonObject) => includes(rangeThresholdTypes, record['thresholdType'])
const bytesOf = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/%../g, '.').length

function channelsOf(record: JsonObject): JsonObject[] {
  const { channel } = record
  return isPlainObject(channel) ? [channel, ...itemsOf(record, 'channels').slice(1)] : itemsOf(record, 'channels')
}

function targetOf(record: JsonObject, scope: Scope): Attribute[] {
  const id = (key: string) => String(record[key])
  if (record['source'] === 'tile') {
    scope.needs(providerVersions.tileAlerts)
    return [
      ['source', 'tile'],
      ['dashboard_id', scope.idOf('dashboards', id('dashboardId'))],
      ['tile_id', scope.tileIdOf(id('dashboardId'), id('tileId'))],
    ]
  }
  const grouped: Attribute[] = hasContent(record['groupBy']) ? [['group_by', shown(record['groupBy'])]] : []
  return [['saved_search_id', scope.idOf('savedSearches', id('savedSearchId'))], ...grouped]
}

function channelOf(record: JsonObject, scope: Scope): Attribute {
  const [channel, ...others] = channelsOf(record)
  if (!isPlainObject(record['channel'])) {
    scope.note(
      'The deployment only returns a list of channels, which the provider does not read: the first plan sets one.',
    )
  }
  if (others.length > 0) {
    scope.note(`The provider has one channel: a change through Terraform removes ${others.length} of them.`)
  }
  return ['channel', { type: 'webhook', webhook_id: scope.idOf('webhooks', String(channel?.['webhookId'])) }]
}

function conditionOf(record: JsonObject): Attribute[] {
  const { threshold, thresholdMax, thresholdType, interval, numConsecutiveWindows, scheduleOffsetMinutes } = record
  const entries: [name: string, value: unknown][] = [
    ['threshold', isNumber(threshold) ? threshold : 0],
    ['threshold_max', isRange(record) ? thresholdMax : null],
    ['threshold_type', thresholdType],
    ['interval', interval],
    ['num_consecutive_windows', numConsecutiveWindows],
    ['schedule_offset_minutes', numberOf(scheduleOffsetMinutes ?? 0) === 0 ? null : scheduleOffsetMinutes],
    ['schedule_start_at', record['scheduleStartAt']],
  ]
  return entries.flatMap(([name, value]) => (hasContent(value) && isScalar(value) ? [[name, value] as const] : []))
}

const isScalar = (value: unknown): value is HclValue => typeof value === 'string' || isNumber(value)

function textsOf(record: JsonObject, scope: Scope): Attribute[] {
  return Object.keys(longestTexts).flatMap((key) => {
    const value = record[key]
    if (value === '') scope.note(`The provider refuses an empty ${key}: the first plan removes it.`)
    return typeof value === 'string' && value !== '' ? [[key, value] as const] : []
  })
}
