/** The kinds of records that Terraform has: most of those that are promoted, and services. */
import type { JsonObject } from '../json/json.ts'

/** The exported kinds, in the order in which they are written. */
export const exportedKinds = ['services', 'sources', 'webhooks', 'savedSearches', 'dashboards', 'alerts'] as const
export type ExportedKind = (typeof exportedKinds)[number]

export const isExportedKind = (kind: string): kind is ExportedKind => exportedKinds.some((other) => other === kind)

export interface ExportedRecord {
  kind: ExportedKind
  /** As the deployment returns it. */
  record: JsonObject
}

export type ExportedRecords = Readonly<Record<ExportedKind, readonly JsonObject[]>>
