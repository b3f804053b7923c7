import { describe, expect, test } from 'vitest'
import { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { parseJson } from '#contract/wire/json.ts'
import type { Source } from '#contract/stack/sources.ts'
import { copyBody } from '../model/duplicate.ts'
import { exportText, sourceIdsOf } from './exportFile.ts'
import { matchImport, readImport, withoutSources, withSources } from './importFile.ts'

const line = (id: string, config: object = {}) => ({
  id,
  name: id,
  x: 0,
  y: 0,
  w: 6,
  h: 4,
  config: {
    displayType: 'line',
    sourceId: '65f5e4a3b9e77c001a901234',
    select: [{ aggFn: 'count', where: 'a:b' }],
    ...config,
  },
})
const dashboardOf = (tiles: object[], rest: object = {}): Dashboard =>
  dashboardSchema.parse({ id: 'd1', name: 'Shop', tiles, ...rest })
const logs: Source = {
  id: '65f5e4a3b9e77c001a901234',
  name: 'Logs',
  kind: 'log',
  from: { databaseName: 'default', tableName: 'otel_logs' },
}

test('an export parses to the same dashboard, with large numbers', () => {
  const original = dashboardOf([line('a', { future: parseJson('12345678901234567890') })])
  const text = exportText(original, [logs])
  expect(text).toContain('12345678901234567890')
  const [file] = readImport(text)
  expect({ ...file?.dashboard, id: 'd1' }).toEqual(original)
  expect(file?.sources.map(({ name }) => name)).toEqual(['Logs'])
})

test('finds sources of an import by their properties, and replaces them wherever they are named', () => {
  const original = dashboardOf([line('a', { onClick: { type: 'search', target: { mode: 'id', id: logs.id } } })], {
    filters: [{ name: 'Service', sourceId: logs.id, appliesToSourceIds: [logs.id] }],
  })
  const there = { ...logs, id: '65f5e4a3b9e77c001a90ffff', name: 'logs' }
  const files = readImport(exportText(original, [logs]))
  const matches = matchImport(files, [there, { ...there, id: 'x', kind: 'trace' }])
  expect(matches.map(({ to }) => to?.id)).toEqual([there.id])
  const renamed = withSources(files[0]!.dashboard, new Map([[logs.id, there.id]]))
  expect(sourceIdsOf(renamed)).toEqual([there.id])
  expect(JSON.stringify(renamed)).not.toContain(logs.id)
})

test('asks about a source with two candidates', () => {
  const files = readImport(exportText(dashboardOf([line('a')]), [logs]))
  const [match] = matchImport(files, [
    { ...logs, id: 'x' },
    { ...logs, id: 'y' },
  ])
  expect(match?.to).toBeNull()
})

test('asks once about each source of a file with several dashboards', () => {
  const texts = ['a', 'b'].map((name) => exportText({ ...dashboardOf([line(name)]), name }, [logs]))
  const files = readImport(`[${texts.join(',')}]`)
  expect(files.map(({ dashboard }) => dashboard.name)).toEqual(['a', 'b'])
  expect(readImport(`{"data":[${texts.join(',')}]}`)).toEqual(files)
  expect(matchImport(files, [logs]).map(({ reference }) => reference.name)).toEqual(['Logs'])
  expect(matchImport(files, [logs, { ...logs, id: 'x' }], { [logs.id]: 'x' })[0]?.to?.id).toBe('x')
  expect(() => readImport(`[${texts[0]}, 7]`)).toThrow('Item 2 of the file')
})

test('skips what needs a missing source, and names it', () => {
  const gone = '65f5e4a3b9e77c001a90dead'
  const original = dashboardOf(
    [
      line('stays'),
      line('reads it', { sourceId: gone }),
      line('leads to it', { onClick: { type: 'search', target: { mode: 'id', id: gone } } }),
    ],
    { filters: [{ name: 'Limited to it', sourceId: logs.id, appliesToSourceIds: [gone] }, { name: 'Stays' }] },
  )
  const { dashboard, leftOut } = withoutSources(original, new Set([gone]))
  expect(leftOut).toEqual(['reads it', 'leads to it', 'Limited to it'])
  expect([...dashboard.tiles, ...dashboard.filters].map(({ name }) => name)).toEqual(['stays', 'Stays'])
  expect(sourceIdsOf(dashboard)).toEqual([logs.id])
})

test.each(['{', '[]', '{"name":1}', '{"data":{"tiles":[{}]}}'])('rejects %s with a reason', (text) => {
  expect(() => readImport(text)).toThrow(/The file/)
})

describe('a file of the vendor’s page', () => {
  const place = { x: 0, y: 0, w: 6, h: 4 }
  const series = {
    aggFn: 'quantile',
    level: 0.95,
    valueExpression: 'Duration',
    aggCondition: 'SpanKind:"Server"',
    aggConditionLanguage: 'lucene',
    alias: 'p95',
  }
  const shared = { source: 'Traces', granularity: 'auto', where: '', whereLanguage: 'lucene' }
  const template = {
    version: '0.1.0',
    name: 'Shop',
    description: 'What the shop does',
    tags: ['shop'],
    containers: [{ id: 'main', title: 'Main', collapsed: false }],
    filters: [{ id: 'f', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', source: 'Traces' }],
    tiles: [
      {
        id: 'a',
        ...place,
        containerId: 'main',
        config: { ...shared, name: 'Latency', displayType: 'line', select: [series] },
      },
      {
        id: 'b',
        ...place,
        config: {
          ...shared,
          name: 'Slowest',
          displayType: 'table',
          select: [series, { aggFn: 'count', valueExpression: 'stale', alias: 'Requests' }],
          where: 'ServiceName:shop',
          groupBy: 'SpanName',
          limit: { limit: 20 },
          seriesReturnType: 'ratio',
          onClick: { type: 'search', target: { mode: 'id', id: 'Traces' }, whereLanguage: 'lucene' },
        },
      },
      {
        id: 'c',
        ...place,
        config: {
          name: 'Memory',
          source: 'Metrics',
          displayType: 'number',
          select: [
            { aggFn: 'avg', valueExpression: '', metricName: 'jvm.memory.used', metricType: 'sum', isDelta: true },
          ],
          where: "a = 'b'",
          whereLanguage: 'sql',
        },
      },
      { id: 'd', ...place, config: { name: 'Up', configType: 'promql', promqlExpression: 'up' } },
      {
        id: 'e',
        ...place,
        config: { name: 'Notes', displayType: 'markdown', markdown: '# Hi', select: '', where: '' },
      },
      {
        id: 'f',
        ...place,
        config: {
          ...shared,
          name: 'Mixed',
          displayType: 'line',
          select: [{ ...series, aggConditionLanguage: 'sql', aggCondition: "SpanKind = 'Server'" }],
          where: 'ServiceName:shop',
        },
      },
    ],
  }
  const sources: Source[] = [
    { id: '65f5e4a3b9e77c001a90aaaa', name: 'Traces', kind: 'trace' },
    { id: '65f5e4a3b9e77c001a90bbbb', name: 'OTel Metrics', kind: 'metric' },
  ]

  test('becomes a dashboard of the API, with its sources found by name or kind', () => {
    const [file] = readImport(JSON.stringify(template))
    const matches = matchImport([file!], sources)
    expect(matches.map(({ to }) => to?.name)).toEqual(['Traces', 'OTel Metrics'])
    const ids = new Map(matches.map(({ reference, to }) => [reference.id, to!.id]))
    const body = copyBody(withSources(file!.dashboard, ids))
    const { data, error } = dashboardCreateStrict.safeParse(body)
    expect(error?.issues).toBeUndefined()
    expect(data?.tiles.map(({ name }) => name)).toEqual(['Latency', 'Slowest', 'Memory', 'Notes', 'Mixed'])
    const configs = data?.tiles.map(({ config }) => config)
    const p95 = { aggFn: 'quantile', level: 0.95, valueExpression: 'Duration', alias: 'p95', whereLanguage: 'lucene' }
    expect(configs).toMatchObject([
      { displayType: 'line', sourceId: sources[0]?.id, select: [{ ...p95, where: 'SpanKind:"Server"' }] },
      {
        displayType: 'table',
        asRatio: true,
        groupBy: 'SpanName',
        select: [
          { ...p95, where: '(SpanKind:"Server") AND (ServiceName:shop)' },
          { aggFn: 'count', where: 'ServiceName:shop' },
        ],
        onClick: { type: 'search', target: { mode: 'id', id: sources[0]?.id } },
      },
      {
        displayType: 'number',
        sourceId: sources[1]?.id,
        select: [
          {
            metricName: 'jvm.memory.used',
            valueExpression: 'Value',
            periodAggFn: 'delta',
            where: "a = 'b'",
            whereLanguage: 'sql',
          },
        ],
      },
      { displayType: 'markdown', markdown: '# Hi' },
      { displayType: 'line', select: [{ where: "SpanKind = 'Server'", whereLanguage: 'sql' }] },
    ])
    expect(data?.filters).toMatchObject([{ name: 'Service', sourceId: sources[0]?.id }])
  })

  test('names what the API has no place for', () => {
    expect(readImport(JSON.stringify(template))[0]?.leftOut).toEqual([
      'Up: the API has no PromQL tiles',
      'Mixed: the condition ServiceName:shop, because its series have one in another language',
      'The description: dashboards have none in the API',
    ])
  })

  test('of a dashboard that a click leads to keeps its name', () => {
    const click = { type: 'dashboard', target: { mode: 'id', id: 'Details' }, whereLanguage: 'lucene' }
    const tile = { id: 'a', ...place, config: { ...shared, displayType: 'table', select: [series], onClick: click } }
    const [file] = readImport(JSON.stringify({ ...template, tiles: [tile] }))
    expect(file?.dashboard.tiles[0]?.config).toMatchObject({
      onClick: { target: { mode: 'template', template: 'Details' } },
    })
  })
})
