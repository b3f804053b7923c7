/** The SQL of charts and searches as people see it, read from deployments that tell it. */
import { call } from '#console/api/call.ts'
import { portableQuery } from '#console/telemetry/chartRequest.ts'
import { rowsRequest, type RowsQuery } from '#console/telemetry/rows/readRows.ts'
import { charts, type ChartQuery } from '#contract/charts.ts'
import { search } from '#contract/search.ts'
import type { Source } from '#contract/sources.ts'

/** A statement with its title. */
export interface ShownStatement {
  title: string
  statement: string
  /** How it differs from what is drawn, in a sentence. */
  note?: string | undefined
  /** Why it cannot be run as SQL; absent where it can. */
  refused?: string | undefined
}

/** The statements of a chart's query. Throws ApiFailure, `notOffered` or `notFound` from deployments that do not tell them. */
export async function chartStatements(
  connectionId: string,
  query: ChartQuery,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<ShownStatement[]> {
  const body = portableQuery(query, sources)
  const told = await call(connectionId, charts.statements, { body }, { signal })
  const note =
    query.topGroups === undefined || (query.series[0]?.groupBy ?? []).length === 0
      ? undefined
      : `It has every group, where the chart combines all but the ${query.topGroups} largest.`
  return told.map(({ statement, series, refused }) => {
    const letters = series.map((at) => String.fromCharCode(65 + Number(at))).join(', ')
    const title = told.length > 1 ? `Statement for ${letters}` : 'Statement of this chart'
    return { title, statement, note, refused: refused && `The SQL page does not run this statement: ${refused}.` }
  })
}

/** The statement of a search. Throws as `chartStatements` does. */
export async function searchStatements(
  connectionId: string,
  source: Source,
  query: RowsQuery,
  signal: AbortSignal,
): Promise<ShownStatement[]> {
  const { statement } = await call(connectionId, search.statement, { body: rowsRequest(source, query) }, { signal })
  return [{ title: 'Statement of this search', statement }]
}
