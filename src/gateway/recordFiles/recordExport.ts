/** All records of a connection as one zip of the files that the command line writes. */
import type { ExportedKind } from '#contract/console/recordFiles.ts'
import {
  kindFolder,
  recordFileNames,
  recordFileText,
  recordsForFiles,
  type FileText,
} from '#domain/recordFiles/recordFiles.ts'
import { schemaFiles } from '#domain/recordFiles/schemas.ts'
import { isUnread, type Inventory } from '#domain/records/inventory.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { formatResourceName } from '#contract/wire/naming.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { runInTimeSlices } from '#node/concurrency/timeSlices.ts'
import { readInventory } from '#node/upstream/readInventory.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { writeZip } from './zip.ts'

interface RecordExport {
  zip: Uint8Array
  kinds: ExportedKind[]
}

/** @throws ApiFailure if nothing could be read */
export async function exportRecords(
  deployments: Deployments,
  target: UpstreamTarget,
  connection: string,
  signal: AbortSignal,
): Promise<RecordExport> {
  const inventory = await readInventory(deployments, target, { priority: 'user', fresh: true, signal })
  const kinds = kindsOf(inventory)
  const unread = kinds.find(({ state }) => state === 'failed')
  if (kinds.every(({ count }) => count === undefined)) {
    throw failure('upstreamFailed', `No record could be read, so there is no file. ${unread?.reason ?? ''}`.trim())
  }
  const time = new Date(currentTime())
  const zip = await runInTimeSlices(writeZip(filesOf(inventory, readme(connection, time, kinds)), time))
  return { zip, kinds }
}

function kindsOf({ records }: Inventory): ExportedKind[] {
  return recordKinds.map((kind) => {
    const rows = records[kind]
    return isUnread(rows) ? { kind, state: rows.state, reason: rows.reason } : { kind, count: rows.length }
  })
}

/** A folder for each kind that was read, though it may be empty, and the schemas that editors use. */
function* filesOf(inventory: Inventory, text: string): Generator<FileText> {
  yield { path: 'README.txt', text }
  for (const [kind, rows] of recordsForFiles(inventory, false)) {
    const folder = `${kindFolder(kind)}/`
    yield { path: folder, text: '' }
    const names = recordFileNames(kind, rows)
    for (const [index, row] of rows.entries()) {
      yield { path: `${folder}${names[index] ?? ''}`, text: recordFileText(kind, row) }
    }
  }
  yield* schemaFiles()
}

function readme(connection: string, time: Date, kinds: readonly ExportedKind[]): string {
  const lines = recordKinds.map((kind) => {
    const found = kinds.find((candidate) => candidate.kind === kind)
    const folder = `${kindFolder(kind)}/`.padEnd(16)
    if (found?.count !== undefined) return `  ${folder}${found.count}`
    if (found?.state === 'notOffered') return `  ${folder}not offered by the deployment`
    return `  ${folder}NOT IN THIS FILE: the ${formatResourceName(kind)} could not be read. ${found?.reason ?? ''}`
  })
  const isPartial = kinds.some(({ state }) => state === 'failed')
  return [
    `Records of ${connection}, exported ${time.toISOString()}`,
    '',
    ...lines,
    '',
    ...(isPartial
      ? [
          'This export is not complete. Where a record refers to one that could not be read, it has the ID of',
          'this deployment.',
          '',
        ]
      : []),
    'One YAML file for each record. "Import records" in the console writes them to this connection or to another one;',
    'so does the command line: stack-console apply --dir FOLDER.',
    'The URLs of webhooks and the keys in their bodies are credentials. They are not in these files.',
    '',
  ].join('\n')
}
