import { expect, test } from 'vitest'
import { dashboardCreateStrict } from '#contract/dashboardRules.ts'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/dashboards.ts'
import { parseJson } from '#contract/json.ts'
import type { Source } from '#contract/sources.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { checkedBody } from '../save/validation.ts'
import { alertsAtRisk } from './alertsAtRisk.ts'
import { alertsForCopy, copyBody, copyName } from './duplicate.ts'
import { exportText, matchImport, readImport, sourceIdsOf, withoutSources, withSources } from './importExport.ts'
import { roundTripLosses } from './roundTrip.ts'

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
const alertOn = (tileId: string, dashboardId = 'd1') => alertOnTile({ id: `on-${tileId}`, dashboardId, tileId })

test('names alerts of removed, retyped and redefined tiles, but no others', () => {
  const current = dashboardOf([line('gone'), line('retyped'), line('redefined'), line('moved')])
  const draft = dashboardOf([
    line('retyped', { displayType: 'table' }),
    line('redefined', { groupBy: 'ServiceName' }),
    { ...line('moved'), x: 9, config: { ...line('moved').config, numberFormat: { output: 'byte' } } },
  ])
  const alerts = [...current.tiles.map(({ id }) => alertOn(id!)), alertOn('lost'), alertOn('gone', 'another')]
  expect(alertsAtRisk(current, draft, alerts).map(({ alert, effect }) => [alert.tileId, effect])).toEqual([
    ['gone', 'deleted'],
    ['retyped', 'deleted'],
    ['redefined', 'redefined'],
    ['lost', 'orphaned'],
  ])
})

test('a dashboard that the API keeps completely has no losses', () => {
  expect(roundTripLosses(dashboardOf([line('a')]), [logs])).toEqual([])
})

test('reports placeholders, unknown types, unknown fields and missing groups', () => {
  const standIn = line('standIn', { sourceId: '', select: [{ aggFn: 'count', where: '' }] })
  const tiles = [
    standIn,
    line('hologram', { displayType: 'hologram' }),
    line('field', { sparkle: true }),
    { ...line('homeless'), containerId: 'nowhere' },
  ]
  const losses = roundTripLosses(dashboardOf(tiles), [logs])
  expect(losses.map(({ tileId, severity }) => [tileId, severity])).toEqual([
    ['standIn', 'warning'],
    ['hologram', 'note'],
    ['field', 'note'],
    ['homeless', 'warning'],
  ])
  expect(losses[2]?.message).toContain('sparkle')
})

test('reports that tiles may be hidden if there is a PromQL source', () => {
  const promql = { ...logs, id: 'p', kind: 'promql' }
  expect(roundTripLosses(dashboardOf([]), [promql]).map(({ severity }) => severity)).toEqual(['warning'])
  expect(roundTripLosses(dashboardOf([line('a')]), [promql])[0]?.message).toContain('more than the 1 tile shown here')
})

test('a copy has only the IDs that its own parts refer to', () => {
  const original = dashboardOf([{ ...line('a'), containerId: 'c' }], {
    containers: [{ id: 'c', title: 'Group', collapsed: false }],
    filters: [{ id: 'f', name: 'Service' }],
  })
  const body = copyBody(original)
  expect(body).toMatchObject({ name: 'Shop (copy)', containers: [{ id: 'c' }], filters: [{ name: 'Service' }] })
  expect(body).not.toHaveProperty('id')
  expect(body.tiles[0]).not.toHaveProperty('id')
  expect(body.filters).toEqual([{ name: 'Service' }])
  expect(copyName('Shop (copy)')).toBe('Shop (copy 2)')
})

test.each(['', 'level:error'])('a copy with the query %j and no language is accepted', (savedQuery) => {
  const original = dashboardOf([], { savedQuery, savedQueryLanguage: null })
  for (const body of [copyBody(original), checkedBody(original)]) {
    expect(body).toMatchObject({ savedQuery })
    expect(dashboardCreateStrict.safeParse(body).error).toBeUndefined()
  }
})

test('copies alerts to the copied tiles', () => {
  const original = dashboardOf([line('a'), line('b')])
  const copy = { ...original, id: 'd2', tiles: original.tiles.map((tile) => ({ ...tile, id: `${tile.id}-2` })) }
  const inputs = alertsForCopy(original, copy, [alertOn('b')])
  expect(inputs).toEqual([
    { source: 'tile', dashboardId: 'd2', tileId: 'b-2', threshold: 1, thresholdType: 'above', interval: '5m' },
  ])
})

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
