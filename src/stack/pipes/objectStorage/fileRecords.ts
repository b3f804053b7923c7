/**
 * Loads a file row by row that cannot be loaded as a whole: it costs its bad rows, and not the others. How many lines are loaded
 * is stored in the transaction that completes a load, so each row is loaded once, whenever the process dies.
 */
import type { LoadParts } from '../loads/loads.ts'
import { mappedFields } from '../loads/fieldMapping.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { engineTypes } from '../loads/destinationTable.ts'
import { definitionOf } from '../loads/tableDefinition.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { recordLoader } from '../records/recordLoad.ts'
import { columnType } from '../values/columnType.ts'
import { linesOf, type FileToRead } from './fileLines.ts'
import { namesIn, rowReader } from './lineRows.ts'

const prefix = 'lines:'
/** Rows of a load. */
const rowsAtOnce = 20_000

/** Files that were loaded in part, and how many of their lines. */
export function partlyLoaded(store: LoadParts['store'], pipeId: string): Promise<Map<string, string>> {
  return cursorsOf(pipeId).below(store, prefix)
}

/**
 * @param from the number of the first line that is not loaded
 * @returns false if there is no row in its first lines: nothing was loaded
 */
export async function loadRecords(
  parts: LoadParts & { pipeWord: string },
  pipe: PipeDocument,
  file: FileToRead,
  from: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { engine, pipeWord } = parts
  const { format, delimiter } = pipe.source?.objectStorage ?? {}
  const columns = await engineTypes(definitionOf(pipe).columns, engine)
  const fields = new Map(mappedFields(pipe, columns).map(({ source, type }) => [source, [columnType(type)]]))
  const loader = await recordLoader(parts, pipe, file.path, pipeWord)
  const shape = [format ?? 'JSONEachRow', delimiter || ','] as const
  const names = from === 0 ? null : await namesOf(file, shape, parts, signal)
  const reader = rowReader(...shape, fields, names)
  const cursors = cursorsOf(pipe.id)
  let batch = new RecordBuffer()
  for await (const { first, lines, problem, isLast } of linesOf(file, from, engine, signal)) {
    batch.advance(0, first, first + lines.length)
    for (const [at, line] of lines.entries()) {
      for (const row of reader.add(line, first + at)) addRow(batch, row.line, row.json)
    }
    // Such as objects on several lines each, or no text at all.
    if (first === 0 && !hasObject(batch)) return false
    const open = reader.open()
    const done = first + lines.length
    if (isLast && open !== null) addProblem(batch, open, 'the row is not complete')
    if (problem !== null) addProblem(batch, done, `nothing from this line on can be read: ${problem}`)
    // The pages before damage are small.
    if (!isLast && batch.rows < rowsAtOnce) continue
    await loader.load(
      batch,
      async (transaction) => {
        if (!isLast) return cursors.set(transaction, `${prefix}${file.path}`, String(open ?? done))
        await transaction.run('DELETE FROM pipe_cursors WHERE pipe_id = ? AND source = ?', [
          pipe.id,
          `${prefix}${file.path}`,
        ])
        await transaction.run(
          'INSERT INTO pipe_files (pipe_id, path, load_id) VALUES (?, ?, 0) ON CONFLICT (pipe_id, path) DO NOTHING',
          [pipe.id, file.path],
        )
      },
      signal,
    )
    batch = new RecordBuffer()
  }
  return true
}

function hasObject(batch: RecordBuffer): boolean {
  for (let row = 0; row < batch.rows; row++) {
    try {
      JSON.parse(batch.line(row).toString())
      return true
    } catch {
      // The next one may be.
    }
  }
  return false
}

async function namesOf(
  file: FileToRead,
  [format, delimiter]: readonly [string, string],
  { engine }: LoadParts,
  signal: AbortSignal,
): Promise<string[] | null> {
  for await (const { lines } of linesOf(file, 0, engine, signal)) return namesIn(format, delimiter, lines[0] ?? '')
  return null
}

function addRow(batch: RecordBuffer, line: number, json: string): void {
  const bytes = Buffer.from(json)
  batch.readRecords++
  batch.readBytes += bytes.length
  batch.addJson(0, line, bytes, 0, bytes.length)
}

function addProblem(batch: RecordBuffer, line: number, reason: string): void {
  batch.addBad({ partition: 0, offset: line, reason, raw: new Uint8Array() })
}
