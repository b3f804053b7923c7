import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { noRecords } from './inventory.ts'
import { planChanges } from './plan.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'

const connection = { id: 'c'.repeat(24), name: 'Engine' }
const logs = {
  id: 'a'.repeat(24),
  name: 'Logs',
  kind: 'log',
  connection: connection.id,
  from: { databaseName: 'default', tableName: 'otel_logs' },
  timestampValueExpression: 'Timestamp',
  defaultTableSelectExpression: 'Body',
}
const target = {
  records: { ...noRecords(), sources: [logs] },
  dataConnections: [connection],
}

const tile = (name: string, config: object) => ({ id: name, name, x: 0, y: 0, w: 4, h: 4, config })
const count = { displayType: 'number', source: 'Logs', select: [{ aggFn: 'count', where: '' }] }

/** Messages about records in files, by their name. */
function refusals(...wanted: [RecordKind, JsonObject][]): Record<string, string[]> {
  const plan = planChanges({
    wanted: wanted.map(([kind, document]) => ({ kind, name: String(document['name']), document })),
    target,
  })
  expect(plan.steps.flatMap(({ missing }) => missing)).toEqual([])
  return Object.fromEntries(plan.steps.map((step) => [step.name, step.refusals]))
}

test('what the API takes is not refused, also with references to records that the plan creates', () => {
  const search = { name: 'Errors', source: 'Logs', where: 'error', whereLanguage: 'lucene', select: '', orderBy: '' }
  const alert = {
    name: 'Many errors',
    source: 'saved_search',
    savedSearch: 'Errors',
    interval: '5m',
    threshold: 1,
    thresholdType: 'above',
    channels: [{ type: 'webhook', webhook: 'Pager' }],
  }
  expect(
    refusals(
      ['webhooks', { name: 'Pager', service: 'generic' }],
      ['savedSearches', search],
      ['dashboards', { name: 'Shop', tags: [], tiles: [tile('Orders', count)], filters: [] }],
      ['alerts', alert],
    ),
  ).toEqual({ Pager: [], Errors: [], Shop: [], 'Many errors': [] })
})

test('what the API refuses is named with its reason', () => {
  const wrong = { ...count, numberFormat: { output: 'number', numericUnit: 'parsecs' } }
  const said = refusals(
    ['dashboards', { name: 'Shop', tags: [], tiles: [tile('Orders', count), tile('Far', wrong)], filters: [] }],
    ['alerts', { name: 'Range', source: 'tile', interval: '5m', threshold: 5, thresholdType: 'between' }],
    ['sources', { ...logs, id: undefined, connection: 'default', name: 'Mine', kind: 'graph' }],
  )
  expect(said['Shop']).toEqual([expect.stringMatching(/^tile “Far”: config\.numberFormat\.numericUnit: /)])
  expect(said['Range']).toEqual(
    expect.arrayContaining([expect.stringMatching(/^thresholdMax: thresholdMax is required/)]),
  )
  expect(said['Mine']).toEqual([expect.stringMatching(/^kind: /)])
})

test('what stays as it is, or is deleted, is not refused', () => {
  const plan = planChanges({
    wanted: [],
    target: { ...target, records: { ...target.records, sources: [{ ...logs, kind: 'graph' }] } },
    removals: new Set([`sources/${logs.id}`]),
  })
  expect(plan.steps.map(({ action, refusals }) => [action, refusals])).toEqual([['delete', []]])
})
