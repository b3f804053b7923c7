/** One file for each record: `dashboards/shop-overview.yaml`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf } from '#domain/records/directory.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { recordKinds, type RecordKind } from '#domain/records/kinds.ts'
import { problemsError } from './problems.ts'
import { printYaml, readYaml } from './yaml.ts'

const kindFolders: Record<RecordKind, string> = {
  sources: 'sources',
  webhooks: 'webhooks',
  savedSearches: 'saved-searches',
  dashboards: 'dashboards',
  alerts: 'alerts',
}

export interface RecordFile {
  kind: RecordKind
  /** Relative to the folder. */
  path: string
  text: string
  /** With its own id, the ids of its tiles, and names in place of all other ids. */
  record: JsonObject
}

/** All files, in a fixed order. @throws CliError with every file that is no record */
export function readFiles(dir: string): RecordFile[] {
  const problems: string[] = []
  const files = recordKinds.flatMap((kind) =>
    fileNames(join(dir, kindFolders[kind])).flatMap((name): RecordFile[] => {
      const path = join(kindFolders[kind], name)
      const text = readFileSync(join(dir, path), 'utf8')
      const read = readYaml(text)
      if ('problems' in read) {
        problems.push(...read.problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`))
        return []
      }
      if (kind !== 'alerts' && typeof read.record['name'] !== 'string') {
        problems.push(`${path}:1:1: name is missing: every record needs one`)
        return []
      }
      return [{ kind, path, text, record: read.record }]
    }),
  )
  problems.push(...sameIds(files))
  if (problems.length > 0) throw problemsError(problems)
  return files
}

/** Kinds of which there is a folder. Records of other kinds are not managed by these files. */
export function managedKinds(dir: string): RecordKind[] {
  return recordKinds.filter((kind) => existsSync(join(dir, kindFolders[kind])))
}

function fileNames(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
}

function sameIds(files: readonly RecordFile[]): string[] {
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
 * Writes a file for each record, and removes the files of records that are not among them. A record that has a file already,
 * by its id, keeps the name of the file.
 * @returns the number of files
 */
export function writeFiles(dir: string, records: ReadonlyMap<RecordKind, readonly JsonObject[]>): number {
  let count = 0
  for (const [kind, rows] of records) {
    const folder = join(dir, kindFolders[kind])
    mkdirSync(folder, { recursive: true })
    const names = namesFor(kind, rows, folder)
    for (const [index, row] of rows.entries()) {
      const head = `yaml-language-server: $schema=../.stack-console/schema/${kind}.json`
      writeFileSync(join(folder, names[index] ?? ''), printYaml(row, head))
      count += 1
    }
    const kept = new Set(names)
    for (const name of fileNames(folder)) if (!kept.has(name)) rmSync(join(folder, name))
  }
  return count
}

function namesFor(kind: RecordKind, rows: readonly JsonObject[], folder: string): string[] {
  const existing = new Map<unknown, string>()
  for (const name of fileNames(folder)) {
    const read = readYaml(readFileSync(join(folder, name), 'utf8'))
    if ('record' in read && read.record['id'] !== undefined) existing.set(read.record['id'], name)
  }
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

/** Letters, digits and hyphens: safe on every file system. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const slug = plain.replace(/[^\p{Letter}\p{Number}]+/gu, '-').replace(/^-+|-+$/g, '')
  return slug.slice(0, 80) || 'unnamed'
}
