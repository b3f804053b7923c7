import { expect, test } from 'vitest'
import type { AlertSeriesQuery } from '#domain/alerting/alertQuery.ts'
import { watchedRequest } from '../watched/watchedRequest.ts'
import { watchedRowsLink } from './watchedRowsLink.ts'

const minute = 60_000
const range = { from: 0, to: 60 * minute }

function linkOf(changes: Partial<AlertSeriesQuery>, group: string | null) {
  const alertQuery: AlertSeriesQuery = {
    kind: 'series',
    sourceId: 'logs',
    groupBy: [],
    series: [{ aggFn: 'count', conditions: [{ text: 'SeverityText:"error"', language: 'lucene' }] }],
    value: { kind: 'series', index: 0 },
    ...changes,
  }
  const request = watchedRequest({ alertQuery, schedule: { interval: '1m' }, range, sourceId: 'logs' })
  if (request.kind !== 'request') throw new Error(request.sentence)
  return watchedRowsLink(request, { from: minute, to: 2 * minute }, group)
}

test('the rows of a window', () => {
  expect(linkOf({}, null)).toEqual({
    source: 'logs',
    q: 'SeverityText:"error"',
    lang: 'lucene',
    from: '60000',
    to: '120000',
  })
})

test('the rows of one group', () => {
  const groupBy = ['ServiceName', "LogAttributes['http.method']"]
  const key = "ServiceName:a, b, LogAttributes['http.method']:GET"
  expect(linkOf({ groupBy }, key)?.q).toBe(
    'SeverityText:"error" AND ServiceName:"a, b" AND LogAttributes.http.method:"GET"',
  )
  const quoted = `ServiceName:"a, LogAttributes['http.method']:b", LogAttributes['http.method'] IS NULL`
  expect(linkOf({ groupBy }, quoted)?.q).toBe(
    `SeverityText:"error" AND ServiceName:"a, LogAttributes['http.method']:b" AND NOT LogAttributes.http.method:*`,
  )
  expect(linkOf({ groupBy }, 'host:a')).toBeNull()
})

test('metrics have no rows to search', () => {
  const series = [{ aggFn: 'max' as const, metricName: 'cpu', metricDataType: 'gauge' as const, conditions: [] }]
  expect(linkOf({ series }, null)).toBeNull()
})
