/** One file for each record: `dashboards/shop-overview.yaml`. */
import type { JsonObject } from '../json/json.ts'
import { withNames } from '../records/comparable.ts'
import { idOf, nameOf } from '../records/directory.ts'
import { directoryOf, isUnread, type Inventory } from '../records/inventory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { slugOf } from '../text/slug.ts'
import { withVariables } from './webhookSecrets.ts'
import { printYaml, readYaml } from './yaml.ts'

/** The folder of a kind: `saved-searches`. */
export const kindFolder = (kind: RecordKind): string => kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export interface FileText {
  /** Relative to the folder of all files. */
  path: string
  text: string
}

export interface RecordFile {
  path: FileText['path']
  kind: RecordKind
  /** With its own id, the ids of its tiles, and names in place of all other ids. */
  record: JsonObject
}

/** A record file with the text that it was read from, for messages about places in it. */
export type ReadRecordFile = RecordFile & FileText

/** Files that only the command line keeps beside the records. */
const ownFolder = '.stack-console'

export const schemaPath = (kind: RecordKind) => `${ownFolder}/schema/${kind}.json`

/** Whether a file in the folder of a kind is one of a record. */
export const isRecordFileName = (name: string) => /\.ya?ml$/.test(name)

/** The record of a file, or what is wrong with it: a line for each problem, with its place. */
export function readRecordFile(
  kind: RecordKind,
  { path, text }: FileText,
): { file: ReadRecordFile } | { problems: string[] } {
  const read = readYaml(text)
  if ('problems' in read) {
    return { problems: read.problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`) }
  }
  if (kind !== 'alerts' && typeof read.record['name'] !== 'string') {
    return { problems: [`${path}:1:1: name is missing: every record needs one`] }
  }
  return { file: { kind, path, text, record: read.record } }
}

/** A line for each file that has the id of another one. */
export function repeatedIds(files: readonly RecordFile[]): string[] {
  const seen = new Map<string, string>()
  return files.flatMap(({ kind, path, record }) => {
    const id = record['id']
    if (typeof id !== 'string') return []
    const key = `${kind} ${id}`
    const other = seen.get(key)
    seen.set(key, path)
    return other === undefined ? [] : [`${path}:1:1: has the same id as ${other}. Remove the id of the copy.`]
  })
}

/**
 * The records as files have them. Kinds that could not be read, or that the deployment does not offer, are left out.
 * @param withSecrets whether the URLs of webhooks and the keys in their bodies are among them, instead of names of variables
 */
export function recordsForFiles(inventory: Inventory, withSecrets: boolean): Map<RecordKind, JsonObject[]> {
  const directory = directoryOf(inventory)
  const records = new Map<RecordKind, JsonObject[]>()
  for (const kind of recordKinds) {
    const rows = inventory.records[kind]
    if (isUnread(rows)) continue
    const named = rows.map((row) => {
      const record = { id: idOf(row), ...withNames(kind, row, directory) }
      return kind === 'webhooks' && !withSecrets ? withVariables(record) : record
    })
    records.set(kind, named)
  }
  return records
}

export function recordFileText(kind: RecordKind, row: JsonObject): string {
  return printYaml(row, `yaml-language-server: $schema=../${schemaPath(kind)}`)
}

/** A name for the file of each record. @param existing names that records have already, by id */
export function recordFileNames(
  kind: RecordKind,
  rows: readonly JsonObject[],
  existing: ReadonlyMap<unknown, string> = new Map(),
): string[] {
  const taken = new Set(rows.flatMap((row) => existing.get(row['id']) ?? []))
  return rows.map((row) => {
    const known = existing.get(row['id'])
    if (known !== undefined) return known
    const slug = slugOf(fileTitle(kind, row))
    let name = `${slug}.yaml`
    for (let count = 2; taken.has(name); count++) name = `${slug}-${count}.yaml`
    taken.add(name)
    return name
  })
}

/** Alerts often have no name: what they watch names their file. */
function fileTitle(kind: RecordKind, row: JsonObject): string {
  if (kind !== 'alerts' || (typeof row['name'] === 'string' && row['name'] !== '')) return nameOf(row)
  return [row['dashboard'], row['tile'], row['savedSearch']].filter((part) => typeof part === 'string').join(' ')
}
