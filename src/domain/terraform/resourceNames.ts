/** The names of resources: of the record's name, unique among the records of its kind, and independent of their order. */
import { Directory, idOf, recordKey } from '../records/directory.ts'
import { kindNames, recordKinds, type RecordKind } from '../records/kinds.ts'
import type { JsonObject } from '../json/json.ts'

/** The name of each record by its `recordKey`. */
export function resourceNames(records: Readonly<Record<RecordKind, readonly JsonObject[]>>): Map<string, string> {
  const directory = new Directory(records)
  return new Map(
    recordKinds.flatMap((kind) => {
      const ids = records[kind].map(idOf).toSorted()
      const taken = new Set<string>()
      return ids.map((id) => {
        const wanted = identifier(directory.label(kind, id) ?? '', kind)
        let name = wanted
        for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`
        taken.add(name)
        return [recordKey(kind, id), name] as const
      })
    }),
  )
}

const longestName = 64

/** Small letters, digits and underscores, beginning with a letter. */
function identifier(label: string, kind: RecordKind): string {
  const ascii = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const name = trimmed(trimmed(ascii.replace(/[^a-z0-9]+/g, '_')).slice(0, longestName))
  const fallback = kindNames[kind].replace(' ', '_')
  if (name === '') return fallback
  return /^[a-z]/.test(name) ? name : `${fallback}_${name}`
}

const trimmed = (name: string) => name.replace(/^_+|_+$/g, '')
