/**
 * Loads a file row by row that cannot be loaded as a whole: it costs its bad rows, and not the others. How many lines are loaded
 * is stored in the transaction that completes a load, so each row is loaded once, whenever the process dies.
 */
import { formatValue } from '#domain/charts/units.ts'
import type { Queries } from '../../store/store.ts'
import type { LoadDependencies } from '../loads/loads.ts'
import { mappedFields } from '../loads/fieldMapping.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { destinationTableOf } from '../loads/destinationTable.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { errorTableOf, type RecordPlaces } from '../records/errorTable.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { recordLoader, type RecordLoader } from '../records/recordLoad.ts'
import { byOffset, markUnloaded } from '../records/unloadedRecords.ts'
import { columnType } from '../values/columnType.ts'
import { loadedColumns } from '../values/loadedColumns.ts'
import { firstLine, lineCopies, linesOf, type LinePage, type LineDependencies } from './fileLines.ts'
import type { FileToRead } from './fileLocation.ts'
import { namesIn, rowReader, type LineRow, type RowReader } from './lineRows.ts'

const prefix = 'lines:'
const endPrefix = 'end:'
/** Rows of a load. */
const rowsAtOnce = 20_000
/** The memory of the rows of a load, in bytes, before what follows of the same page. */
const bytesAtOnce = 64 * 1024 ** 2

/** Whether the rows that were read are enough for a load. */
export const isFull = (batch: RecordBuffer): boolean => batch.rows >= rowsAtOnce || batch.capacity >= bytesAtOnce

/** The reason of what is in the place of the rest of a file. */
export const unreadableRestReason = 'nothing from this line on can be read'

/** Files that were loaded in part, and how many of their lines. */
export function partlyLoaded(store: LoadDependencies['store'], pipeId: string): Promise<Map<string, string>> {
  return cursorsOf(pipeId).below(store, prefix)
}

/** Notes that the lines of a file from one on are to be loaded. */
export async function continueFrom(transaction: Queries, pipeId: string, path: string, line: number): Promise<void> {
  await transaction.run('DELETE FROM pipe_files WHERE pipe_id = ? AND path = ?', [pipeId, path])
  await cursorsOf(pipeId).set(transaction, `${prefix}${path}`, String(line))
}

/** Where a file with bad rows ended when it was loaded; null if that is not known. */
interface FileEnd {
  lines: number
  /** The first line of its last row; -1 without rows. */
  lastRow: number
}

export async function fileEnd(queries: Queries, pipeId: string, path: string): Promise<FileEnd | null> {
  const [lines, lastRow] = ((await cursorsOf(pipeId).get(queries, `${endPrefix}${path}`)) ?? '').split(':')
  return lines && lastRow ? { lines: Number(lines), lastRow: Number(lastRow) } : null
}

/** The reader that loads the rows of a file. */
interface FileRows {
  loader: RecordLoader
  reader: RowReader
  lines: LineDependencies
}

const filePlaces: RecordPlaces = {
  partition: 'UInt32',
  offset: 'UInt64',
  describe: ({ offset }, path) => `line ${offset} (counted from 0) of ${path}`,
}

type RecordLoadDependencies = LoadDependencies & { pipeWord: string }

/** @param from the number of the first line to read */
export async function fileRows(
  parts: RecordLoadDependencies,
  pipe: PipeDocument,
  file: FileToRead,
  from: number,
  signal: AbortSignal,
): Promise<FileRows> {
  const { engine, pipeWord } = parts
  const { format, delimiter } = pipe.source?.objectStorage ?? {}
  const shape = [format ?? 'JSONEachRow', delimiter || ','] as const
  const columns = await loadedColumns(pipe, engine)
  const fields = new Map(mappedFields(pipe, columns).map(({ source, type }) => [source, [columnType(type)]]))
  const names = from === 0 ? null : namesIn(...shape, (await firstLine(file, engine, signal)) ?? '')
  return {
    loader: await recordLoader(parts, pipe, file.path, pipeWord, filePlaces),
    reader: rowReader(...shape, fields, names),
    lines: { engine, copies: lineCopies(destinationTableOf(pipe), pipe.id) },
  }
}

