/** The records in a zip of files. */
import { hasPrototypeKey } from '#node/upstream/untrustedJson.ts'
import {
  isRecordFileName,
  kindFolders,
  readRecordFile,
  repeatedIds,
  type RecordFile,
} from '#domain/recordFiles/recordFiles.ts'
import { recordKinds, type RecordKind } from '#domain/records/kinds.ts'
import { failure, type ApiFailure } from '#node/upstream/apiFailure.ts'
import { zipEntries, type ZipEntry } from './zip.ts'

export interface RecordZip {
  files: RecordFile[]
  /** Kinds of which there is a folder, though it may be empty. */
  kinds: RecordKind[]
}

/** A dashboard of 20 tiles has 5 kB. The YAML parser takes about a second for a file of the largest size. */
const limits = { entries: 10_000, fileBytes: 512 * 1024, totalBytes: 32 * 1024 * 1024 }

/** Problems that are reported at once. No further files are read then. */
const maxProblems = 50

const folders = Object.values(kindFolders)
const folderList = `${folders.slice(0, -1).join(', ')} and ${folders.at(-1)}`

/**
 * Reads a zip, one file at a step.
 * @throws ApiFailure that says what is wrong, with each file that is no record
 */
export function* readRecordZip(zip: Uint8Array): Generator<void, RecordZip> {
  const entries = withoutCommonFolder(zipEntries(zip, limits).filter(({ path }) => isRelevant(path)))
  const kinds = recordKinds.filter((kind) => entries.some(({ path }) => path.startsWith(`${kindFolders[kind]}/`)))
  const files: RecordFile[] = []
  const problems: string[] = []
  for (const { path, read } of entries) {
    if (path.endsWith('/')) continue
    if (problems.length >= maxProblems) break
    const kind = recordKinds.find((one) => path.startsWith(`${kindFolders[one]}/`))
    const problem = kind ? nameProblem(path) : folderProblem(path)
    if (kind && problem === null) {
      const found = readRecordFile(kind, { path, text: textOf(read()) })
      if ('problems' in found) problems.push(...found.problems.slice(0, 5))
      else if (hasPrototypeKey(found.file.record))
        problems.push(`${path}:1:1: has a field that is not allowed: __proto__`)
      else files.push(found.file)
    } else if (problem !== null) problems.push(`${path}: ${problem}`)
    yield
  }
  problems.push(...repeatedIds(files))
  if (problems.length > 0) throw problemsFailure(problems)
  if (kinds.length === 0) throw failure('invalid', `The zip has no records. They are in the folders ${folderList}.`)
  return { files, kinds }
}

/** Zip programs and the command line add files of their own. */
function isRelevant(path: string): boolean {
  const parts = path.split('/')
  return !parts.some((part) => part.startsWith('.') || part === '__MACOSX') && !/^(.*\/)?README(\.\w+)?$/i.test(path)
}

/** Without the folder that all files are in, if somebody zipped the folder instead of what is in it. */
function withoutCommonFolder(entries: readonly ZipEntry[]): ZipEntry[] {
  const [top = ''] = entries[0]?.path.split('/') ?? []
  const isCommon = entries.every(({ path }) => path.startsWith(`${top}/`))
  if (!isCommon || folders.includes(top)) return [...entries]
  return entries
    .map((entry) => ({ ...entry, path: entry.path.slice(top.length + 1) }))
    .filter(({ path }) => path !== '')
}

function folderProblem(path: string): string {
  const [folder, ...rest] = path.split('/')
  if (rest.length === 0) return `lies in no folder. The folders of records are ${folderList}.`
  return `the folder ${folder} is not known. The folders of records are ${folderList}.`
}

function nameProblem(path: string): string | null {
  const [, name = '', ...deeper] = path.split('/')
  if (deeper.length > 0) return 'lies too deep. Each record is a file directly in the folder of its kind.'
  return isRecordFileName(name) ? null : 'is no record. Each record is a file that ends with .yaml or .yml.'
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function problemsFailure(problems: readonly string[]): ApiFailure {
  const [first = ''] = problems
  const more = problems.length - 1
  return failure('invalid', more === 0 ? first : `${first} And ${more} more ${more === 1 ? 'problem' : 'problems'}.`, {
    fields: problems.slice(0, maxProblems).map((problem) => {
      const [, path = '', message = problem] = /^(.*?\.\w+(?::\d+:\d+)?): (.*)$/s.exec(problem) ?? []
      return { path, message }
    }),
  })
}
