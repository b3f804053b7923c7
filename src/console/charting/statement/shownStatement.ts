/** The SQL of charts and searches as people see it: read from deployments that tell it, drafted for others. */
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { chartDrafts } from '#console/charting/drafts/chartDraft.ts'
import type { Draft } from '#console/charting/drafts/draftSource.ts'
import { searchDraft } from '#console/charting/drafts/searchDraft.ts'
import { letterOf } from '#console/charting/series/seriesNames.ts'
import { portableQuery } from '#console/charting/chartRequest.ts'
import { rowsRequest, type RowsQuery } from '#console/charting/rows/readRows.ts'
import { charts, type ChartQuery } from '#contract/stack/charts.ts'
import { search } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'

/** A statement with its title. */
export interface ShownStatement {
  title: string
  statement: string
  /** How it differs from what is drawn, in a sentence. */
  note?: string | undefined
  /** Why it cannot be run as SQL; absent where it can. */
  refused?: string | undefined
  /** Written by the console, because the deployment does not tell its own. */
  isDraft?: boolean
  /** Why the console writes no draft; the statement is empty then. */
  problem?: string
}

/** The statements of a chart's query, or drafts of them. Throws ApiFailure. */
export async function chartStatements(
  connectionId: string,
  query: ChartQuery,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<ShownStatement[]> {
  const body = portableQuery(query, sources)
  const told = await toldBy(call(connectionId, charts.statements, { body }, { signal }))
  if (!told) return draftsOf(query, sources)
  return told.map(({ statement, series, refused }) => {
    const title = told.length > 1 ? `Statement for ${lettersOf(series.map(Number))}` : 'Statement of this chart'
    const why = refused && `The SQL page does not run this statement: ${refused}.`
    return { title, statement, note: groupsNote(query), refused: why }
  })
}

/** The statement of a search, or a draft of it. Throws as `chartStatements` does. */
export async function searchStatements(
  connectionId: string,
  source: Source,
  query: RowsQuery,
  signal: AbortSignal,
): Promise<ShownStatement[]> {
  const told = await toldBy(call(connectionId, search.statement, { body: rowsRequest(source, query) }, { signal }))
  if (told) return [{ title: 'Statement of this search', statement: told.statement }]
  return [shownDraft('this search', searchDraft(source, query))]
}

/** Undefined from a deployment that does not tell its SQL. */
function toldBy<Told>(reading: Promise<Told>): Promise<Told | undefined> {
  return reading.catch((error: unknown) => {
    if (['notOffered', 'notFound'].includes(asFailure(error).code)) return undefined
    throw error
  })
}

function draftsOf(query: ChartQuery, sources: readonly Source[]): ShownStatement[] {
  const drafts = chartDrafts(query, sources)
  return drafts.map(({ series, statement }) => ({
    ...shownDraft(drafts.length > 1 ? lettersOf(series) : 'this chart', statement),
    note: groupsNote(query),
  }))
}

function shownDraft(subject: string, draft: Draft): ShownStatement {
  if (typeof draft === 'string') return { title: `Draft for ${subject}`, statement: draft, isDraft: true }
  return { title: `No draft for ${subject}`, statement: '', isDraft: true, ...draft }
}

const lettersOf = (series: readonly number[]): string => series.map(letterOf).join(', ')

function groupsNote({ topGroups, series }: ChartQuery): string | undefined {
  if (topGroups === undefined || (series[0]?.groupBy ?? []).length === 0) return undefined
  return `It has every group, where the chart combines all but the ${topGroups} largest.`
}
