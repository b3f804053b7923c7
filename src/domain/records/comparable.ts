/**
 * A record as it is compared with records of other deployments: without what its deployment sets, and with names in place of
 * ids. Tiles and filters have their label as `id`, so that they are matched by name.
 */
import { diff, type FieldChange } from '../json/diff.ts'
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { withDefaults } from './defaults.ts'
import { itemsOf, nameOf, type Directory } from './directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { labelsOf } from './labels.ts'
import { rewriteReferences } from './references.ts'
import { readOnlyAlertFields } from '#contract/stack/readOnlyAlertFields.ts'
import { rangeThresholdTypes } from '#contract/stack/alerts.ts'

/** Fields that a deployment sets by itself. They are not part of a comparison, nor of a request body. */
export const serverFields: readonly string[] = [
  'id',
  '_id',
  '__v',
  'team',
  'teamId',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'missingTables',
  'chartOptions',
]

const serverFieldSet: ReadonlySet<string> = new Set(serverFields)
const alertServerFields: ReadonlySet<string> = new Set([...serverFields, ...readOnlyAlertFields])

/** Lists of a kind whose items get a new id on each deployment. */
export const labelledLists = (kind: RecordKind): readonly string[] =>
  kind === 'dashboards' ? ['tiles', 'filters'] : []

/** @param directory of the record's own deployment */
export function comparableOf(kind: RecordKind, record: JsonObject, directory: Directory): JsonObject {
  return labelled(kind, withDefaults(kind, withNames(kind, record, directory)))
}

/** Without what its deployment sets, with names in place of the ids of other records. Tiles and filters keep their ids. */
export function withNames(kind: RecordKind, record: JsonObject, directory: Directory): JsonObject {
  const own = ownFields(kind, record)
  const named = rewriteReferences(kind, own, { from: 'id', to: 'name' }, (reference) => directory.nameOf(reference))
  return kind === 'alerts' ? simplifiedAlert(named) : named
}

function ownFields(kind: RecordKind, record: JsonObject): JsonObject {
  const omitted = kind === 'alerts' ? alertServerFields : serverFieldSet
  return Object.fromEntries(Object.entries(record).filter(([key, value]) => !omitted.has(key) && value !== undefined))
}

/** The record with the label of each tile and filter as its ID. */
function labelled(kind: RecordKind, record: JsonObject): JsonObject {
  const lists = labelledLists(kind).filter((list) => Array.isArray(record[list]))
  const entries = lists.map((list) => {
    const items = itemsOf(record, list)
    const labels = labelsOf(items, nameOf)
    return [list, items.map((item) => ({ ...item, id: labels.get(item) }))]
  })
  return { ...record, ...Object.fromEntries(entries) }
}

/** One list of channels, which some deployments return in two fields, and no limit or offset without effect. */
function simplifiedAlert(alert: JsonObject): JsonObject {
  const { channel, thresholdMax, scheduleOffsetMinutes, ...rest } = alert
  const channels = Array.isArray(alert['channels']) && alert['channels'].length > 0 ? alert['channels'] : [channel]
  return {
    ...rest,
    ...(rangeThresholdTypes.includes(String(alert['thresholdType'])) && { thresholdMax }),
    ...(Number(scheduleOffsetMinutes ?? 0) !== 0 && { scheduleOffsetMinutes }),
    ...(isPlainObject(channels[0]) && { channels }),
  }
}

/** The fields that differ between two comparable records. An absent field, null and an empty value are the same. */
export function differences(before: JsonObject, after: JsonObject): FieldChange[] {
  return diff(before, after).filter((change) => !(isEmpty(change.before) && isEmpty(change.after)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isPlainObject(value) && Object.values(value).every(isEmpty)
}
