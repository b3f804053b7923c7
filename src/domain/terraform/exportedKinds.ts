/** The kinds of records that Terraform has: those that are promoted, and services. */
import type { JsonObject } from '../json/json.ts'
import { kindNames, recordKinds, type RecordKind } from '../records/kinds.ts'

/** In the order in which they are written. */
export const exportedKinds = ['services', ...recordKinds] as const
export type ExportedKind = RecordKind | 'services'

export interface ExportedRecord {
  kind: ExportedKind
  /** As the deployment returns it. */
  record: JsonObject
}

/** One record, as a person calls it. */
export const exportedKindNames: Record<ExportedKind, string> = { ...kindNames, services: 'service' }

export type ExportedRecords = Readonly<Record<ExportedKind, readonly JsonObject[]>>
