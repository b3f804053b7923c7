/** The body of the request that gives a deployment a comparable record. */
import { fieldsOfOtherSource } from '#contract/stack/alerts.ts'
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { differences, labelledLists } from './comparable.ts'
import { withDefaults } from './defaults.ts'
import { idOf, itemsOf, nameOf, type Directory } from './directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { labelsOf } from './labels.ts'
import { rewriteReferences, type Reference } from './references.ts'

// Both the browser and Node have it; the types of neither are known here.
declare const crypto: { randomUUID(): string }

export interface RecordBody {
  body: JsonObject
  /** References to records that the deployment does not have. They are not part of the body. */
  missing: Reference[]
}

/**
 * @param wanted the record with the names of the target's own records
 * @param directory of the target
 * @param current the stored record that the body replaces; undefined for a new one
 * @param original an earlier version of that record, whose tiles keep their ids although their names changed
 */
export function bodyOf(
  kind: RecordKind,
  wanted: JsonObject,
  directory: Pick<Directory, 'idOf'>,
  current?: JsonObject,
  original?: JsonObject,
): RecordBody {
  const missing: Reference[] = []
  const withIds = rewriteReferences(kind, wanted, { from: 'name', to: 'id' }, (reference) => {
    const id = directory.idOf(reference)
    if (id !== null) return id
    missing.push(reference)
    return undefined
  })
  const lists = labelledLists(kind).filter((list) => Array.isArray(withIds[list]))
  const items = lists.map((list) => [list, withOwnIds(list, itemsOf(withIds, list), current, original)])
  return { body: withExplicitClears(kind, { ...withIds, ...Object.fromEntries(items) }, current), missing }
}

/** Items that the deployment has keep their id there. The ids of others are assigned by the deployment. */
function withOwnIds(
  list: string,
  items: readonly JsonObject[],
  current: JsonObject | undefined,
  original: JsonObject | undefined,
): JsonObject[] {
  const stored = idsByLabel(itemsOf(current, list))
  const earlier = idsByLabel(itemsOf(original, list))
  const present = new Set(stored.values())
  const ofLabel = (label: string) => {
    const id = earlier.get(label)
    return id !== undefined && present.has(id) ? id : stored.get(label)
  }
  const used = new Set<string>()
  const claim = (id: string | undefined) => {
    if (id === undefined || used.has(id)) return undefined
    used.add(id)
    return id
  }
  const known = items.map(({ id: label }) => claim(typeof label === 'string' ? ofLabel(label) : undefined))
  return items.map(({ id: _label, ...item }, index) => {
    const id = known[index] ?? claim(renamedFrom(item, list, current, used))
    if (id !== undefined) return { id, ...item }
    // An update requires an id for each filter, new ones too (docs/DEPLOYMENTS.md#dashboards).
    return list === 'filters' && current ? { id: crypto.randomUUID(), ...item } : item
  })
}

/** The tile with the content of a new one and another name: a renamed tile keeps its id, and with it its alerts (docs/DEPLOYMENTS.md#deletion-and-references). */
function renamedFrom(
  item: JsonObject,
  list: string,
  current: JsonObject | undefined,
  used: ReadonlySet<string>,
): string | undefined {
  if (list !== 'tiles' || !isPlainObject(item['config'])) return undefined
  const contentOf = ({ config }: JsonObject) => withDefaults('dashboards', { tiles: [{ config }] })
  const content = contentOf(item)
  const unclaimed = itemsOf(current, list).filter((stored) => !used.has(idOf(stored)))
  const found = unclaimed.find((stored) => differences(contentOf(stored), content).length === 0)
  return found && idOf(found)
}

function idsByLabel(items: readonly JsonObject[]): Map<string, string> {
  const labels = labelsOf(items, nameOf)
  return new Map(items.map((item) => [labels.get(item) ?? '', idOf(item)]))
}

/** Fields that an update keeps when they are left out (docs/DEPLOYMENTS.md#omitted-fields, #stack-resources), with the value that empties them. */
const keptWhenOmitted: Partial<Record<RecordKind, Readonly<Record<string, unknown>>>> = {
  // Not those of webhooks: secrets are never given back, so an update must not empty them.
  dashboards: {
    tags: [],
    filters: [],
    savedQuery: null,
    savedQueryLanguage: null,
    savedFilterValues: [],
    containers: [],
  },
  alerts: {
    scheduleStartAt: null,
    scheduleOffsetMinutes: 0,
    groupBy: null,
    dashboardId: null,
    tileId: null,
    savedSearchId: null,
  },
}

/**
 * Adds an explicit empty value for each field that is stored but no longer wanted: an update keeps fields that are left out.
 * Other nulls are dropped: most deployments refuse them, and an absent field means the same.
 */
function withExplicitClears(kind: RecordKind, wanted: JsonObject, current: JsonObject | undefined): JsonObject {
  const body = withoutNulls(wanted)
  const omitted = Object.entries(keptWhenOmitted[kind] ?? {}).filter(
    ([key]) => body[key] === undefined && needsExplicitClear(current?.[key]),
  )
  return acceptable(kind, { ...body, ...Object.fromEntries(omitted) })
}

function needsExplicitClear(value: unknown): boolean {
  return value !== undefined && value !== null && value !== 0 && !(Array.isArray(value) && value.length === 0)
}

function withoutNulls(holder: JsonObject): JsonObject {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside)
    return isPlainObject(value) ? withoutNulls(value) : value
  }
  const kept = Object.entries(holder).filter(([, value]) => value !== null)
  return Object.fromEntries(kept.map(([key, value]) => [key, inside(value)]))
}

/** Without what deployments return but refuse in a request (docs/DEPLOYMENTS.md#dashboards). */
function acceptable(kind: RecordKind, body: JsonObject): JsonObject {
  if (kind === 'alerts') {
    const others: readonly string[] = fieldsOfOtherSource(body['source'])
    return Object.fromEntries(Object.entries(body).filter(([key, value]) => value === null || !others.includes(key)))
  }
  if (kind !== 'dashboards' || body['savedQueryLanguage'] !== null) return body
  const { savedQuery, savedQueryLanguage, ...rest } = body
  return savedQuery == null || savedQuery === ''
    ? { ...rest, savedQuery: null, savedQueryLanguage }
    : { ...rest, savedQuery }
}
