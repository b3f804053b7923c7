/**
 * Where records refer to other records. A deployment refers by id; a comparable record and a file refer by name, in a field
 * without the `Id`: `sourceId` becomes `source`.
 */
import type { JsonObject, Path } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import type { RecordKind, ReferenceKind } from '#contract/stack/recordKinds.ts'

/** Whether references are ids, as deployments have them, or names. */
export type Spelling = 'id' | 'name'

export interface Reference {
  kind: ReferenceKind | 'tiles'
  /** The id or the name. */
  value: string
  path: Path
  /** For a tile: the ID or name of its dashboard. */
  dashboard?: string | undefined
}

/** The replacement of a reference; null leaves it as it is, undefined removes it. */
type Resolve = (reference: Reference) => string | null | undefined

interface Place {
  /** The object that has the field, from the record. `*` stands for each item of a list. */
  within: readonly string[]
  kind: Reference['kind']
  field: Record<Spelling, string>
  /** Whether the field is a reference at all. */
  applies?: (holder: JsonObject, above: JsonObject | undefined) => boolean
  /** The object to remove with the reference, as the number of steps above its holder. */
  removes?: number
}

const field = (id: string, name = id.replace(/Id(s?)$/, '$1')) => ({ id, name })
const source = (id: string, ...within: string[]): Place => ({ within, kind: 'sources', field: field(id) })
const webhook = (...within: string[]): Place => ({ within, kind: 'webhooks', field: field('webhookId'), removes: 0 })
const link = (kind: 'sources' | 'dashboards', type: string): Place => ({
  within: ['tiles', '*', 'config', 'onClick', 'target'],
  kind,
  field: { id: 'id', name: 'record' },
  applies: (target, onClick) => target['mode'] === 'id' && onClick?.['type'] === type,
  removes: 1,
})

/** A kind that is left out refers to nothing. */
const places: Partial<Record<RecordKind, readonly Place[]>> = {
  sources: [
    { within: [], kind: 'dataConnections', field: field('connection') },
    ...['logSourceId', 'traceSourceId', 'metricSourceId', 'sessionSourceId'].map((id) => source(id)),
  ],
  savedSearches: [source('sourceId')],
  dashboards: [
    source('sourceId', 'tiles', '*', 'config'),
    { within: ['tiles', '*', 'config'], kind: 'dataConnections', field: field('connectionId') },
    link('sources', 'search'),
    link('dashboards', 'dashboard'),
    source('sourceId', 'filters', '*'),
    source('appliesToSourceIds', 'filters', '*'),
  ],
  alerts: [
    { within: [], kind: 'tiles', field: field('tileId') },
    { within: [], kind: 'dashboards', field: field('dashboardId') },
    { within: [], kind: 'savedSearches', field: field('savedSearchId') },
    webhook('channel'),
    webhook('channels', '*'),
  ],
}

/** All references of a record. */
export function referencesOf(kind: RecordKind, record: JsonObject, spelling: Spelling): Reference[] {
  const found: Reference[] = []
  rewriteReferences(kind, record, { from: spelling, to: spelling }, (reference) => {
    found.push(reference)
    return null
  })
  return found
}

/**
 * The record with each reference in another spelling. A reference that cannot be resolved keeps its old field, so that it
 * is not mistaken for a resolved one.
 */
export function rewriteReferences(
  kind: RecordKind,
  record: JsonObject,
  spelling: { from: Spelling; to: Spelling },
  resolve: Resolve,
): JsonObject {
  return (places[kind] ?? []).reduce<JsonObject>((current, place) => {
    const dashboard = record[spelling.from === 'id' ? 'dashboardId' : 'dashboard']
    const inDashboard = place.kind === 'tiles' && typeof dashboard === 'string' ? { dashboard } : {}
    const rewritten = visitValues(current, place.within, [], undefined, (holder, path, above) => {
      if (place.applies && !place.applies(holder, above)) return holder
      const [before, after] = [place.field[spelling.from], place.field[spelling.to]]
      const value = holder[before]
      if (before !== after && after in holder) return holder
      const resolvedAt = (text: string, at: Path) =>
        resolve({ kind: place.kind, value: text, path: at, ...inDashboard })
      if (typeof value === 'string' && value !== '') {
        const resolved = resolvedAt(value, [...path, before])
        if (resolved === undefined) return removed(holder, before, place.removes)
        return resolved === null ? holder : renamed(holder, before, after, resolved)
      }
      if (!Array.isArray(value)) return holder
      const texts = value.map((item: unknown, index) =>
        typeof item === 'string' ? resolvedAt(item, [...path, before, index]) : null,
      )
      if (texts.includes(null)) return holder
      return renamed(
        holder,
        before,
        after,
        texts.filter((text) => text !== undefined),
      )
    })
    // The record itself is never removed: its places have no `removes` beyond their holder.
    return isPlainObject(rewritten) ? rewritten : current
  }, record)
}

/** Removes the field, or as many objects around it as its place says. */
class Removal {
  readonly steps: number

  constructor(steps: number) {
    this.steps = steps
  }
}

function removed(holder: JsonObject, name: string, steps: number | undefined): JsonObject | Removal {
  if (steps !== undefined) return new Removal(steps)
  const { [name]: _removed, ...rest } = holder
  return rest
}

/** The object with a field of another name and value, in the same place among its fields. */
function renamed(holder: JsonObject, before: string, after: string, value: unknown): JsonObject {
  return Object.fromEntries(Object.entries(holder).map(([key, old]) => (key === before ? [after, value] : [key, old])))
}

/** Changes the objects at the end of a pattern. Whatever does not have its shape stays. */
function visitValues(
  value: unknown,
  [step, ...rest]: readonly string[],
  path: Path,
  above: JsonObject | undefined,
  change: (holder: JsonObject, path: Path, above: JsonObject | undefined) => JsonObject | Removal,
): unknown {
  if (step === undefined) return isPlainObject(value) ? change(value, path, above) : value
  if (step === '*') {
    if (!Array.isArray(value)) return value
    const items = value.map((item: unknown, index) =>
      visitValues(item, rest, [...path, stepTo(item, index)], above, change),
    )
    return items.filter((item) => !(item instanceof Removal))
  }
  if (!isPlainObject(value) || !(step in value)) return value
  const inner = visitValues(value[step], rest, [...path, step], value, change)
  if (!(inner instanceof Removal)) return inner === value[step] ? value : { ...value, [step]: inner }
  if (inner.steps > 0) return new Removal(inner.steps - 1)
  const { [step]: _removed, ...others } = value
  return others
}

function stepTo(item: unknown, index: number): Path[number] {
  return isPlainObject(item) && typeof item['id'] === 'string' ? { id: item['id'] } : index
}
