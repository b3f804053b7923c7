import { expect, test } from 'vitest'
import { asSqlFor } from '../search/conditionAsSql.ts'
import { sqlTileFilters } from './sqlTileFilters.ts'
import type { TileScope } from './tileQuery.ts'

const source = {
  id: 'logs',
  kind: 'log',
  name: 'Logs',
  from: { databaseName: 'default', tableName: 'otel_logs' },
  timestampValueExpression: 'Timestamp',
} as const
const scope: TileScope = {
  span: { from: 0, to: 60_000 },
  granularity: 'auto',
  zone: 'utc',
  conditions: [
    { sql: "ServiceName IN ('api')", lucene: 'ServiceName:"api"', label: 'the filter Service' },
    { lucene: 'SeverityText:"error"', label: 'the dashboard’s query' },
    { sql: 'Duration > 5', label: 'the filter Slow', sourceIds: ['traces'] },
  ],
  variables: [{ name: 'env', expression: 'Env', values: ['prod'] }],
  sourceId: (id) => id,
  toSql: asSqlFor([source]),
}
const tile = (sqlTemplate: string, sourceId?: string) => ({
  configType: 'sql' as const,
  sqlTemplate,
  ...(sourceId !== undefined && { sourceId }),
})

test('conditions are sent in SQL, those of other sources not', () => {
  expect(sqlTileFilters(tile('SELECT 1 WHERE $__filters', 'logs'), scope)).toEqual({
    filters: {
      conditions: ["ServiceName IN ('api')", "ifNull(SeverityText = 'error', 0)"],
      variables: [],
    },
    notes: ['Not filtered by the filter Slow: it applies to other sources.'],
  })
})

test('what cannot be sent is said', () => {
  const found = sqlTileFilters(tile('SELECT 1 WHERE $__filters AND x IN ($env)'), scope)
  expect(found).toMatchObject({
    filters: { conditions: ["ServiceName IN ('api')"], variables: [{ name: 'env', values: ['prod'] }] },
    notes: [expect.stringMatching(/SeverityText:"error" of the dashboard’s query: it is not SQL/), expect.anything()],
  })
  expect(sqlTileFilters(tile('SELECT 1 -- $__filters'), scope)).toEqual({
    filters: undefined,
    notes: [
      'Not filtered by the filter Service: the SQL has no $__filters.',
      'Not filtered by the dashboard’s query: the SQL has no $__filters.',
      'Not filtered by the filter Slow: it applies to other sources.',
    ],
  })
  expect(sqlTileFilters(tile('SELECT 1'), { ...scope, conditions: [] })).toEqual({ filters: undefined, notes: [] })
  expect(sqlTileFilters(tile('$__filters'), { ...scope, conditions: [] })).toMatchObject({
    filters: { conditions: [] },
  })
})

test('a tile waits for the values that it needs', () => {
  const missing = { name: 'env', expression: '', values: [], missing: 'Choose a value.' }
  const waiting = { ...scope, variables: [missing] }
  expect(sqlTileFilters(tile('SELECT $env'), waiting)).toEqual({ refused: 'Choose a value.' })
  expect(sqlTileFilters(tile('SELECT 1'), waiting)).not.toHaveProperty('refused')
  const required = { ...scope, required: [{ reason: 'Choose first.' }] }
  expect(sqlTileFilters(tile('SELECT 1'), required)).toEqual({ refused: 'Choose first.' })
})

test('a condition that is more than one is not sent', () => {
  const broken = { ...scope, conditions: [{ sql: '1) OR (1', label: 'the dashboard’s query' }] }
  expect(sqlTileFilters(tile('$__filters'), broken)).toEqual({ refused: 'The condition cannot be read: 1) OR (1' })
})

test('a filter that the statement obeys by its variable is respected', () => {
  const environment = { sql: "Env IN ('prod')", label: 'the filter Environment', variable: 'env' }
  const notesOf = (template: string, sourceIds?: string[]) =>
    sqlTileFilters(tile(template, 'logs'), {
      ...scope,
      conditions: [{ ...environment, ...(sourceIds && { sourceIds }) }],
    })
  expect(notesOf('SELECT 1 WHERE $__filter($env)')).toMatchObject({ notes: [] })
  expect(notesOf('SELECT 1 WHERE x IN ($env)', ['traces'])).toMatchObject({ notes: [] })
  expect(notesOf('SELECT 1 WHERE $__filters AND x IN ($env)', ['traces'])).toMatchObject({ notes: [] })
  expect(notesOf('SELECT 1')).toMatchObject({
    notes: ['Not filtered by the filter Environment: the SQL has no $__filters.'],
  })
  expect(notesOf('SELECT 1', ['traces'])).toMatchObject({
    notes: ['Not filtered by the filter Environment: it applies to other sources.'],
  })
})
