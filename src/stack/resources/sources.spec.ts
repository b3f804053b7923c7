import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { newObjectId } from '../ids.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { createDashboard, lineTile } from '../testing/sampleInputs.ts'
import { sourceRows } from './sources.ts'

let stack: TestStack
const oid = 'a'.repeat(24)

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const common = () => ({
  name: 'Mine',
  connection: stack.identity.connectionId,
  from: { databaseName: 'default', tableName: 'mine' },
  timestampValueExpression: 'Timestamp',
})
const kinds: Record<string, object> = {
  log: { kind: 'log', defaultTableSelectExpression: '*' },
  trace: {
    kind: 'trace',
    defaultTableSelectExpression: '*',
    durationExpression: 'Duration',
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    parentSpanIdExpression: 'ParentSpanId',
    spanNameExpression: 'SpanName',
    spanKindExpression: 'SpanKind',
  },
  metric: { kind: 'metric', metricTables: { gauge: 'g' }, resourceAttributesExpression: 'ResourceAttributes' },
  session: { kind: 'session', traceSourceId: oid },
  promql: { kind: 'promql' },
}
const input = (kind = 'log', changes: object = {}) => ({ ...common(), ...kinds[kind], ...changes })
/** Fields of every response beside the sent ones. */
const always = (kind: string) => ({
  disabled: false,
  querySettings: [],
  ...((kind === 'log' || kind === 'trace') && {
    materializedViews: [],
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
  }),
})
const create = (kind: string, changes: object = {}) => stack.openSource('POST', '/sources', input(kind, changes))

describe('new source', () => {
  test.each(Object.keys(kinds))('of kind %s reads back as it was sent', async (kind) => {
    const { status, json } = await create(kind, { id: 'mine', team: 't', unknown: 1 })
    expect(status).toBe(200)
    const filled = kind === 'trace' ? { durationPrecision: 3 } : {}
    const id = expect.stringMatching(/^[0-9a-f]{24}$/)
    expect(json).toEqual({ data: { id, ...input(kind), ...filled, ...always(kind) } })
    expect((await stack.openSource('GET', `/sources/${json.data.id}`)).json).toEqual(json)
    expect((await stack.openSource('GET', '/sources')).json.data).toContainEqual(json.data)
    expect((await stack.managed('GET', '/sources')).json.result).toContainEqual(json.data)
  })

  test('keeps its views, with granularities in their short form', async () => {
    const view = {
      databaseName: 'default',
      tableName: 'rollup',
      dimensionColumns: 'ServiceName',
      minGranularity: '5 minute',
      timestampColumn: 'Timestamp',
      aggregatedColumns: [{ aggFn: 'count', mvColumn: 'count' }],
    }
    const metadata = { kvRollupTable: 'kv', granularity: '1h' }
    const { json } = await create('log', { materializedViews: [view], metadataMaterializedViews: metadata })
    expect(json.data.materializedViews).toEqual([{ ...view, minGranularity: '5m' }])
    expect(json.data.metadataMaterializedViews).toEqual(metadata)
  })

  test('keeps the settings of its filters', async () => {
    const columns = [{ name: 'ServiceName', label: 'Service' }, { name: "LogAttributes['a,b']" }]
    const filterSettings = { databaseName: 'default', tableName: 'rollup', columns }
    const { json } = await create('log', { filterSettings })
    expect(json.data.filterSettings).toEqual(filterSettings)
    const many = { ...filterSettings, columns: Array.from({ length: 11 }, () => ({ name: 'ServiceName' })) }
    const refused = await create('log', { filterSettings: many })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('filterSettings.columns')])
  })

  test('can be used by dashboards at once', async () => {
    const { id } = (await create('log')).json.data
    await expect(createDashboard(stack, [lineTile(id)])).resolves.toBeDefined()
  })
})

test('the default sources are valid', async () => {
  for (const source of defaultSources()) {
    const answer = await stack.openSource('POST', '/sources', { ...source, connection: stack.identity.connectionId })
    expect(answer.json).toMatchObject({ data: source })
  }
})

