/** Dependencies of records: the records that they refer to, and what those refer to. */
import type { Directory } from './directory.ts'
import { idOf, recordKey } from './directory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { referencesOf } from './references.ts'
import type { Work } from '../work.ts'

export interface RecordId {
  kind: RecordKind
  id: string
}

/** The records and all that they need, each once, dependencies first. Records that are gone are left out. */
export function closureOf(chosen: readonly RecordId[], directory: Directory): RecordId[] {
  const found = new Map(chosen.map((recordId) => [recordKey(recordId.kind, recordId.id), recordId]))
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
  return recordKinds.flatMap((kind) => present.filter((recordId) => recordId.kind === kind))
}

/** The records that refer to each record, by the `recordKey` of that. */
export function* dependentsIn(directory: Directory): Work<ReadonlyMap<string, RecordId[]>> {
  const dependents = new Map<string, RecordId[]>()
  for (const kind of recordKinds) {
    for (const record of directory.all(kind)) {
      const needed = new Set(
        referencesOf(kind, record, 'id').flatMap((reference) =>
          reference.kind === 'tiles' ? [] : [recordKey(reference.kind, reference.value)],
        ),
      )
      for (const key of needed) {
        const known = dependents.get(key)
        if (known) known.push({ kind, id: idOf(record) })
        else dependents.set(key, [{ kind, id: idOf(record) }])
      }
      yield
    }
  }
  return dependents
}
