/** The records that the files describe. */
import type { JsonObject } from '../json/json.ts'
import { comparableOf } from '../records/comparable.ts'
import type { Directory } from '../records/directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { labelsOf } from '../records/labels.ts'
import type { WantedRecord } from '../records/plan.ts'
import type { Work } from '../work.ts'
import type { RecordFile } from './recordFiles.ts'
import { withStoredSecrets, type SecretVariable } from './webhookSecrets.ts'

/** A secret that a record needs, and that neither its file nor the deployment has. */
export interface NeededSecret<File extends RecordFile> extends SecretVariable {
  file: File
  /** The label of the record. */
  name: string
  /** Whether somebody gave it. */
  isKnown: boolean
}

/**
 * The records that files want on a deployment, with their secrets. Yields after each record.
 * @param directory of the deployment
 * @param secretOf the value of a variable of a file; undefined leaves what the deployment has
 */
export function* wantedRecords<File extends RecordFile>(
  files: readonly File[],
  directory: Directory,
  secretOf: (file: File, variable: SecretVariable) => string | undefined,
): Work<{ wanted: WantedRecord[]; secrets: NeededSecret<File>[] }> {
  const secrets: NeededSecret<File>[] = []
  const wanted: WantedRecord[] = []
  for (const kind of recordKinds) {
    const own = files.filter((file) => file.kind === kind).toSorted(byId)
    const labels = labelsOf(own, (file) => titleOf(kind, file.record))
    for (const file of own) {
      const name = labels.get(file) ?? ''
      const id = typeof file.record['id'] === 'string' ? file.record['id'] : undefined
      const { record, needed } =
        kind === 'webhooks'
          ? withStoredSecrets(file.record, storedRecord(kind, id, name, directory), (secretVariable) =>
              secretOf(file, secretVariable),
            )
          : { record: file.record, needed: [] }
      secrets.push(...needed.map((secret) => ({ ...secret, file, name })))
      // A file of a deployment that could not be read in full has ids in some places.
      wanted.push({ kind, name, id, document: comparableOf(kind, record, directory), original: file.record })
      yield
    }
  }
  return { wanted, secrets }
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
