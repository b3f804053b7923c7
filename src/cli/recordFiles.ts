/** The files of records in a folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '#domain/json/json.ts'
import {
  isRecordFileName,
  kindFolder,
  readRecordFile,
  recordFileNames,
  recordFileText,
  repeatedIds,
  type FileText,
  type ReadRecordFile,
} from '#domain/recordFiles/recordFiles.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { problemsError } from './problems.ts'

/** All files, in a fixed order. @throws CliError with every file that is no record */
export function readFiles(dir: string): ReadRecordFile[] {
  const problems: string[] = []
  const files = recordKinds.flatMap((kind) =>
    fileNames(join(dir, kindFolder(kind))).flatMap((name): ReadRecordFile[] => {
      const path = join(kindFolder(kind), name)
      const read = readRecordFile(kind, { path, text: readFileSync(join(dir, path), 'utf8') })
      if ('file' in read) return [read.file]
      problems.push(...read.problems)
      return []
    }),
  )
  problems.push(...repeatedIds(files))
  if (problems.length > 0) throw problemsError(problems)
  return files
}

/** The kinds that have a folder. Records of other kinds are not managed by these files. */
export function managedKinds(dir: string): RecordKind[] {
  return recordKinds.filter((kind) => existsSync(join(dir, kindFolder(kind))))
}

function fileNames(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(isRecordFileName).toSorted()
}

/** Writes files with given paths. */
export function writeTexts(dir: string, files: readonly FileText[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

/**
 * Writes a file for each record, and removes the files of records that are not among them. A record that has a file already,
 * by its id, keeps the name of the file.
 * @returns the number of files
 */
export function syncRecordFiles(dir: string, records: ReadonlyMap<RecordKind, readonly JsonObject[]>): number {
  let count = 0
  for (const [kind, rows] of records) {
    const folder = join(dir, kindFolder(kind))
    mkdirSync(folder, { recursive: true })
    const names = recordFileNames(kind, rows, existingNames(kind, folder))
    for (const [index, row] of rows.entries()) {
      writeFileSync(join(folder, names[index] ?? ''), recordFileText(kind, row))
      count += 1
    }
    const kept = new Set(names)
    for (const name of fileNames(folder)) if (!kept.has(name)) rmSync(join(folder, name))
  }
  return count
}

function existingNames(kind: RecordKind, folder: string): Map<unknown, string> {
  const names = fileNames(folder).flatMap((name) => {
    const read = readRecordFile(kind, { path: name, text: readFileSync(join(folder, name), 'utf8') })
    return 'file' in read && read.file.record['id'] !== undefined ? [[read.file.record['id'], name] as const] : []
  })
  return new Map(names)
}
