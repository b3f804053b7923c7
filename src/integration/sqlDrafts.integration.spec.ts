/** Drafts of SQL have the figures of the charts and the rows of the searches that they are written for, in the real engine. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChartPoint, ChartQuery } from '#contract/stack/charts.ts'
import { chartDrafts } from '#console/charting/drafts/chartDraft.ts'
import { searchDraft } from '#console/charting/drafts/searchDraft.ts'
import { columnsOf } from '#console/charting/rows/columns.ts'
import { rowsRequest, type RowsQuery } from '#console/charting/rows/readRows.ts'
import { letterOf } from '#console/charting/series/seriesNames.ts'
import { hour, knownRows, minute, sources, start } from './testing/knownRows.ts'

const { ask, run, search } = knownRows()
type Series = ChartQuery['series'][number]

const wheres = {
  log: ['', 'order', 'SeverityText:"info"', '-SeverityText:error', 'Body:(order OR cart) ServiceName:shop', 'Body:*'],
  trace: ['', 'Duration:>=4000000', 'ServiceName:"cart"', 'SpanAttributes.http.request.method:"POST"', 'web OR cart'],
}
const groups = {
  log: ['ServiceName', 'SeverityText', "LogAttributes['absent']", 'lower(SeverityText)'],
  trace: [
    'ServiceName',
    'StatusCode',
    'SpanAttributes.http.request.method',
    "SpanAttributes['http.response.status_code']",
  ],
}
const values: Record<'log' | 'trace', Pick<Series, 'aggFn' | 'field' | 'level'>[]> = {
  log: [{ aggFn: 'count' }, { aggFn: 'count_distinct', field: 'Body' }, { aggFn: 'max', field: 'SeverityNumber' }],
  trace: [
    { aggFn: 'count' },
    ...(['sum', 'avg', 'min', 'max', 'last_value', 'count_distinct'] as const).map((aggFn) => ({
      aggFn,
      field: 'Duration',
    })),
    { aggFn: 'quantile', field: 'Duration', level: 0.95 },
    { aggFn: 'count_distinct', field: 'SpanAttributes.http.response.status_code' },
    { aggFn: 'none', field: 'countIf(Duration > 3e6) / count()' },
  ],
}

const queries = fc.constantFrom('log', 'trace').chain((sourceId: 'log' | 'trace') =>
  fc
    .record({
      series: fc.array(
        fc.record({ value: fc.constantFrom(...values[sourceId]), where: fc.constantFrom(...wheres[sourceId]) }),
        { minLength: 1, maxLength: 3 },
      ),
      groupBy: fc.uniqueArray(fc.constantFrom(...groups[sourceId]), { maxLength: 2 }),
      granularity: fc.constantFrom('1m', '5m', '1h', 'auto'),
      from: fc.constantFrom(0, 1, minute),
    })
    .map(({ series, groupBy, granularity, from }): ChartQuery => ({
      startTime: start + from,
      endTime: start + hour,
      granularity: granularity as 'auto', // one of the list above
      series: series.map(({ value, where }) => ({ ...value, sourceId, where, groupBy })),
    })),
)

const texts = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()

/** Buckets with their groups and the value of one series. */
function drawn(points: readonly ChartPoint[], place: number): unknown[] {
  return points.map((point) => [
    point.ts_bucket,
    (point.group ?? []).map(String),
    Number(point[`series_${place}.data`]),
  ])
}
function drafted(rows: readonly Record<string, unknown>[], letter: string): unknown[] {
  return rows.map(({ time, ...row }) => {
    const group = Object.entries(row).flatMap(([name, value]) => (/^[A-C]$/.test(name) ? [] : String(value)))
    return [Date.parse(String(time)), group, Number(row[letter])]
  })
}

test('drafts of charts have their figures', async () => {
  const property = fc.asyncProperty(queries, async (query) => {
    for (const { series, statement } of chartDrafts(query, sources)) {
      if (typeof statement !== 'string') throw new Error(statement.problem)
      const [points, rows] = [
        await ask({ ...query, series: series.map((at) => query.series[at]!) }, 'own'),
        await run(statement),
      ]
      for (const [place, at] of series.entries()) {
        expect(texts(drafted(rows, letterOf(at))), statement).toEqual(texts(drawn(points, place)))
      }
    }
  })
  await fc.assert(property, { numRuns: 80 })
})

const searched = fc.constantFrom('log', 'trace').chain((sourceId: 'log' | 'trace') =>
  fc.record({
    sourceId: fc.constant(sourceId),
    where: fc.constantFrom(...wheres[sourceId].filter((where) => !/^order$|^web/.test(where))),
    columns: fc.constantFrom('', groups[sourceId].join(',')),
    orderBy: fc.constantFrom('', `Timestamp ASC`, `${groups[sourceId][0]} DESC, Timestamp`),
    maxResults: fc.constantFrom(2, 100),
    offset: fc.constantFrom(0, 1),
  }),
)

test('drafts of searches have their rows', async () => {
  const property = fc.asyncProperty(searched, async ({ sourceId, columns, ...more }) => {
    const source = sources.find(({ id }) => id === sourceId)!
    const span = { from: start, to: start + hour }
    const query: RowsQuery = { ...more, span, whereLanguage: 'lucene', columns: columnsOf(columns, source) }
    const draft = searchDraft(source, query)
    if (typeof draft !== 'string') throw new Error(draft.problem)
    const found = await search(rowsRequest(source, query))
    const valuesOf = ({ __t: at, __trace: _trace, __span: _span, ...row }: Record<string, unknown>) => [
      at,
      ...Object.values(row),
    ]
    expect(
      (await run(draft)).map((row) => Object.values(row)),
      draft,
    ).toEqual(found.map(valuesOf))
  })
  await fc.assert(property, { numRuns: 60 })
})
