/** Finds the records of a batch that cannot become rows of the table. */
import { withoutEnd } from '#domain/text/withoutEnd.ts'
import { EngineAborted, EngineError, EngineShortage } from '../../telemetry/engine/engineError.ts'
import type { LoadEngine } from '../loads/loads.ts'
import { recordCheck, type FieldTypes } from '../values/recordProblem.ts'
import type { RecordBuffer } from './recordBuffer.ts'
import type { Reading } from './recordStatements.ts'

/** Rows that are checked at a time: an error only tells the first bad one, and what follows is checked again. */
const rowsAtOnce = 2000
/** The shortest batch after many errors. */
const fewestAtOnce = 16
const maxReason = 300

/** Moves records that are not JSON to the bad ones. The others cannot be mistaken for the beginning or end of another. */
export function separateOtherJson(batch: RecordBuffer): void {
  exclude(batch, notJson)
}

/**
 * Moves records to the bad ones that lack a value, such as `{"id":}` or `[1,,2]`: the engine stores 0 for a number there. It
 * refuses other records that are not JSON, or reads them as they are meant. Takes a sixth of the time of parsing them.
 */
export function separateMissingValues(batch: RecordBuffer): void {
  if (!batch.lines().some((lines) => missingValue.test(lines.toString('latin1')))) return
  exclude(batch, (json) => (missingValue.test(json) ? notJson(json) : null))
}

/** Nothing between separators. It is also found within texts. */
const missingValue = /[:,]\s*[,\]}]|\[\s*,/

/** Moves records to the bad ones that are not JSON, or have a value that its column certainly cannot have. */
export function separateBadValues(batch: RecordBuffer, fields: FieldTypes): void {
  const check = recordCheck(fields)
  exclude(batch, (json) => notJson(json) ?? valueProblem(json, check))
}

function exclude(batch: RecordBuffer, problemOf: (json: string) => string | null): void {
  const reasons = new Map<number, string>()
  for (let row = 0; row < batch.rows; row++) {
    const problem = problemOf(batch.line(row).toString())
    if (problem !== null) reasons.set(row, problem.slice(0, maxReason))
  }
  batch.exclude(reasons)
}

function notJson(json: string): string | null {
  try {
    JSON.parse(json)
    return null
  } catch (error) {
    return `the value is not JSON: ${error instanceof Error ? error.message : ''}`
  }
}

const tooDeep = 'it is nested too deeply'

function valueProblem(json: string, check: (json: string) => string | null): string | null {
  try {
    return check(json)
  } catch (error) {
    if (error instanceof RangeError) return tooDeep
    throw error
  }
}

/**
 * Moves the records to the bad ones that the engine cannot read.
 * @throws EngineError if it cannot read an empty record either: then it is not the fault of the data
 */
export async function separateUnreadable(
  batch: RecordBuffer,
  reading: Reading,
  engine: LoadEngine,
  signal: AbortSignal,
): Promise<void> {
  const reasons = new Map<number, string>()
  /** Errors that an empty record does not have. */
  const ofData = new Set<number>()
  const check = (lines: readonly Buffer[]) =>
    engine.loadRows({ structure: reading.structure, lines }, reading.intoNothing, { signal }).then(
      () => null,
      (error: unknown) => {
        if (!isOfEngine(error)) throw error
        return error
      },
    )
  let size = rowsAtOnce
  for (let from = 0; from < batch.rows;) {
    signal.throwIfAborted()
    const to = Math.min(batch.rows, from + size)
    const error = await check(batch.lines(from, to))
    if (error === null) {
      from = to
      size = Math.min(rowsAtOnce, size * 2)
      continue
    }
    if (!ofData.has(error.code)) {
      if ((await check([emptyRecord])) !== null) throw error
      ofData.add(error.code)
    }
    const row = badRow(error, to - from)
    if (row === null) {
      // The engine does not say which.
      size = Math.max(1, Math.floor((to - from) / 2))
    } else {
      reasons.set(from + row, reasonOf(error))
      from += row + 1
      size = Math.max(fewestAtOnce, Math.floor(size / 2))
    }
  }
  batch.exclude(reasons)
}

/** A record in which every field has its default. */
export const emptyRecord = Buffer.from('{}\n')

/** Whether the engine said so about a statement: it was reached, had room for it, and the statement was not stopped. */
export function isOfEngine(error: unknown): error is EngineError {
  const isOther = error instanceof EngineAborted || error instanceof EngineShortage
  return error instanceof EngineError && !isOther && error.code > 0
}

/** The number of the row that an error is about; null if it is not known. */
function badRow(error: EngineError, rows: number): number | null {
  if (rows === 1) return 0
  const row = /\(at row (\d+)\)/.exec(error.message)?.[1]
  return row === undefined ? null : Math.min(rows, Number(row)) - 1
}

/** Without the record itself, which is kept beside the reason. */
export function reasonOf(error: Error): string {
  if (error instanceof EngineError && error.type === 'TOO_DEEP_RECURSION') return tooDeep
  const [before = '', after = ''] = error.message.split(/\(at row \d+\)(.*)/s)
  const whole = before === error.message ? before : before.trimEnd() + after
  return withoutEnd(whole.replace(/ before: '.*?'(?=:|$)/s, '').slice(0, maxReason), /[:\s]/)
}
