/** The body of a request: what an update empties, what it leaves out, and which ids items keep. */
import { describe, expect, test } from 'vitest'
import { LosslessNumber } from 'lossless-json'
import type { JsonObject } from '../json/json.ts'
import { bodyOf } from './body.ts'
import { comparableOf } from './comparable.ts'
import { Directory } from './directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'

const records = {
  sources: [{ id: 's1', name: 'Logs', kind: 'log', connection: 'c1' }],
  savedSearches: [{ id: 'q1', name: 'Errors', sourceId: 's1' }],
  webhooks: [{ id: 'w1', name: 'On call', service: 'generic' }],
}
const directory = new Directory(records)

/** The body that gives `current` the fields of `wanted`. */
function sent(kind: RecordKind, wanted: JsonObject, current?: JsonObject): JsonObject {
  return bodyOf(kind, comparableOf(kind, wanted, directory), directory, current).body
}

describe('an update empties what deployments keep when it is left out', () => {
  const alert = { id: 'a1', source: 'saved_search', savedSearchId: 'q1', threshold: 1, interval: '5m' }
  const empty = { groupBy: null, scheduleStartAt: null, scheduleOffsetMinutes: null }
  const set = { groupBy: 'ServiceName', scheduleStartAt: '2026-01-01T00:00:00.000Z' }

  test.each([
    ['left out', {}],
    ['null', empty],
  ])('%s in an alert', (_, fields) => {
    expect(sent('alerts', { ...alert, ...fields }, { ...alert, ...set })).toMatchObject({
      groupBy: null,
      scheduleStartAt: null,
    })
    expect(sent('alerts', { ...alert, ...fields }, { ...alert, scheduleOffsetMinutes: 5 })).toMatchObject({
      scheduleOffsetMinutes: 0,
    })
  })

  test('the former query of an alert', () => {
    const tile = { id: 'a1', source: 'tile', dashboardId: 'd1', tileId: 't1', threshold: 1, interval: '5m' }
    expect(sent('alerts', alert, tile)).toMatchObject({ savedSearchId: 'q1', dashboardId: null, tileId: null })
  })

  test('a dashboard', () => {
    const stored = {
      id: 'd1',
      name: 'Shop',
      tiles: [],
      tags: ['a'],
      filters: [{ id: 'f1', name: 'Service' }],
      savedQuery: 'a:b',
      savedQueryLanguage: 'lucene',
      savedFilterValues: [{ type: 'sql', condition: 'a' }],
      containers: [{ id: 'c', title: 'C', collapsed: false }],
    }
    const cleared = {
      tags: [],
      filters: [],
      savedQuery: null,
      savedQueryLanguage: null,
      savedFilterValues: [],
      containers: [],
    }
    expect(sent('dashboards', { name: 'Shop', tiles: [] }, stored)).toEqual({ name: 'Shop', tiles: [], ...cleared })
    const nulls = Object.fromEntries(Object.keys(cleared).map((key) => [key, null]))
    expect(sent('dashboards', { name: 'Shop', tiles: [], ...nulls }, stored)).toEqual({
      name: 'Shop',
      tiles: [],
      ...cleared,
    })
    // Deployments refuse a query whose language is null.
    expect(sent('dashboards', { name: 'Shop', tiles: [], savedQuery: 'c', savedQueryLanguage: null }, stored)).toEqual({
      name: 'Shop',
      tiles: [],
      ...cleared,
      savedQuery: 'c',
      savedQueryLanguage: 'lucene',
    })
  })
})

test('other nulls are left out, at any depth, and values stay as they are', () => {
  const alert = { source: 'saved_search', savedSearchId: 'q1', threshold: 0, interval: '5m', note: null, groupBy: null }
  expect(
    sent('alerts', { ...alert, name: null, channels: [{ type: 'webhook', webhookId: 'w1', severity: null }] }),
  ).toEqual({
    source: 'saved_search',
    savedSearchId: 'q1',
    threshold: 0,
    interval: '5m',
    channels: [{ type: 'webhook', webhookId: 'w1' }],
  })
  const exact = new LosslessNumber('12345678901234567890')
  const config = { displayType: 'number', select: [{ level: exact, alias: null }], fitYAxisToData: false, color: '' }
  expect(sent('dashboards', { name: 'Shop', tiles: [{ name: 'A', config }] })).toMatchObject({
    tiles: [{ config: { select: [{ level: exact }], fitYAxisToData: false, color: '' } }],
  })
})

describe('a renamed tile', () => {
  const config = (where: string) => ({ displayType: 'number', sourceId: 's1', select: [{ aggFn: 'count', where }] })
  const tile = (id: string, name: string, where: string) => ({
    id,
    name,
    x: 0,
    y: 0,
    w: 6,
    h: 3,
    config: config(where),
  })
  const stored = { id: 'd1', name: 'Shop', tiles: [tile('t1', 'Errors', 'a'), tile('t2', 'Slow', 'b')] }
  const idsOf = (tiles: JsonObject[]) =>
    (sent('dashboards', { name: 'Shop', tiles }, stored)['tiles'] as JsonObject[]).map(({ id }) => id) // as they were given

  test('keeps its id', () => {
    expect(idsOf([tile('x1', 'Failures', 'a'), tile('x2', 'Slow', 'b')])).toEqual(['t1', 't2'])
    const moved = { ...tile('x1', 'Failures', 'a'), y: 9 }
    expect(idsOf([tile('x2', 'Slow', 'b'), moved])).toEqual(['t2', 't1'])
  })

  test('never takes the id of a stored tile that another tile matches by name', () => {
    const copy = tile('x3', 'Copy', 'a')
    expect(idsOf([copy, tile('x1', 'Errors', 'a'), tile('x2', 'Slow', 'b')])).toEqual([undefined, 't1', 't2'])
    expect(idsOf([copy, { ...copy, name: 'Another copy' }])).toEqual(['t1', undefined])
  })

  test('with other content is a new tile without an id', () => {
    expect(idsOf([tile('x1', 'Failures', 'c')])).toEqual([undefined])
  })
})
