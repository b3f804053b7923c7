/** References of one record to another in the configuration. */
import type { JsonObject } from '../json/json.ts'
import { idOf, itemsOf } from '../records/directory.ts'
import type { ReferenceKind } from '#contract/stack/recordKinds.ts'
import { isExportedKind, type ExportedKind, type ExportedRecords } from './exportedKinds.ts'
import type { Expression } from './hcl.ts'
import { idReference, resourceTypes, tileIdReference } from './provider.ts'
import { resourceKey, resourceNames } from './resourceNames.ts'

export class References {
  private readonly names: Map<string, string>
  private readonly dashboards: Map<string, JsonObject>
  /** The records that each record refers to, by their keys. */
  private readonly edges = new Map<string, Set<string>>()

  constructor(records: ExportedRecords) {
    this.names = resourceNames(records)
    this.dashboards = new Map(records.dashboards.map((dashboard) => [idOf(dashboard), dashboard]))
  }

  /** The name of the resource of an exported record. */
  name(kind: ExportedKind, id: string): string {
    return this.names.get(resourceKey(kind, id)) ?? ''
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
    if (!this.names.has(key) || this.reaches(key, from)) return id
    this.edges.set(from, (this.edges.get(from) ?? new Set()).add(key))
    return idReference(this.address(kind, id))
  }

  /** The provider finds tiles by name, if that is unique. */
  toTile(dashboardId: string, tileId: string): string | Expression {
    const tiles = itemsOf(this.dashboards.get(dashboardId), 'tiles')
    const name = tiles.find((tile) => idOf(tile) === tileId)?.['name']
    const isUnique = tiles.filter((tile) => tile['name'] === name).length === 1
    if (typeof name !== 'string' || name === '' || !isUnique) return tileId
    return tileIdReference(this.address('dashboards', dashboardId), name)
  }

  private reaches(from: string, to: string): boolean {
    const seen = new Set<string>()
    const open = [from]
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (key === to) return true
      if (seen.has(key)) continue
      seen.add(key)
      open.push(...(this.edges.get(key) ?? []))
    }
    return false
  }
}
