/** Runs a statement that somebody wrote, within limits, and only to read. */
import type { ExplainKind, SqlQuery, SqlResult } from '#contract/stack/sql.ts'
import { readStatement } from '#domain/query/statementText.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineAborted, EngineError, EngineShortage, engineReason } from '../engine/engineError.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'
import { checkStatement } from '../expression/selectStatement.ts'
import type { ReadableDatabases } from '../readableTables.ts'

/** The statement cannot be run. The message ends with the place in it, `(at 15)`, where that is known. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
}

/** Seconds. */
const longest = 30
/** Bytes of a result in the engine's memory. Its JSON is a few times as large at most. */
const maxResultBytes = 12 * 1024 * 1024
/** Bytes of a statement on a server. The embedded engine divides its memory itself. */
const maxServerMemory = 4 * 1024 ** 3

/**
 * @throws StatementError for errors of the statement, EngineError for errors of the engine (EngineAborted after `signal`)
 */
export async function runStatement(
  engine: Engine,
  { statement, maxRows = 1000, explain }: SqlQuery,
  databases: ReadableDatabases,
  signal: AbortSignal,
): Promise<SqlResult> {
  const text = readStatement(statement)
  const kind = explain ?? text.explain
  try {
    const checked = await checkStatement(engine, text.select, databases)
    const sql = `${kind ? explaining[kind] : ''}SELECT * FROM ${checked} LIMIT ${maxRows + 1} SETTINGS ${settings(engine)}`
    const begun = performance.now()
    const { names, types, rows, read } = await engine.queryTable(sql, { signal, scans: true, maxSeconds: longest })
    return {
      columns: names.map((name, at) => ({ name, type: types[at] ?? '' })),
      rows: rows.slice(0, maxRows),
      isTruncated: rows.length > maxRows,
      rowsRead: read.rows,
      bytesRead: read.bytes,
      milliseconds: Math.round(performance.now() - begun),
    }
  } catch (error) {
    throw toStatementError(error, text.select)
  }
}

const explaining: Record<ExplainKind, string> = {
  plan: 'EXPLAIN ',
  indexes: 'EXPLAIN indexes = 1 ',
  estimate: 'EXPLAIN ESTIMATE ',
}

/** Settings of this statement alone: settings of a connection stay with it. */
function settings({ kind }: Engine): string {
  const all = {
    readonly: 1,
    max_result_bytes: maxResultBytes,
    result_overflow_mode: `'throw'`,
    output_format_json_quote_denormals: 1,
    // Times of all types and zones are written in UTC.
    date_time_output_format: `'iso'`,
    ...(kind === 'remote' && { max_memory_usage: maxServerMemory }),
  }
  return Object.entries(all)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')
}

function toStatementError(error: unknown, text: string): unknown {
  if (error instanceof ExpressionError) return new StatementError(withPlace(error.message, text))
  if (!(error instanceof EngineError) || error instanceof EngineAborted || error instanceof EngineShortage) return error
  return error.code > 0 ? new StatementError(withPlace(reasonOf(error, text), text)) : error
}

const tooLarge = 396

function reasonOf(error: EngineError, text: string): string {
  return error.code === tooLarge
    ? 'the result is too large: select fewer or shorter columns, or fewer rows'
    : engineReason(error, text, error.message)
}

/** Says where the name is that a message has in quotes. Messages about characters say the place themselves. */
function withPlace(message: string, text: string): string {
  const [, place] = / at (\d+)\b/.exec(message) ?? []
  if (place !== undefined) return `${message} (at ${place})`
  const name = /^"([^"]+)":|^the (?:table )?function (\S+) |no table "([^"]+)"/.exec(message)?.slice(1).find(Boolean)
  const at = name === undefined ? -1 : text.toLowerCase().indexOf(name.toLowerCase())
  return at < 0 ? message : `${message} (at ${at + 1})`
}
