/** References of one record to another in the configuration, and the names of resources, which they use. */
import type { JsonObject } from '../json/json.ts'
import { idOf, itemsOf, Directory, nameOf } from '../records/directory.ts'
import type { ReferenceKind } from '#contract/stack/recordKinds.ts'
import { isExportedKind, type ExportedKind, type ExportedRecords, exportedKinds } from './exportedKinds.ts'
import type { Expression } from './hcl.ts'
import { idReference, resourceTypes, tileIdReference } from './provider.ts'
import { formatRecordName } from '#contract/wire/naming.ts'

export class References {
  readonly #names: Map<string, string>
  readonly #dashboards: Map<string, JsonObject>
  /** The records that each record refers to, by their keys. */
  readonly #edges = new Map<string, Set<string>>()

  constructor(records: ExportedRecords) {
    this.#names = resourceNames(records)
    this.#dashboards = new Map(records.dashboards.map((dashboard) => [idOf(dashboard), dashboard]))
  }

  /** The name of the resource of an exported record. */
  name(kind: ExportedKind, id: string): string {
    return this.#names.get(resourceKey(kind, id)) ?? ''
  }

  address(kind: ExportedKind, id: string): string {
    return `${resourceTypes[kind]}.${this.name(kind, id)}`
  }

  /**
   * The id itself if the record is not exported, and if it refers back to the one that refers to it: Terraform refuses
   * circles.
   * @param from the key of the record that refers
   */
  to(kind: ReferenceKind, id: string, from: string): string | Expression {
    if (!isExportedKind(kind)) return id
    const key = resourceKey(kind, id)
    if (!this.#names.has(key) || this.#reaches(key, from)) return id
    this.#edges.set(from, (this.#edges.get(from) ?? new Set()).add(key))
    return idReference(this.address(kind, id))
  }

  /** The provider finds tiles by name, if that is unique. */
  toTile(dashboardId: string, tileId: string): string | Expression {
    const tiles = itemsOf(this.#dashboards.get(dashboardId), 'tiles')
    const name = tiles.find((tile) => idOf(tile) === tileId)?.['name']
    const isUnique = tiles.filter((tile) => tile['name'] === name).length === 1
    if (typeof name !== 'string' || name === '' || !isUnique) return tileId
    return tileIdReference(this.address('dashboards', dashboardId), name)
  }

  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>()
    const open = [from]
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (key === to) return true
      if (seen.has(key)) continue
      seen.add(key)
      open.push(...(this.#edges.get(key) ?? []))
    }
    return false
  }
}

/**
 * The resource name of each record by its `resourceKey`: of the record's name, unique among the records of its kind, and independent
 * of their order.
 */
function resourceNames(records: ExportedRecords): Map<string, string> {
  const directory = new Directory(records)
  const services = new Map(records.services.map((service) => [idOf(service), nameOf(service)]))
  return new Map(
    exportedKinds.flatMap((kind) => {
      const ids = records[kind].map(idOf).toSorted()
      const taken = new Set<string>()
      return ids.map((id) => {
        const label = kind === 'services' ? services.get(id) : directory.label(kind, id)
        const wanted = identifier(label ?? '', kind)
        let name = wanted
        for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
        taken.add(name)
        return [resourceKey(kind, id), name] as const
      })
    }),
  )
}

/** Identifies an exported record. */
export function resourceKey(kind: ExportedKind, id: string): string {
  return `${kind}/${id}`
}

const longestName = 64

/** Small letters, digits and underscores, beginning with a letter. */
function identifier(label: string, kind: ExportedKind): string {
  const ascii = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const name = trimmed(trimmed(ascii.replace(/[^a-z0-9]+/g, '_')).slice(0, longestName))
  const fallback = formatRecordName(kind).replace(' ', '_')
  if (name === '') return fallback
  return /^[a-z]/.test(name) ? name : `${fallback}_${name}`
}

const trimmed = (name: string) => name.replace(/^_+|_+$/g, '')
