/** Names and ids of the records of one deployment, in both directions. */
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { recordKinds, type RecordKind, type ReferenceKind } from '#contract/stack/recordKinds.ts'
import { labelsOf } from './labels.ts'
import { referencesOf, type Reference } from './references.ts'

/** The label of the data connection of a deployment that has only one, whatever it is called there. */
const onlyDataConnection = 'default'

/** Whether a value is a record as a deployment returns it. */
export function isRecordWithId(value: unknown): value is JsonObject & { id: string } {
  return isPlainObject(value) && typeof value['id'] === 'string' && value['id'] !== ''
}

/** Identifies a record of one deployment. */
export function recordKey(kind: ReferenceKind, id: string): string {
  return `${kind}/${id}`
}

export interface NamedRecord {
  id: string
  name: string
}

interface Names {
  labels: Map<string, string>
  ids: Map<string, string>
}

export class Directory {
  readonly #records: ReadonlyMap<RecordKind, Map<string, JsonObject>>
  readonly #names = new Map<string, Names>()
  readonly #fixedLabels: Map<string, string>
  readonly #dataConnections?: readonly NamedRecord[]

  /**
   * @param dataConnections as listed by the deployment; without them, those that sources name
   * @param fixedLabels labels by `recordKey`, such as the names that records will have after a plan
   */
  constructor(
    records: Partial<Record<RecordKind, readonly JsonObject[]>>,
    dataConnections?: readonly NamedRecord[],
    fixedLabels: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#dataConnections = dataConnections
    this.#fixedLabels = new Map(fixedLabels)
    const byId = (kind: RecordKind) =>
      new Map(records[kind]?.flatMap((record) => (idOf(record) === '' ? [] : [[idOf(record), record] as const])))
    this.#records = new Map(recordKinds.map((kind) => [kind, byId(kind)]))
  }

  /** Adds a record, or replaces it. @param label if it is not to be derived from its name */
  put(kind: RecordKind, record: JsonObject, label?: string): void {
    this.#records.get(kind)?.set(idOf(record), record)
    if (label !== undefined) this.#fixedLabels.set(recordKey(kind, idOf(record)), label)
    this.#forget(kind)
  }

  remove(kind: RecordKind, id: string): void {
    this.#records.get(kind)?.delete(id)
    this.#forget(kind)
  }

