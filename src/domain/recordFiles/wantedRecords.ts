/** What the files want a deployment to have. */
import type { JsonObject } from '../json/json.ts'
import { comparableOf } from '../records/comparable.ts'
import type { Directory } from '../records/directory.ts'
import type { RecordKind } from '../records/kinds.ts'
import { recordKinds } from '../records/kinds.ts'
import { labelsOf } from '../records/labels.ts'
import type { WantedRecord } from '../records/plan.ts'
import type { Work } from '../work.ts'
import type { RecordFile } from './recordFiles.ts'

/** A value that is taken from the environment: `${STACK_WEBHOOK_URL_ON_CALL}`. */
const placeholder = /^\$\{([A-Z][A-Z0-9_]*)\}$/

/** A secret that a new record needs, and that its file does not have. */
export interface NeededSecret<File extends RecordFile> {
  file: File
  /** The label of the record. */
  name: string
  /** What the file has in place of the secret. */
  variable: string
  /** Whether somebody gave it. */
  isKnown: boolean
}

/**
 * One record at a step.
 * @param directory of the deployment
 * @param secretOf the value of a variable of a file; undefined leaves what the deployment has
 */
export function* wantedRecords<File extends RecordFile>(
  files: readonly File[],
  directory: Directory,
  secretOf: (file: File, variable: string) => string | undefined,
): Work<{ wanted: WantedRecord[]; secrets: NeededSecret<File>[] }> {
  const secrets: NeededSecret<File>[] = []
  const wanted: WantedRecord[] = []
  for (const kind of recordKinds) {
    const own = files.filter((file) => file.kind === kind).toSorted(byId)
    const labels = labelsOf(own, (file) => titleOf(kind, file.record))
    for (const file of own) {
      const name = labels.get(file) ?? ''
      const id = typeof file.record['id'] === 'string' ? file.record['id'] : undefined
      const variable = kind === 'webhooks' ? variableOf(file.record) : undefined
      const stored = storedRecord(kind, id, name, directory)?.['url']
      const given = variable === undefined ? undefined : secretOf(file, variable)
      const url = variable === undefined ? undefined : (given ?? stored)
      if (variable !== undefined && typeof stored !== 'string') {
        secrets.push({ file, name, variable, isKnown: given !== undefined })
      }
      const record = typeof url === 'string' ? { ...file.record, url } : file.record
      // A file of a deployment that could not be read in full has ids in some places.
      wanted.push({ kind, name, id, document: comparableOf(kind, record, directory), original: file.record })
      yield
    }
  }
  return { wanted, secrets }
}

/** The variable in place of the URL of a webhook. */
export function variableOf({ url }: JsonObject): string | undefined {
  return typeof url === 'string' ? placeholder.exec(url)?.[1] : undefined
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