/**
 * @param from the number of the first line that is not loaded
 * @returns false if there is no row in its first lines: nothing was loaded
 */
export async function loadRecords(
  parts: RecordLoadDependencies,
  pipe: PipeDocument,
  file: FileToRead,
  from: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { loader, reader, lines: lineParts } = await fileRows(parts, pipe, file, from, signal)
  const cursors = cursorsOf(pipe.id)
  const errorTable = errorTableOf(destinationTableOf(pipe), parts.pipeWord)
  const marking = {
    ...parts,
    pipeId: pipe.id,
    topic: file.path,
    errorTable,
    ...byOffset,
  }
  const unloaded = await markUnloaded(marking, { condition: 'offset < {from:UInt64}', params: { from } })
  let batch = new RecordBuffer()
  let hasBad = from > 0
  let lastRow = -1
  const add = (rows: Iterable<LineRow>) => {
    for (const row of rows) {
      addRow(batch, row)
      lastRow = row.line
    }
  }
  for await (const page of linesOf(file, from, lineParts, signal)) {
    const { first, lines, problem, isLast } = page
    const done = first + lines.length
    batch.advance(0, first, done)
    add(rowsOf(page, reader))
    // Such as objects on several lines each, or no text at all.
    if (first === 0 && lines.length > 0 && page.longBytes === undefined && !hasObject(batch)) return false
    if (isLast) add(reader.end())
    if (problem !== null) addProblem(batch, done, `${unreadableRestReason}: ${problem}`)
    // The pages before damage are small.
    if (!isLast && !isFull(batch)) continue
    const open = reader.open()
    const loaded = batch
    await unloaded.load(
      loaded,
      async (transaction) => {
        hasBad ||= batch.badCount > 0
        if (hasBad) await cursors.set(transaction, `${endPrefix}${file.path}`, `${done}:${lastRow}`)
        if (!isLast) return cursors.set(transaction, `${prefix}${file.path}`, String(open ?? done))
        await cursors.remove(transaction, `${prefix}${file.path}`)
        await transaction.run(
          'INSERT INTO pipe_files (pipe_id, path, load_id) VALUES (?, ?, 0) ON CONFLICT (pipe_id, path) DO NOTHING',
          [pipe.id, file.path],
        )
      },
      (whenDone) => loader.load(loaded, whenDone, signal),
    )
    batch = new RecordBuffer()
  }
  // Lines that are no rows any more are not read again either.
  await markUnloaded(marking, { condition: '1', params: {} })
  return true
}

/** The rows that end in a page. */
export function* rowsOf({ first, lines, longBytes }: LinePage, reader: RowReader): Generator<LineRow> {
  if (longBytes === undefined) {
    for (const [at, line] of lines.entries()) yield* reader.add(line, first + at)
    return
  }
  // No row goes on after it.
  yield* reader.end()
  const problem = `the line has ${formatValue(longBytes)} bytes, which is more than can be read`
  yield { line: first, text: lines.join(''), problem, bytes: longBytes }
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

export function addRow(batch: RecordBuffer, { line, text, problem, bytes: whole }: LineRow): void {
  const bytes = Buffer.from(text)
  batch.readRecords++
  batch.readBytes += bytes.length
  if (problem === null) batch.addJson(0, line, bytes, 0, bytes.length)
  else batch.addBad({ partition: 0, offset: line, reason: problem, raw: bytes, ...(whole && { rawBytes: whole }) })
}

function addProblem(batch: RecordBuffer, line: number, reason: string): void {
  batch.addBad({ partition: 0, offset: line, reason, raw: new Uint8Array() })
}