describe('violations of the schema', () => {
  const kindsText = "'log' | 'trace' | 'metric' | 'session' | 'promql'"
  test.each<[string, object, string]>([
    ['log', { kind: 'table' }, `kind: Invalid discriminator value. Expected ${kindsText}`],
    ['log', { kind: undefined }, `kind: Invalid discriminator value. Expected ${kindsText}`],
    ['log', { name: '' }, 'name: String must contain at least 1 character(s)'],
    ['log', { connection: undefined }, 'connection: Required'],
    ['log', { from: undefined }, 'from: Required'],
    [
      'log',
      { from: { databaseName: 'default', tableName: '' } },
      'from.tableName: String must contain at least 1 character(s)',
    ],
    ['log', { timestampValueExpression: undefined }, 'timestampValueExpression: Required'],
    ['log', { defaultTableSelectExpression: undefined }, 'defaultTableSelectExpression: Required'],
    ['log', { section: 'x'.repeat(257) }, 'section: String must contain at most 256 character(s)'],
    ['log', { disabled: 'no' }, 'disabled: Expected boolean, received string'],
    [
      'log',
      { querySettings: Array.from({ length: 11 }, () => ({ setting: 'a', value: 'b' })) },
      'querySettings: Array must contain at most 10 element(s)',
    ],
    [
      'log',
      { useTextIndexForImplicitColumn: 'yes' },
      "useTextIndexForImplicitColumn: Invalid enum value. Expected 'auto' | 'enabled' | 'disabled', received 'yes'",
    ],
    [
      'trace',
      { durationExpression: undefined, spanKindExpression: undefined },
      'durationExpression: Required; spanKindExpression: Required',
    ],
    ['trace', { durationPrecision: 10 }, 'durationPrecision: Number must be less than or equal to 9'],
    ['metric', { metricTables: undefined }, 'metricTables: Required'],
    ['metric', { metricTables: { gauge: '' } }, 'metricTables: At least one metric table is required'],
    ['metric', { resourceAttributesExpression: undefined }, 'resourceAttributesExpression: Required'],
    ['session', { traceSourceId: undefined }, 'traceSourceId: Required'],
  ])('%s %j', async (kind, changes, message) => {
    const answer = await create(kind, changes)
    expect([answer.status, answer.json]).toEqual([400, { message: `Body validation failed: ${message}` }])
  })

  test('a metric source has no table', async () => {
    expect((await create('metric', { from: { databaseName: 'default', tableName: '' } })).status).toBe(200)
  })

  test.each([
    ['short', 'connection must be a valid connection id'],
    [oid, 'connection must be an existing connection id'],
  ])('rejects a missing connection: %s', async (connection, message) => {
    const answer = await create('log', { connection })
    expect([answer.status, answer.json]).toEqual([400, { message }])
  })
})

test.each(['log', 'trace', 'metric'])(
  'adds defaults to a stored source of kind %s of an older version',
  async (kind) => {
    const id = newObjectId()
    // The kinds above are complete documents but for their id.
    const stored = { id, ...input(kind) } as Source
    await sourceRows.insert(stack.store, stored)
    expect((await stack.openSource('GET', `/sources/${id}`)).json.data).toEqual({ ...stored, ...always(kind) })
    for (const list of [
      (await stack.openSource('GET', '/sources')).json.data,
      (await stack.managed('GET', '/sources')).json.result,
    ]) {
      expect(list).toContainEqual({ ...stored, ...always(kind) })
    }
  },
)

test('an update replaces the whole source, and can change its kind', async () => {
  const { id } = (await create('log', { section: 'Team', disabled: true })).json.data
  const answer = await stack.openSource('PUT', `/sources/${id}`, input('metric'))
  expect(answer.json).toEqual({ data: { id, ...input('metric'), ...always('metric') } })
  expect((await stack.openSource('GET', `/sources/${id}`)).json).toEqual(answer.json)
})

test('accepts what was read', async () => {
  const { data } = (await create('trace')).json
  expect((await stack.openSource('PUT', `/sources/${data.id}`, data)).json).toEqual({ data })
})

test('dashboards keep the ID of a deleted source', async () => {
  const { id } = (await create('log')).json.data
  const dashboard = await createDashboard(stack, [lineTile(id)])
  expect((await stack.openSource('DELETE', `/sources/${id}`)).json).toEqual({})
  const read = await stack.openSource('GET', `/dashboards/${dashboard.id}`)
  expect(read.json.data.tiles[0].config.sourceId).toBe(id)
})

test.each([
  ['GET', undefined],
  ['PUT', {}],
  ['DELETE', undefined],
])('%s of an unknown source', async (method, body) => {
  const answer = await stack.openSource(method, `/sources/${oid}`, body && input())
  expect([answer.status, answer.json]).toEqual([404, { message: 'Source not found' }])
})
