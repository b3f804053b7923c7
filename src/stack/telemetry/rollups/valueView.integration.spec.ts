/** Facets that are read from a table of values which another collector made, where a source names it. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { defaultSources } from '../defaultSources.ts'
import type { Engine } from '../engine/engine.ts'
import { querySeries } from '../series/seriesQuery.ts'
import { tables } from '../tables.ts'
import { answerOf, facet, facetQuery, logRow, parsedQuery, type Asked } from './testing/attributeRows.ts'

const layout = `(Timestamp DateTime, ColumnIdentifier LowCardinality(String), Key LowCardinality(String), Value String, count UInt64)
  ENGINE = SummingMergeTree PARTITION BY toDate(Timestamp) ORDER BY (ColumnIdentifier, Key, Timestamp, Value)`
const ofMap = (map: string, join = 'ARRAY JOIN') =>
  `SELECT '${map}' AS ColumnIdentifier, toStartOfFifteenMinutes(Timestamp) AS Timestamp,
    replaceRegexpAll(pair.1, '\\\\[\\\\d+\\\\]', '[*]') AS Key, CAST(pair.2 AS String) AS Value FROM ${tables.logs} ${join} ${map} AS pair`
const ofColumn = (column: string, rest = '') =>
  `SELECT 'NativeColumn' AS ColumnIdentifier, toStartOfFifteenMinutes(Timestamp) AS Timestamp, '${column}' AS Key, ${column} AS Value FROM ${tables.logs}${rest}`
const counted =
  'SELECT Timestamp, ColumnIdentifier, Key, Value, count() AS count FROM all GROUP BY Timestamp, ColumnIdentifier, Key, Value'
const view = (parts: readonly string[], count = counted) => `WITH all AS (${parts.join(' UNION ALL ')}) ${count}`
const usual = [ofMap('LogAttributes'), ofMap('ResourceAttributes'), ofColumn('ServiceName'), ofColumn('SeverityText')]

/** Views that count something else. */
const others: [what: string, select: string][] = [
  ['rows left out', view([...usual.slice(0, 3), ofColumn('SeverityText', " WHERE SeverityText != 'info'")])],
  ['no column that counts all rows', view([ofMap('LogAttributes'), ofColumn('SeverityText')])],
  ['rows for empty maps', view([ofMap('LogAttributes', 'LEFT ARRAY JOIN'), ofColumn('ServiceName')])],
  ['a map that is counted twice', view([ofMap('LogAttributes'), ofMap('LogAttributes'), ofColumn('ServiceName')])],
  ['another value', view([ofMap('LogAttributes').replace('pair.2', 'upper(pair.2)'), ofColumn('ServiceName')])],
  ['another step', view(usual.map((part) => part.replace('FifteenMinutes', 'Hour')))],
  ['another count', view(usual, counted.replace('count() AS', 'uniq(Value) AS'))],
]

const logs = defaultSources().find(({ kind }) => kind === 'log')
const sourcesWith = (kvRollupTable: string) => [
  {
    ...logs,
    id: 'log',
    name: 'Logs',
    kind: 'log' as const,
    metadataMaterializedViews: { kvRollupTable, granularity: '15m' },
  },
]

let engine: Engine
beforeAll(async () => {
  engine = await temporaryEngine()
  await made('usual_kv', view(usual))
  for (const [what, select] of others) await made(tableOf(what), select)
  await engine.insert(tables.logs, fc.sample(logRow, { numRuns: 1000, seed: 3 }))
})
afterAll(() => engine.close())

const tableOf = (what: string): string => what.replaceAll(' ', '_')

async function made(table: string, select: string): Promise<void> {
  await engine.command(`CREATE TABLE ${table} ${layout}`)
  await engine.command(`CREATE MATERIALIZED VIEW ${table}_mv TO ${table} AS ${select}`)
}

const never = new AbortController().signal
const asked = async (query: Asked, table: string, leastRolledRows = 0) => {
  const readable = { ...readableSources(engine, sourcesWith(table)), leastRolledRows }
  return answerOf(await querySeries(engine, parsedQuery(query), readable, never))
}
const ofRows = (query: Asked) => asked(query, 'usual_kv', Infinity)
const method = facet("LogAttributes['method']")

test('they have the counts of the rows', async () => {
  let rolled = 0
  for (const query of [method, ...fc.sample(facetQuery, { numRuns: 15, seed: 19 })]) {
    const { points, readFrom } = await asked(query, 'usual_kv')
    rolled += readFrom.length
    expect(points, JSON.stringify(query)).toEqual((await ofRows(query)).points)
  }
  expect(rolled).toBeGreaterThan(3)
}, 120_000)

test('maps and columns that it does not have, and keys that it changes, are read from the rows', async () => {
  expect((await asked(facet('SeverityText'), 'usual_kv')).readFrom).toEqual(['usual_kv'])
  for (const field of ["ScopeAttributes['method']", 'EventName', "LogAttributes['items[0].id']"])
    expect((await asked(facet(field), 'usual_kv')).readFrom).toEqual([])
})

describe('it is not read with', () => {
  test.each(others)('%s', async (what) => {
    const { readFrom, points } = await asked(method, tableOf(what))
    expect(readFrom).toEqual([])
    expect(points).toEqual((await ofRows(method)).points)
  })
})
