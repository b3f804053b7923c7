/** Runs a search over the rows of a source: docs/DEPLOYMENTS.md#search. */
import { z } from 'zod'
import type { ParsedSearchQuery, SearchRow } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Engine } from '../engine/engine.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { readableSql } from '../sql/readableSql.ts'
import { toSearchError } from './searchError.ts'
import { searchStatement } from './searchStatement.ts'

/**
 * @param query with its times in milliseconds since 1970
 * @throws SearchError for errors of the query, EngineError for errors of the engine (EngineAborted after `signal`)
 */
export async function searchRows(
  engine: Engine,
  query: ParsedSearchQuery & { from: number; to: number },
  { source, databases }: { source: Source; databases: ReadableDatabases },
  signal: AbortSignal,
): Promise<SearchRow[]> {
  try {
    const { sql, bindings, names } = await searchStatement(engine, query, source, databases)
    const options = { params: bindings.params, signal, scans: true, ...timeLimit(source) }
    const rows = await engine.query<SearchRow>(`${sql} ${timesInUtc}`, options)
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [names.get(key) ?? key, value])),
    )
  } catch (error) {
    throw toSearchError(error)
  }
}

/** Times of every type, in lists and maps too, are answered in ISO 8601: `2026-11-20T19:23:48.206000001Z`. */
const timesInUtc = `SETTINGS date_time_output_format = 'iso'`

/** The SQL of a search as people read and run it. Throws as `searchRows` does. */
export async function readableSearch(
  engine: Engine,
  query: ParsedSearchQuery & { from: number; to: number },
  { source, databases }: { source: Source; databases: ReadableDatabases },
  signal: AbortSignal,
): Promise<string> {
  try {
    const { sql, bindings } = await searchStatement(engine, query, source, databases, true)
    return await readableSql(engine, sql, bindings, signal)
  } catch (error) {
    throw toSearchError(error)
  }
}

/** Seconds: the limit of every query. */
const longest = 30

const querySettings = z.array(z.object({ setting: z.string(), value: z.unknown() })).catch([])

/** The setting `max_execution_time` of a source, in seconds, if it is shorter than the limit of every query. */
function timeLimit(source: Source): { maxSeconds?: number } {
  const settings = querySettings.parse(source['querySettings'])
  const seconds = Number(settings.find(({ setting }) => setting === 'max_execution_time')?.value ?? 0)
  return seconds > 0 && seconds < longest ? { maxSeconds: seconds } : {}
}
