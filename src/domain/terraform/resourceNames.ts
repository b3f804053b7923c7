/** The names of resources: of the record's name, unique among the records of its kind, and independent of their order. */
import { Directory, idOf, nameOf } from '../records/directory.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import { exportedKinds, type ExportedKind, type ExportedRecords } from './exportedKinds.ts'

/** The name of each record by its `resourceKey`. */
export function resourceNames(records: ExportedRecords): Map<string, string> {
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
