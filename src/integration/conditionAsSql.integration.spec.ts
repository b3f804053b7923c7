/** A condition in the field:value language finds the same rows once it is translated to SQL, in the real engine. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChartQuery } from '#contract/stack/charts.ts'
import { conditionAsSql } from '#console/charting/search/conditionAsSql.ts'
import { portableQuery } from '#console/charting/chartRequest.ts'
import { hour, knownRows, sources, start } from './testing/knownRows.ts'

const { answer } = knownRows()
const { source, words } = {
  source: (kind: string) => sources.find(({ id }) => id === kind),
  words: {
    log: ['order', '"order 17"', 'pay*', '*empt*', 'SeverityText:info', 'SeverityText:"error"', '*', 'Body:*', 'ordér'],
    trace: [
      'ServiceName:(cart OR web)',
      'SpanName:"GET /cart"',
      'Duration:>=4000000',
      'Duration:[2000000 TO 6000000}',
      'Duration:2000000',
      'Duration:*',
      'SpanAttributes.http.response.status_code:>=300',
      'SpanAttributes.http.response.status_code:[* TO 200]',
      'SpanAttributes.http.request.method:"POST"',
      'SpanAttributes.http.request.method:get',
      'SpanAttributes.absent:>5',
      'SpanAttributes.absent:*',
      'ServiceName:>=cat',
      String.raw`SpanName:"100% \\ 'x_"`,
    ],
  },
}

/** The number of rows over the services, with the condition in either language. */
async function counts(sourceId: string, where: string, whereLanguage: 'lucene' | 'sql') {
  const series = [{ sourceId, aggFn: 'count' as const, where, whereLanguage, groupBy: ['ServiceName'] }]
  const query: ChartQuery = { startTime: start, endTime: start + hour, granularity: '1m', series }
  return answer(portableQuery(query, sources), 'own')
}

test.each(['log', 'trace'] as const)('of a source of %s', async (kind) => {
  const condition = fc.letrec<{ all: string }>((tie) => ({
    all: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...words[kind]),
      tie('all').map((condition) => `NOT (${condition})`),
      fc.tuple(tie('all'), fc.constantFrom(' AND ', ' OR '), tie('all')).map(([a, by, b]) => `(${a}${by}${b})`),
    ),
  })).all
  await fc.assert(
    fc.asyncProperty(condition, async (text) => {
      const { sql, leftOut } = conditionAsSql(text, source(kind))
      expect(leftOut, text).toEqual([])
      expect(await counts(kind, sql, 'sql'), `${text} as ${sql}`).toEqual(await counts(kind, text, 'lucene'))
    }),
    { numRuns: 60 },
  )
})

test('what SQL cannot express without the types of the columns is left out by its name', () => {
  expect(conditionAsSql('mine:5 ServiceName:"web" -(LogAttributes:x)', source('log'))).toEqual({
    sql: "ifNull(ServiceName = 'web', 0)",
    leftOut: ['mine:5', '-(LogAttributes:x)'],
  })
  expect(conditionAsSql('(', source('log'))).toEqual({ sql: '', leftOut: ['('] })
  expect(conditionAsSql('order', undefined)).toEqual({ sql: '', leftOut: ['order'] })
})
