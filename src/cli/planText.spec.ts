import { expect, test } from 'vitest'
import { noRecords, type Inventory } from '#domain/records/inventory.ts'
import { planChanges } from '#domain/records/plan.ts'
import { planJson, planText } from './planText.ts'

const tile = { id: 't1', name: 'Slow', x: 0, y: 0, w: 6, h: 3, config: { displayType: 'markdown', markdown: '' } }
const target: Inventory = {
  records: {
    ...noRecords(),
    dashboards: [{ id: 'd1', name: 'Shop', tiles: [tile] }],
    alerts: [{ id: 'a1', name: 'Too slow', source: 'tile', dashboardId: 'd1', tileId: 't1' }],
  },
  dataConnections: [],
}

const alertOf = (dashboard: string, tileName: string) => ({
  kind: 'alerts' as const,
  id: 'a1',
  name: 'Too slow',
  document: {
    name: 'Too slow',
    source: 'tile',
    dashboard,
    tile: tileName,
    interval: '5m',
    threshold: 1,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: 'f'.repeat(24) },
  },
})
const board = (name: string) => ({ kind: 'dashboards' as const, id: 'd1', name, document: { name, tiles: [tile] } })
const needs = (...wanted: Parameters<typeof planChanges>[0]['wanted']) =>
  planText(planChanges({ wanted, target }))
    .split('\n')
    .filter((line) => line.includes('!'))

test('a name that nobody has is named', () => {
  expect(needs(alertOf('Shop', 'Fast'))).toEqual([
    '    ! needs the tile "Fast", which neither the files nor the deployment has',
  ])
})

test('of a dashboard that is renamed in its own file only, the new name is given, and its tiles are not listed', () => {
  expect(needs(board('Shop EU'), alertOf('Shop', 'Slow'))).toEqual([
    '    ! needs the dashboard "Shop", which is renamed to "Shop EU": use that name here',
  ])
  expect(needs(board('Shop EU'), alertOf('Shop EU', 'Slow'))).toEqual([])
})

test('names and values of a deployment neither steer the terminal nor reorder its text', () => {
  const dangerous = 'Shop\u009b31m\u202eUE'
  const text = planText(planChanges({ wanted: [board(dangerous)], target }))
  expect(text).toContain(String.raw`Shop\u{9b}31m\u{202e}UE`)
  expect(text).toMatch(/^[\P{C}\n]*$/u)
})

test('what the deployment is expected to refuse is named before it is sent', () => {
  const alert = alertOf('Shop', 'Slow')
  expect(needs({ ...alert, document: { ...alert.document, thresholdType: 'between' } })).toEqual([
    '    ! expected to be refused: thresholdMax: thresholdMax is required for between/not_between threshold types',
  ])
})

test('keys in the body of a webhook are not printed, the rest of it is', () => {
  const body = (key: string, more: string) => `{"routing_key":"${key}","a":"${more}"}`
  const stored = { id: 'w1', name: 'Pager', service: 'generic', url: 'https://a.example', body: body('R-old', 'x') }
  const planned = (next: string) => {
    const document = { ...stored, id: undefined, body: next }
    const wanted = [{ kind: 'webhooks' as const, id: 'w1', name: 'Pager', document }]
    return planChanges({ wanted, target: { ...target, records: { ...target.records, webhooks: [stored] } } })
  }
  const plan = planned(body('R-new', 'y'))
  for (const text of [planText(plan), planJson(plan)]) {
    expect(text).toContain('•••')
    expect(text).not.toMatch(/R-old|R-new/)
  }
  expect(planText(planned(body('R-new', 'x')))).toContain('body: changed (secret)')
})
