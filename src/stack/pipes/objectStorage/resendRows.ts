/**
 * Loads bad rows of files again, once their table or their file was corrected. Of a file, only the lines in the table of bad
 * records are read. If one of them was the last line that could be read, the rest of the file is loaded too. The request and
 * its progress are in the store, as those of topics are (`kafka/resend.ts`).
 */
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { qualified } from '../loads/sqlNames.ts'
import { destinationTableOf } from '../loads/destinationTable.ts'
import { mutateRows, untilReplicated } from '../../telemetry/engine/storedRows.ts'
import type { LoadDependencies } from '../loads/loads.ts'
import { countResent } from '../loads/loadTotals.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { errorTableOf, batchCondition } from '../records/errorTable.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { hasErrors } from '../records/streamErrors.ts'
import { isUnloaded } from '../records/unloadedRecords.ts'
import type { Queries, Store } from '../../store/store.ts'
import { lineCount, linesOf } from './fileLines.ts'
import type { FileToRead } from './fileLocation.ts'
import {
  addRow,
  continueFrom,
  fileEnd,
  fileRows,
  partlyLoaded,
  isFull,
  unreadableRestReason,
  rowsOf,
} from './fileRecords.ts'
import type { LineRow } from './lineRows.ts'

const prefix = 'resend:'
const requestCursor = `${prefix}request`
const placeCursor = `${prefix}place`
const completedCursor = 'completed'

/**
 * Notes that the bad rows up to now are to be loaded again. The pipe does it when it runs.
 * @returns the time of the request, or of the one that is not carried out yet
 */
export function requestRows(store: Store, { id, state }: PipeDocument): Promise<string> {
  return store.write(async (transaction) => {
    const cursors = cursorsOf(id)
    const earlier = await cursors.get(transaction, requestCursor)
    const at = earlier ?? currentIsoTime()
    await cursors.set(transaction, requestCursor, at)
    if (state === 'Completed') await cursors.set(transaction, completedCursor, at)
    return at
  })
}

export async function isRequested(queries: Queries, pipeId: string): Promise<boolean> {
  return (await cursorsOf(pipeId).get(queries, requestCursor)) !== null
}

/** Whether the pipe had ended before the request: it loads no files that have come since. */
export async function wasCompleteAtRequest(queries: Queries, pipeId: string): Promise<boolean> {
  return (await cursorsOf(pipeId).get(queries, completedCursor)) !== null
}

/** Notes that the pipe has ended again. */
export async function completedAgain(transaction: Queries, pipeId: string): Promise<void> {
  await cursorsOf(pipeId).remove(transaction, completedCursor)
}

interface ResendDependencies extends LoadDependencies {
  pipeWord: string
  /** The file with its compression, if it is still there. */
  fileOf(path: string): Promise<FileToRead | null>
}

/** Carries out a request; does nothing without one. */
export async function resendRows(parts: ResendDependencies, pipe: PipeDocument, signal: AbortSignal): Promise<void> {
  const { store, engine } = parts
  const cursors = cursorsOf(pipe.id)
  const requested = await cursors.get(store, requestCursor)
  if (requested === null) return
  const errorTable = errorTableOf(destinationTableOf(pipe), parts.pipeWord)
  const { database, table } = errorTable
  const begun = await partlyLoaded(store, pipe.id)
  const params = {
    pipeId: pipe.id,
    at: requested.replace('T', ' ').slice(0, -1),
    begun: [...begun.keys()],
    lines: [...begun.values()].map(Number),
  }
  /** Older than the request. Rows of lines that a file is still loaded from are read again anyway. */
  const covered = `pipe_id = {pipeId:String} AND at <= {at:String} AND NOT ${isUnloaded}
    AND offset < transform(topic, {begun:Array(String)}, {lines:Array(UInt64)}, toUInt64(-1))`
  if (await hasErrors({ engine, errorTable })) {
    const [, last = '-1', path = ''] = /^(-?\d+):(.*)$/s.exec((await cursors.get(store, placeCursor)) ?? '') ?? []
    const rows = `(SELECT * FROM ${qualified(database, table)} FINAL WHERE pipe_id = {pipeId:String})`
    const place = { ...params, path, last }
    const files = await engine.query<{ topic: string }>(
      `SELECT DISTINCT topic FROM ${rows} WHERE ${covered} AND (topic, toInt64(offset)) > ({path:String}, {last:Int64}) ORDER BY topic`,
      { params: place, signal },
    )
    for (const { topic } of files) {
      const bad = await engine.query<{ offset: string; isRest: number }>(
        `SELECT offset, startsWith(reason, '${unreadableRestReason}') AS isRest FROM ${rows}
         WHERE ${covered} AND topic = {topic:String} AND (topic, toInt64(offset)) > ({path:String}, {last:Int64}) ORDER BY offset`,
        { params: { ...place, topic }, signal },
      )
      const wanted = bad.map(({ offset, isRest }) => ({ line: Number(offset), isRest: Boolean(isRest) }))
      await resendFile(
        { parts, pipe, keepLost: (lost, reason) => keepLost(topic, lost, reason), signal },
        topic,
        wanted,
      )
    }
    await mutateRows(engine, errorTable, 'DELETE', covered, params)
  }
  await store.write((transaction) => cursors.removeBelow(transaction, prefix))

  /** Rows that cannot be read again stay, with a newer time than the request. */
  async function keepLost(topic: string, lines: readonly number[], reason: string): Promise<void> {
    if (lines.length === 0) return
    const now = currentIsoTime().replace('T', ' ').slice(0, -1)
    await engine.command(
      `INSERT INTO ${qualified(database, table)} SELECT {now:String} AS at, pipe_id, pipe_name, topic, partition, offset,
         if(endsWith(reason, {reason:String}), reason, concat(reason, {reason:String})) AS reason, raw, raw_bytes
       FROM ${qualified(database, table)} FINAL WHERE pipe_id = {pipeId:String} AND topic = {topic:String} AND offset IN {lost:Array(UInt64)}`,
      {
        params: {
          pipeId: pipe.id,
          topic,
          reason: `. ${reason}`,
          lost: lines,
          now,
        },
      },
    )
    await untilReplicated(engine, errorTable, batchCondition, { pipeId: pipe.id, at: now })
  }
}

