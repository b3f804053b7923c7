/**
 * Reads the lines of a file in pages, as far as they can be read. The engine reads a file only from its beginning, so its lines are
 * copied to a table first: reading all pages from the file would take time that grows with the square of its size.
 */
import type { Engine } from '../../telemetry/engine/engine.ts'
import { untilReplicated } from '../../telemetry/engine/storedRows.ts'
import { createDatabase, createTable, dropTable, type TableChanger } from '../../telemetry/engine/tableChanges.ts'
import { qualified } from '../loads/sqlNames.ts'
import type { DestinationTable } from '../loads/destinationTable.ts'
import { isOfEngine } from '../records/badRows.ts'
import type { FileToRead, Location } from './fileLocation.ts'
import { compressionOf } from './fileKind.ts'
import { sourceSettings } from './sourceFiles.ts'

export interface LinePage {
  /** The number of the first line. */
  first: number
  lines: string[]
  /** The size of the only line, if it has more bytes than are read. The line is its beginning then. */
  longBytes?: number
  /** Why nothing after these lines can be read; null if that is not so. */
  problem: string | null
  isLast: boolean
}

/** More than this is read in smaller pages, and in no page if it is one line. */
const pageBytes = 64 * 1024 ** 2
/** So much of a line that is not read is kept. */
const keptBytes = 8 * 1024
/** The engine holds blocks of lines up to this size, or one line. */
const blockBytes = 16 * 1024 ** 2
/** A power of two, so that its halves end where blocks of their size do. */
const linesAtOnce = 2 ** 15
/** Lines before damage are read in pages down to this size: the engine reads all lines before in blocks of it. */
const fewestLines = 16

export interface LineDependencies {
  engine: TableChanger & Pick<Engine, 'load'>
  /** The table that lines are copied to. It has a single reader. */
  copies: DestinationTable
}

/** The table for the lines of a file of a pipe. */
export function lineCopies({ database }: DestinationTable, pipeId: string): DestinationTable {
  return { database, table: `_lines_${pipeId.replaceAll('-', '_')}` }
}

export function dropLineCopies(copies: DestinationTable, engine: TableChanger): Promise<void> {
  return dropTable(engine, copies)
}

/** @param from the number of the first line to read */
export async function* linesOf(
  file: FileToRead,
  from: number,
  parts: LineDependencies,
  signal: AbortSignal,
): AsyncGenerator<LinePage> {
  try {
    for (let first = from; ;) {
      const problem = await copyLines(file, first, parts, signal)
      for await (const copied of copiedLines(first, parts, signal)) {
        yield { first, ...copied, problem: null, isLast: false }
        first += copied.lines.length
      }
      if (problem === null) return yield { first, lines: [], problem: null, isLast: true }
      // The lines of the block with the damage, as far as they can be read.
      const begun = first
      for await (const page of linesBeforeDamage(file, first, parts, signal)) {
        yield page
        if (page.isLast) return
        first += page.lines.length
        // It was no damage: the rest may be copied after all.
        if (first - begun >= linesAtOnce) break
      }
    }
  } finally {
    await dropLineCopies(parts.copies, parts.engine)
  }
}

/** The first line of a file; null if it has none. */
export async function firstLine(
  file: FileToRead,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<string | null> {
  const lines = await page(file, 0, 1, engine, signal)
  return typeof lines === 'string' ? null : (lines[0] ?? null)
}

/** How many lines a file has; null if it cannot be read to its end. */
export async function lineCount(
  { location, path, compression }: FileToRead,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const [row] = await engine.query<{ lines: string }>(
      `SELECT count() AS lines FROM ${linesFrom(location)} SETTINGS ${sourceSettings}`,
      { params: { ...location.params, paths: [path], compression }, signal, maxSeconds: 3600 },
    )
    return Number(row?.lines ?? 0)
  } catch (error) {
    if (signal.aborted || !isOfEngine(error)) throw error
    return null
  }
}

const linesFrom = ({ call }: Location) =>
  `${call}, 'LineAsString', 'line String', {compression:String}) WHERE _path IN {paths:Array(String)}`

