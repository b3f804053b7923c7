import { expect, test } from 'vitest'
import { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { checkedBody } from '#console/features/dashboards/save/useValidation.ts'
import { alertsAtRisk } from './alertsAtRisk.ts'
import { alertsForCopy, copyBody, copyName } from './duplicate.ts'
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

test.each([
  ['event_patterns', 'Patterns'],
  ['markdown', 'Text'],
])('the kind %s that does not support alerts has the name of the page: %s', (displayType, name) => {
  const [risk] = alertsAtRisk(dashboardOf([line('a')]), dashboardOf([line('a', { displayType })]), [alertOn('a')])
  expect(risk?.reason).toContain(`changes to ${name}, which does not support alerts.`)
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
