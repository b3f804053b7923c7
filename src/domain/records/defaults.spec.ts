/** Fields that a file or another deployment leaves out, and a deployment fills in. */
import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { comparableOf, differences } from './comparable.ts'
import { Directory } from './directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'

const nowhere = new Directory({ sources: [], webhooks: [], savedSearches: [], dashboards: [], alerts: [] })

const tile = (config: JsonObject) => ({ name: 'Shop', tiles: [{ id: 't', name: 'Tile', config }] })

test.each<[string, RecordKind, JsonObject, JsonObject]>([
  ['a source is enabled', 'sources', { name: 'Logs', kind: 'log' }, { name: 'Logs', kind: 'log', disabled: false }],
  [
    'spans have nanoseconds by default',
    'sources',
    { name: 'Traces', kind: 'trace' },
    { name: 'Traces', kind: 'trace', durationPrecision: 3 },
  ],
  [
    'granularities are short',
    'sources',
    { name: 'Logs', materializedViews: [{ minGranularity: '5 minute' }] },
    { name: 'Logs', materializedViews: [{ minGranularity: '5m' }] },
  ],
  ['tags are a set', 'dashboards', { name: 'Shop', tags: ['a', 'b', 'a'] }, { name: 'Shop', tags: ['a', 'b'] }],
  [
    'a search is written in Lucene',
    'dashboards',
    tile({ displayType: 'search', where: 'x' }),
    tile({ displayType: 'search', where: 'x', whereLanguage: 'lucene' }),
  ],
  [
    'gaps of a line are filled',
    'dashboards',
    tile({ displayType: 'line', select: [{ aggFn: 'count' }] }),
    tile({
      displayType: 'line',
      select: [{ aggFn: 'count', whereLanguage: 'lucene' }],
      asRatio: false,
      fillNulls: true,
    }),
  ],
  [
    'an alert on a tile has the groups of the tile',
    'alerts',
    { name: 'Slow', source: 'tile', groupBy: 'service' },
    { name: 'Slow', source: 'tile' },
  ],
  [
    'times are the same in any spelling',
    'alerts',
    { name: 'Slow', scheduleStartAt: '2026-01-02T03:04:05Z' },
    { name: 'Slow', scheduleStartAt: '2026-01-02T03:04:05.000Z' },
  ],
])('%s', (_, kind, given, returned) => {
  expect(differences(comparableOf(kind, given, nowhere), comparableOf(kind, returned, nowhere))).toEqual([])
})

test('what is not the default is a difference', () => {
  const changed = (kind: RecordKind, before: JsonObject, after: JsonObject) =>
    differences(comparableOf(kind, before, nowhere), comparableOf(kind, after, nowhere)).length
  expect(changed('sources', { name: 'Logs' }, { name: 'Logs', disabled: true })).toBe(1)
  expect(changed('dashboards', tile({ displayType: 'line' }), tile({ displayType: 'line', fillNulls: false }))).toBe(1)
  expect(
    changed('alerts', { name: 'A', groupBy: 'x', source: 'saved_search' }, { name: 'A', source: 'saved_search' }),
  ).toBe(1)
})