/** Copies lines in blocks, of which those before damage stay. @returns why not all could be copied; null if they were */
async function copyLines(
  { location, path, compression }: FileToRead,
  first: number,
  { engine, copies }: LineDependencies,
  signal: AbortSignal,
): Promise<string | null> {
  const table = qualified(copies.database, copies.table)
  await dropLineCopies(copies, engine)
  await createDatabase(engine, copies.database)
  await createTable(engine, {
    name: copies,
    columns: 'number UInt64, line String',
    engine: 'MergeTree',
    clauses: 'ORDER BY number SETTINGS parts_to_delay_insert = 100000, parts_to_throw_insert = 100000',
  })
  const copying = engine
    .load(
      `INSERT INTO ${table} SELECT rowNumberInAllBlocks() + ${first}, line
       FROM (SELECT line FROM ${linesFrom(location)} LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ${first})
       SETTINGS ${sourceSettings}, max_threads = 1, max_insert_threads = 1, input_format_parallel_parsing = 0,
         max_block_size = ${linesAtOnce}, input_format_max_block_size_bytes = ${blockBytes}, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 1`,
      { params: { ...location.params, paths: [path], compression }, signal },
    )
    .then(
      () => null,
      (error: unknown) => {
        if (signal.aborted || !isOfEngine(error)) throw error
        return error.message
      },
    )
  const problem = await copying
  await untilReplicated(engine, copies, '1')
  return problem
}

/** The lines that were copied, in pages. */
async function* copiedLines(
  first: number,
  { engine, copies }: LineDependencies,
  signal: AbortSignal,
): AsyncGenerator<Pick<LinePage, 'lines' | 'longBytes'>> {
  const table = qualified(copies.database, copies.table)
  let size = linesAtOnce
  for (let number = first; ;) {
    const lines = await engine
      .query<{ line: string }>(
        `SELECT line FROM ${table} WHERE number >= ${number} AND number < ${number + size}
         ORDER BY number SETTINGS max_result_bytes = ${pageBytes}, result_overflow_mode = 'throw'`,
        { signal, maxSeconds: 3600 },
      )
      .then(
        (rows) => rows.map(({ line }) => line),
        (error: unknown) => {
          // Long lines.
          if (signal.aborted || !isOfEngine(error)) throw error
          return null
        },
      )
    if (lines === null && size > 1) {
      size /= 2
      continue
    }
    if (lines === null) {
      const [long] = await engine.query<{ begin: string; bytes: string }>(
        `SELECT substring(line, 1, ${keptBytes}) AS begin, length(line) AS bytes FROM ${table} WHERE number = ${number}`,
        { signal },
      )
      if (!long) return
      yield { lines: [long.begin], longBytes: Number(long.bytes) }
      number++
      continue
    }
    if (lines.length === 0) return
    yield { lines }
    number += lines.length
    if (size < linesAtOnce) size *= 2
  }
}

/** Reads pages from the file itself, smaller and smaller ones before damage. The last page has the reason. */
async function* linesBeforeDamage(
  file: FileToRead,
  from: number,
  { engine }: LineDependencies,
  signal: AbortSignal,
): AsyncGenerator<LinePage> {
  let size = linesAtOnce
  for (let first = from; ;) {
    const found = await page(file, first, size, engine, signal)
    if (typeof found !== 'string') {
      const isLast = found.length < size
      yield { first, lines: found, problem: null, isLast }
      if (isLast) return
      first += found.length
      continue
    }
    if (size > fewestLines) {
      size /= 2
      continue
    }
    // If its bytes can be read, it is what is in the file.
    await compressionOf(file, engine, signal)
    if (typeof (await page(file, first, size, engine, signal)) !== 'string') continue
    yield { first, lines: [], problem: found, isLast: true }
    return
  }
}

/** @returns the lines, or why they cannot be read */
async function page(
  { location, path, compression }: FileToRead,
  first: number,
  size: number,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<string[] | string> {
  try {
    const rows = await engine.query<{ line: string }>(
      `SELECT line FROM ${linesFrom(location)} LIMIT ${size} OFFSET ${first}
       SETTINGS ${sourceSettings}, max_threads = 1, input_format_parallel_parsing = 0,
         max_block_size = ${size}, input_format_max_block_size_bytes = ${blockBytes}, max_result_bytes = ${pageBytes}, result_overflow_mode = 'throw'`,
      { params: { ...location.params, paths: [path], compression }, signal, maxSeconds: 3600 },
    )
    return rows.map(({ line }) => line)
  } catch (error) {
    if (signal.aborted || !isOfEngine(error)) throw error
    return error.message
  }
}
