/** Runs a search over the rows of a source: section 9 of the open-source reference. */
import type { ParsedSearchQuery, SearchRow } from '#contract/search.ts'
import type { Source } from '#contract/sources.ts'
import type { Engine } from '../engine.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { explained } from './searchError.ts'
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
    const rows = await engine.query<SearchRow>(sql, { params: bindings.params, signal })
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [names.get(key) ?? key, value])),
    )
  } catch (error) {
    throw explained(error)
  }
}