interface WantedLine {
  line: number
  /** Whether nothing from this line on could be read. */
  isRest: boolean
}

/** The bad rows of one file, while they are loaded again. */
interface FileResend {
  parts: ResendDependencies
  pipe: PipeDocument
  /** Notes that lines cannot be read again, before it is noted that they were looked at. */
  keepLost: (lines: readonly number[], reason: string) => Promise<void>
  signal: AbortSignal
}

async function resendFile(resend: FileResend, path: string, wanted: readonly WantedLine[]): Promise<void> {
  const { parts, pipe, keepLost, signal } = resend
  const { store } = parts
  const all = wanted.map(({ line }) => line)
  const file = await parts.fileOf(path)
  if (!file) return keepLost(all, 'The file is not there any more')
  const end = await fileEnd(store, pipe.id, path)
  const count = await lineCount(file, parts.engine, signal)
  const rest = wanted.find(({ line, isRest }) => isRest || line === end?.lastRow)?.line ?? null
  // Other lines may be rows that were loaded before. Only what was cut off may be longer now.
  if (end === null || (rest === null ? count !== end.lines : count !== null && count < end.lines)) {
    return keepLost(all, 'The file has other lines than when it was loaded')
  }
  const single = new Set(all.filter((line) => rest === null || line < rest))
  await resendLines(resend, file, single)
  if (rest !== null) {
    await store.write(async (transaction) => {
      await continueFrom(transaction, pipe.id, path, rest)
      await countResent(transaction, pipe.id, all.filter((line) => line >= rest).length)
      await cursorsOf(pipe.id).set(transaction, placeCursor, placeOf(Number.MAX_SAFE_INTEGER, path))
    })
  }
}

const placeOf = (line: number, path: string) => `${line}:${path}`

/** Loads the rows that begin with some lines. */
async function resendLines(resend: FileResend, file: FileToRead, wanted: ReadonlySet<number>): Promise<void> {
  const { parts, pipe, keepLost, signal } = resend
  const [from] = wanted
  if (from === undefined) return
  const until = Math.max(...wanted)
  const { loader, reader, lines: lineParts } = await fileRows(parts, pipe, file, from, signal)
  const found = new Set<number>()
  let batch = new RecordBuffer()
  const add = (rows: Iterable<LineRow>) => {
    for (const row of rows) {
      if (!wanted.has(row.line)) continue
      found.add(row.line)
      addRow(batch, row)
    }
  }
  const flush = async (last: number) => {
    const loaded = batch
    batch = new RecordBuffer()
    const lost = [...wanted].filter((line) => line <= last && !found.has(line))
    await keepLost(lost, 'There is no such row in the file any more')
    await loader.loadAgain(
      loaded,
      async (transaction) => {
        await countResent(transaction, pipe.id, loaded.rows)
        await cursorsOf(pipe.id).set(transaction, placeCursor, placeOf(last, file.path))
      },
      signal,
    )
  }
  for await (const page of linesOf(file, from, lineParts, signal)) {
    const { first, lines, isLast } = page
    add(rowsOf(page, reader))
    if (isLast) add(reader.end())
    const next = reader.open() ?? first + lines.length
    if (isLast || next > until) {
      await flush(until)
      break
    }
    if (isFull(batch)) await flush(next - 1)
  }
}
