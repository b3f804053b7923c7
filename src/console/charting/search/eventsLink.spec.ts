import { expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { eventsLink } from './eventsLink.ts'

// The rest of a source is not read.
const sources = [
  { id: 'l', name: 'Logs', kind: 'log' },
  { id: 'm', name: 'Metrics', kind: 'metric' },
] as Source[]
const range = { from: 'now-1h', to: 'now' }
const series = { sourceId: 'l', where: '', whereLanguage: 'lucene' as const }

test('one condition: the series, the group, the range', () => {
  const groupBy = ['ServiceName', "LogAttributes['http.route']"]
  const link = (where: string, group?: string[]) =>
    eventsLink({ series: { ...series, where }, groupBy, group, ...range }, sources).link
  expect(link('error OR fatal')).toEqual({ source: 'l', q: 'error OR fatal', lang: 'lucene', ...range })
  expect(link('error OR fatal', ['web', '/cart'])?.q).toBe(
    '(error OR fatal) AND ServiceName:"web" AND LogAttributes.http.route:"/cart"',
  )
  expect(link('', ['(none)', '/cart'])?.q).toBe('NOT ServiceName:* AND LogAttributes.http.route:"/cart"')
})

test('NULL and texts that are written like labels', () => {
  const linked = (group: string, own = series) =>
    eventsLink({ series: own, groupBy: ['v'], group: [group], ...range }, sources).link
  expect(linked('(null)')).toMatchObject({ q: 'v IS NULL', lang: 'sql' })
  expect(linked('(null)', { ...series, where: 'error' })).toMatchObject({ q: 'error AND NOT v:*', lang: 'lucene' })
  const sql = { ...series, where: 'a OR b', whereLanguage: 'sql' as const }
  expect(eventsLink({ series: sql, groupBy: ['v'], group: ['(null)'], ...range }, sources).link?.q).toBe(
    '(a OR b) AND v IS NULL',
  )
  expect(linked('"(none)"')?.q).toBe('v:"(none)"')
})

test('SQL where the field:value language cannot express the group', () => {
  const grouped = { groupBy: ['lower(Body)'], group: ["it's"], ...range }
  expect(eventsLink({ series, ...grouped }, sources).link).toMatchObject({
    q: "lower(Body) IN ('it\\'s')",
    lang: 'sql',
  })
  expect(eventsLink({ series: { ...series, where: 'error' }, ...grouped }, sources).problem).toMatch(/lower\(Body\)/)
})

test('no link for metrics', () => {
  const query = { series: { ...series, sourceId: 'm' }, groupBy: [], ...range }
  expect(eventsLink(query, sources).problem).toMatch(/Only logs and traces/)
  expect(eventsLink({ ...query, series: { ...series, sourceId: 'x' } }, sources).problem).toMatch(/not found/)
})
