/** What the files want a deployment to have. */
import { isObject, type JsonObject } from '#domain/json/json.ts'
import { comparableOfNamed } from '#domain/records/comparable.ts'
import type { Directory } from '#domain/records/directory.ts'
import type { RecordKind } from '#domain/records/kinds.ts'
import { recordKinds } from '#domain/records/kinds.ts'
import { labelsOf } from '#domain/records/labels.ts'
import type { WantedRecord } from '#domain/records/plan.ts'
import { problemsError } from './problems.ts'
import { slugOf, type RecordFile } from './recordFiles.ts'
import { placeOf } from './yaml.ts'

/** A value that is taken from the environment: `${STACK_WEBHOOK_URL_ON_CALL}`. */
const placeholder = /^\$\{([A-Z][A-Z0-9_]*)\}$/

/** The URL of a webhook is a credential: a file has this in its place. */
export function urlPlaceholder(name: string): string {
  return `\${STACK_WEBHOOK_URL_${slugOf(name)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')}}`
}

export interface FileRecord extends WantedRecord {
  file: RecordFile
}

/**
 * @param directory of the deployment
 * @throws CliError with every secret that is neither in the environment nor stored
 */
export function wantedRecords(
  files: readonly RecordFile[],
  directory: Directory,
  env: Record<string, string | undefined>,
): FileRecord[] {
  const problems: string[] = []
  const wanted = recordKinds.flatMap((kind) => {
    const own = files.filter((file) => file.kind === kind).toSorted(byId)
    const labels = labelsOf(own, (file) => titleOf(kind, file.record))
    return own.map((file): FileRecord => {
      const name = labels.get(file) ?? ''
      const id = typeof file.record['id'] === 'string' ? file.record['id'] : undefined
      const stored = storedRecord(kind, id, name, directory)
      const record = kind === 'webhooks' ? withSecret(file, stored, env, problems) : file.record
      return { kind, name, id, document: comparableOfNamed(kind, record), original: file.record, file }
    })
  })
  if (problems.length > 0) throw problemsError(problems)
  return wanted
}

function storedRecord(kind: RecordKind, id: string | undefined, name: string, directory: Directory) {
  return (id === undefined ? undefined : directory.get(kind, id)) ?? directory.get(kind, directory.id(kind, name) ?? '')
}

/** Deployments label records in the order of their ids. */
function byId(a: RecordFile, b: RecordFile): number {
  const [one, other] = [a, b].map(({ record, path }) => (typeof record['id'] === 'string' ? record['id'] : `~${path}`))
  return (one ?? '') < (other ?? '') ? -1 : 1
}

function titleOf(kind: RecordKind, record: JsonObject): string {
  const { name, dashboard, tile, savedSearch } = record
  if (typeof name === 'string' && name !== '') return name
  if (kind !== 'alerts') return 'Untitled'
  if (typeof savedSearch === 'string') return savedSearch
  return typeof dashboard === 'string' ? `${dashboard} / ${typeof tile === 'string' ? tile : 'Untitled'}` : 'Untitled'
}

/** The URL from the environment, or the stored one: a placeholder is no difference. */
function withSecret(
  { path, text, record }: RecordFile,
  stored: JsonObject | undefined,
  env: Record<string, string | undefined>,
  problems: string[],
): JsonObject {
  const name = typeof record['url'] === 'string' ? placeholder.exec(record['url'])?.[1] : undefined
  if (name === undefined) return record
  const url = env[name] ?? (isObject(stored) ? stored['url'] : undefined)
  if (typeof url === 'string') return { ...record, url }
  const { line, column } = placeOf(text, ['url'])
  problems.push(
    `${path}:${line}:${column}: set ${name} in the environment: the deployment has no webhook of this name yet`,
  )
  return record
}