  /** Names depend on the records of their kind; tiles on their dashboard. */
  #forget(kind: RecordKind): void {
    for (const key of this.#names.keys()) {
      const depends = ['dataConnections', 'alerts'].includes(key) || (kind === 'dashboards' && key.startsWith('tiles '))
      if (key === kind || depends) this.#names.delete(key)
    }
  }

  all(kind: RecordKind): JsonObject[] {
    return [...(this.#records.get(kind)?.values() ?? [])]
  }

  get(kind: RecordKind, id: string): JsonObject | undefined {
    return this.#records.get(kind)?.get(id)
  }

  label(kind: ReferenceKind, id: string): string | undefined {
    return this.#namesOf(kind).labels.get(id)
  }

  id(kind: ReferenceKind, label: string): string | undefined {
    return this.#namesOf(kind).ids.get(label)
  }

  labels(kind: ReferenceKind): string[] {
    return [...this.#namesOf(kind).ids.keys()]
  }

  /** The labels of a dashboard's tiles by id. */
  tileLabel(dashboardId: string, tileId: string): string | undefined {
    return this.#tileNames(dashboardId).labels.get(tileId)
  }

  tileId(dashboardId: string, label: string): string | undefined {
    return this.#tileNames(dashboardId).ids.get(label)
  }

  /** The name that a reference by id stands for. */
  nameOf(reference: Reference): string | null {
    const { kind, value, dashboard } = reference
    if (kind === 'tiles') return (dashboard === undefined ? undefined : this.tileLabel(dashboard, value)) ?? null
    return this.label(kind, value) ?? null
  }

  /** The id that a reference by name stands for. */
  idOf({ kind, value, dashboard }: Reference): string | null {
    if (kind !== 'tiles') return this.id(kind, value) ?? null
    const dashboardId = dashboard === undefined ? undefined : this.id('dashboards', dashboard)
    return (dashboardId === undefined ? undefined : this.tileId(dashboardId, value)) ?? null
  }

  #namesOf(kind: ReferenceKind): Names {
    return this.#cached(kind, () => {
      const rows = kind === 'dataConnections' ? this.#listedConnections() : this.all(kind)
      // Deployments list in different orders. Ids are in the order of creation.
      const sorted = rows.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
      const [only, ...others] = sorted
      if (kind === 'dataConnections' && only && others.length === 0)
        return namesFrom([[idOf(only), onlyDataConnection]])
      const fixedLabelOf = (row: JsonObject) => this.#fixedLabels.get(recordKey(kind, idOf(row)))
      const named = sorted.flatMap((row) => fixedLabelOf(row) ?? [])
      const unnamed = sorted.filter((row) => fixedLabelOf(row) === undefined)
      const labels = labelsOf(unnamed, (row) => (kind === 'alerts' ? this.#alertName(row) : nameOf(row)), named)
      return namesFrom(sorted.map((row) => [idOf(row), fixedLabelOf(row) ?? labels.get(row) ?? '']))
    })
  }

  /** Many alerts have no name: what they watch tells them apart. */
  #alertName(alert: JsonObject): string {
    if (typeof alert['name'] === 'string' && alert['name'] !== '') return alert['name']
    const [dashboardId, tileId, savedSearchId] = ['dashboardId', 'tileId', 'savedSearchId'].map((key) => alert[key])
    if (typeof savedSearchId === 'string') return this.label('savedSearches', savedSearchId) ?? 'Untitled'
    if (typeof dashboardId !== 'string' || typeof tileId !== 'string') return 'Untitled'
    const dashboard = this.label('dashboards', dashboardId)
    return dashboard ? `${dashboard} / ${this.tileLabel(dashboardId, tileId) ?? 'Untitled'}` : 'Untitled'
  }

  #tileNames(dashboardId: string): Names {
    return this.#cached(`tiles ${dashboardId}`, () => {
      const tiles = itemsOf(this.get('dashboards', dashboardId), 'tiles')
      const labels = labelsOf(tiles, nameOf)
      return namesFrom(tiles.map((tile) => [idOf(tile), labels.get(tile) ?? '']))
    })
  }

  #cached(key: string, compute: () => Names): Names {
    const known = this.#names.get(key)
    if (known) return known
    const names = compute()
    this.#names.set(key, names)
    return names
  }

  /** The deployment's list, or the ids that sources and tiles name. */
  #listedConnections(): JsonObject[] {
    if (this.#dataConnections) return this.#dataConnections.map((connection) => ({ ...connection }))
    const named = (['sources', 'dashboards'] as const).flatMap((kind) =>
      this.all(kind).flatMap((record) =>
        referencesOf(kind, record, 'id').flatMap((reference) =>
          reference.kind === 'dataConnections' ? [reference.value] : [],
        ),
      ),
    )
    return [...new Set(named)].map((id) => ({ id, name: id }))
  }
}

export function idOf(record: JsonObject): string {
  return typeof record['id'] === 'string' ? record['id'] : ''
}

export function nameOf(record: JsonObject): string {
  return typeof record['name'] === 'string' && record['name'] !== '' ? record['name'] : 'Untitled'
}

/** The objects of a list in a record. */
export function itemsOf(record: JsonObject | undefined, list: string): JsonObject[] {
  const items = record?.[list]
  return Array.isArray(items) ? items.filter(isPlainObject) : []
}

function namesFrom(pairs: readonly (readonly [id: string, label: string])[]): Names {
  return { labels: new Map(pairs), ids: new Map(pairs.map(([id, label]) => [label, id])) }
}
