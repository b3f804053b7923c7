/** What records need: the records that they refer to, and what those refer to. */
import type { Directory } from './directory.ts'
import { recordKey } from './directory.ts'
import { recordKinds, type RecordKind } from './kinds.ts'
import { referencesOf } from './references.ts'

export interface RecordId {
  kind: RecordKind
  id: string
}

/** The records and all that they need, each once, dependencies first. Records that are gone are left out. */
export function closureOf(chosen: readonly RecordId[], directory: Directory): RecordId[] {
  const found = new Map(chosen.map((one) => [recordKey(one.kind, one.id), one]))
  for (const { kind, id } of found.values()) {
    const record = directory.get(kind, id)
    if (!record) continue
    for (const reference of referencesOf(kind, record, 'id')) {
      const { kind: needed, value } = reference
      if (needed === 'tiles' || needed === 'dataConnections') continue
      found.set(recordKey(needed, value), { kind: needed, id: value })
    }
  }
  const present = [...found.values()].filter(({ kind, id }) => directory.get(kind, id))
  return recordKinds.flatMap((kind) => present.filter((one) => one.kind === kind))
}

/** The records among `all` that refer to a record. */
export function dependentsOf({ kind, id }: RecordId, directory: Directory): RecordId[] {
  return recordKinds.flatMap((other) =>
    directory.all(other).flatMap((record) => {
      const refers = referencesOf(other, record, 'id').some((one) => one.kind === kind && one.value === id)
      return refers && typeof record['id'] === 'string' ? [{ kind: other, id: record['id'] }] : []
    }),
  )
}
