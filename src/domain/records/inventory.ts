/** The records of one deployment, and what could not be read. */
import type { JsonObject } from '../json/json.ts'
import { Directory, idOf, type NamedRecord } from './directory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'

/** Why a kind of records is not known. */
export interface Unread {
  /** `notOffered`: the deployment has no such records. `failed`: they could not be read. */
  state: 'notOffered' | 'failed'
  reason: string
}

export interface Inventory {
  records: Record<RecordKind, readonly JsonObject[] | Unread>
  /** The deployment's data connections; undefined if it has no list of them: then those that its records name. */
  dataConnections?: readonly NamedRecord[] | Unread | undefined
}

/** No records of any kind. */
export function noRecords(): Inventory['records'] {
  return Object.fromEntries(recordKinds.map((kind) => [kind, []])) as Record<RecordKind, []> // the keys are the kinds
}

/** The records of a kind; empty if they could not be read. */
export function recordsOf(inventory: Inventory, kind: RecordKind): readonly JsonObject[] {
  const records = inventory.records[kind]
  return isUnread(records) ? [] : records
}

/** The data connections that the deployment lists; undefined if it does not, or if they could not be read. */
export function listedConnections({ dataConnections }: Inventory): readonly NamedRecord[] | undefined {
  return dataConnections && !isUnread(dataConnections) ? dataConnections : undefined
}

export function isUnread(records: readonly unknown[] | Unread): records is Unread {
  return 'state' in records
}

/** Names and ids of what could be read. @param labels labels by `recordKey` that replace those from names */
export function directoryOf(inventory: Inventory, labels?: ReadonlyMap<string, string>): Directory {
  return new Directory(
    Object.fromEntries(recordKinds.map((kind) => [kind, recordsOf(inventory, kind)])),
    listedConnections(inventory),
    labels,
  )
}

export interface RecordName {
  kind: RecordKind
  id: string
  /** The label that the directory has for it. */
  name: string
}

/** The names of all records that could be read. */
export function namesOf(inventory: Inventory, directory: Directory): RecordName[] {
  return recordKinds.flatMap((kind) =>
    recordsOf(inventory, kind).map((record) => ({
      kind,
      id: idOf(record),
      name: directory.label(kind, idOf(record)) ?? '',
    })),
  )
}
