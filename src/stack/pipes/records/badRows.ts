/** Finds the records of a batch that cannot become rows of the table. */
import { EngineError } from '../../telemetry/engine/engineError.ts'
import type { LoadEngine } from '../loads/loads.ts'
import { isDataError } from '../loads/dataErrors.ts'
import { literal } from '../loads/sqlNames.ts'
import type { RecordBuffer } from './recordBuffer.ts'

/** Rows that are checked at a time: an error only tells the first bad one, and what follows is checked again. */
const rowsAtOnce = 2000
/** The shortest batch after many errors. */
const fewestAtOnce = 16
const maxReason = 300

/**
 * Moves the bad records of a batch to its bad ones: those that are not JSON objects, or whose fields do not fit their
 * columns.
 * @param structure of the fields, as the engine spells it
 * @param settings of the statement that inserts them
 */
export async function separateBadRows(
  batch: RecordBuffer,
  structure: string,
  settings: string,
  engine: LoadEngine,
  signal: AbortSignal,
): Promise<void> {
  separateOtherJson(batch)
  const reasons = new Map<number, string>()
  let size = rowsAtOnce
  for (let from = 0; from < batch.rows;) {
    signal.throwIfAborted()
    const to = Math.min(batch.rows, from + size)
    const problem = await firstProblem(batch.lines(from, to), to - from, structure, settings, engine, signal)
    if (problem === null) {
      from = to
      size = Math.min(rowsAtOnce, size * 2)
    } else if (problem.row === null) {
      // The engine does not say which.
      size = Math.max(1, Math.floor((to - from) / 2))
    } else {
      reasons.set(from + problem.row, problem.reason)
      from += problem.row + 1
      size = Math.max(fewestAtOnce, Math.floor(size / 2))
    }
  }
  batch.exclude(reasons)
}

/** Moves records that are not JSON to the bad ones. The others cannot be mistaken for the beginning or end of another. */
export function separateOtherJson(batch: RecordBuffer): void {
  const reasons = new Map<number, string>()
  for (let row = 0; row < batch.rows; row++) {
    try {
      JSON.parse(batch.line(row).toString())
    } catch (error) {
      reasons.set(row, `the value is not JSON: ${error instanceof Error ? error.message.slice(0, maxReason) : ''}`)
    }
  }
  batch.exclude(reasons)
}

/** The first row that cannot be read; null if all can. Its number is null if it is not known. */
async function firstProblem(
  lines: readonly Buffer[],
  rows: number,
  structure: string,
  settings: string,
  engine: LoadEngine,
  signal: AbortSignal,
): Promise<{ row: number | null; reason: string } | null> {
  const sql = (source: string) =>
    `INSERT INTO FUNCTION null(${literal(structure)}) SELECT * FROM ${source} SETTINGS ${settings}`
  try {
    await engine.loadRows({ structure, lines }, sql, { signal })
    return null
  } catch (error) {
    if (!(error instanceof EngineError) || !isDataError(error)) throw error
    const row = /\(at row (\d+)\)/.exec(error.message)?.[1]
    const reason = error.type === 'TOO_DEEP_RECURSION' ? 'it is nested too deeply' : reasonOf(error.message)
    if (rows === 1) return { row: 0, reason }
    return { row: row === undefined ? null : Math.min(rows, Number(row)) - 1, reason }
  }
}

/** Without the record itself, which is kept beside the reason. */
function reasonOf(message: string): string {
  return message
    .replace(/\s*\(at row \d+\)/, '')
    .replace(/ before: '.*?'(?=:|$)/s, '')
    .slice(0, maxReason)
    .replace(/[:\s]+$/, '')
}
