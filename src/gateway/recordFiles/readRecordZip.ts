/** The records in a zip of files. The zip comes from outside: `recordZipWorker.ts` reads it in a process of its own. */
import { stringifyJson } from '#contract/wire/json.ts'
import { hasPrototypeKey } from '#node/upstream/untrustedJson.ts'
import {
  isRecordFileName,
  kindFolder,
  readRecordFile,
  repeatedIds,
  type RecordFile,
} from '#domain/recordFiles/recordFiles.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { failure, type ApiFailure } from '#node/upstream/apiFailure.ts'
import { counted } from '#domain/text/words.ts'
import { zipEntries, type ZipEntry } from './zip.ts'

/** A record, with its text as JSON. */
export interface ZippedRecord extends Pick<RecordFile, 'kind' | 'path'> {
  json: string
}

/** The result of one reading step: a file whose reading begins, or the record of the last one. */
export type ZipStep = { begun: string } | { record: ZippedRecord }

/** A dashboard of 20 tiles has 5 kB. The YAML parser takes about a second for a plain file of the largest size. */
const limits = { entries: 10_000, fileBytes: 512 * 1024, totalBytes: 32 * 1024 * 1024 }

/** Characters of all records as JSON. Aliases in YAML may stand for more than was inflated. */
const maxCharacters = limits.totalBytes

/** Problems that are reported at once. No further files are read then. */
const maxProblems = 50

const folders = recordKinds.map(kindFolder)
const folderList = `${folders.slice(0, -1).join(', ')} and ${folders.at(-1)}`

/**
 * Reads a zip.
 * @returns the kinds that have a folder, which may be empty
 * @throws ApiFailure that says what is wrong, with each file that is no record
 */
export function* readRecordZip(zip: Uint8Array): Generator<ZipStep, RecordKind[]> {
  const entries = withoutCommonFolder(zipEntries(zip, limits).filter(({ path }) => isRelevant(path)))
  const kinds = recordKinds.filter((kind) => entries.some(({ path }) => path.startsWith(`${kindFolder(kind)}/`)))
  const ids: RecordFile[] = []
  const problems: string[] = []
  let left = maxCharacters
  for (const { path, read } of entries) {
    if (path.endsWith('/')) continue
    if (problems.length >= maxProblems) break
    yield { begun: path }
    const kind = recordKinds.find((recordKind) => path.startsWith(`${kindFolder(recordKind)}/`))
    const problem = kind ? nameProblem(path) : folderProblem(path)
    if (kind && problem === null) {
      const found = readRecordFile(kind, { path, text: textOf(read()) })
      if ('problems' in found) problems.push(...found.problems.slice(0, 5))
      else if (hasPrototypeKey(found.file.record))
        problems.push(`${path}:1:1: has a field that is not allowed: __proto__`)
      else {
        const { id } = found.file.record
        if (typeof id === 'string') ids.push({ kind, path, record: { id } })
        const json = stringifyJson(found.file.record)
        left -= json.length
        if (left < 0)
          throw problemsFailure([
            `${path}: has too many aliases, with those of the files before it. Import the zip in parts.`,
          ])
        yield { record: { kind, path, json } }
      }
    } else if (problem !== null) problems.push(`${path}: ${problem}`)
  }
  problems.push(...repeatedIds(ids))
  if (problems.length > 0) throw problemsFailure(problems)
  if (kinds.length === 0) throw failure('invalid', `The zip has no records. They are in the folders ${folderList}.`)
  return kinds
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

/** The refusal of a zip, with a line for each problem: a path and what is wrong. */
export function problemsFailure(problems: readonly string[]): ApiFailure {
  const [first = ''] = problems
  const more = problems.length - 1
  return failure('invalid', more === 0 ? first : `${first} And ${counted(more, 'more problem')}.`, {
    fields: problems.slice(0, maxProblems).map((problem) => {
      const [, path = '', message = problem] = /^(.*?\.\w+(?::\d+:\d+)?): (.*)$/s.exec(problem) ?? []
      return { path, message }
    }),
  })
}
