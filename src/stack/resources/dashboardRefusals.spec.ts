/** Invalid dashboards, rule by rule, and invalid references. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { createDashboard, lineTile } from '../testing/sampleInputs.ts'

let stack: TestStack
const oid = 'a'.repeat(24)

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const post = (body: object) => stack.openSource('POST', '/dashboards', body)
const log = () => stack.sourceIds['log']
const trace = () => stack.sourceIds['trace']

const filter = (changes: object = {}) => ({
  type: 'QUERY_EXPRESSION',
  name: 'Svc',
  expression: 'ServiceName',
  sourceId: log(),
  ...changes,
})

test('a number format names its unit as the API does; other text is its unit', async () => {
  const dashboard = (numberFormat: object) => ({
    name: 'Units',
    tiles: [
      lineTile(log() ?? '', {
        config: { displayType: 'number', sourceId: log(), select: [{ aggFn: 'count' }], numberFormat },
      }),
    ],
  })
  for (const format of [
    { output: 'byte', numericUnit: 'gibibytes' },
    { output: 'data_rate', numericUnit: 'pebibits_sec' },
    { output: 'throughput', numericUnit: 'rpm_reads' },
    { output: 'number', unit: 'orders' },
  ]) {
    const created = await post(dashboard(format))
    expect(created.json.data.tiles[0].config.numberFormat).toEqual(format)
  }
  const refused = await post(dashboard({ output: 'throughput', numericUnit: 'orders' }))
  expect(refused.status).toBe(400)
  expect(refused.json.message).toContain(
    'tiles.0.config.numberFormat.numericUnit: Unknown unit. Put free text into unit, or use one of bytes_iec, ',
  )
})

test('a filter of a click has an expression', async () => {
  const filters = [{ kind: 'expressionTemplate', expression: '', template: '{{service}}' }]
  const onClick = { type: 'search', target: { mode: 'id', id: log() }, filters }
  const config = { displayType: 'table', sourceId: log(), select: [{ aggFn: 'count' }], onClick }
  const { status, json } = await post({ name: 'Clicks', tiles: [lineTile(log() ?? '', { config })] })
  expect(status).toBe(400)
  expect(json.message).toContain('tiles.0.config.onClick.filters.0.expression: ')
})

describe('violations of the schema', () => {
  const config = (changes: object) => ({
    tiles: [
      lineTile(oid, { config: { displayType: 'line', sourceId: oid, select: [{ aggFn: 'count' }], ...changes } }),
    ],
  })
  const two = { select: [{ aggFn: 'count' }, { aggFn: 'count' }] }
  const formulas = (...expressions: string[]) => ({ formulas: expressions.map((expression) => ({ expression })) })
  const filters = (...changes: object[]) => ({
    filters: changes.map((change) => ({
      type: 'QUERY_EXPRESSION',
      name: 'Svc',
      expression: 'x',
      sourceId: oid,
      ...change,
    })),
  })
  const container = { id: 'c', title: 'C', collapsed: false }
  test.each<[object, string]>([
    [{ name: undefined }, 'name: Required'],
    [{ name: 'x'.repeat(1025) }, 'name: String must contain at most 1024 character(s)'],
    [{ tiles: undefined }, 'tiles: Required'],
    [{ tiles: Array.from({ length: 501 }, () => lineTile(oid)) }, 'tiles: Array must contain at most 500 element(s)'],
    [{ tiles: [lineTile(oid, { x: 24 })] }, 'tiles.0.x: Number must be less than or equal to 23'],
    [{ tiles: [lineTile(oid, { w: 0 })] }, 'tiles.0.w: Number must be greater than or equal to 1'],
    [{ tiles: [lineTile(oid, { id: 'x'.repeat(37) })] }, 'tiles.0.id: String must contain at most 36 character(s)'],
    [
      { tiles: [lineTile(oid, { id: 'a' }), lineTile(oid, { id: 'a' })] },
      'tiles.1.id: Duplicate tile ID: a. Omit the ID to generate a unique one.',
    ],
    [{ tiles: [lineTile(oid, { config: undefined })] }, 'tiles.0: Tile must have either series or config'],
    [
      { tiles: [lineTile(oid, { series: [{ type: 'markdown', content: '' }] })] },
      'tiles.0: Tile cannot have both series and config',
    ],
    [
      config({ displayType: 'gauge' }),
      "tiles.0.config.displayType: Invalid discriminator value. Expected 'line' | 'stacked_bar' | 'table' | 'number' | 'pie' | 'bar' | 'heatmap' | 'search' | 'event_patterns' | 'markdown'",
    ],
    [config({ sourceId: 'x' }), 'tiles.0.config.sourceId: Invalid ObjectId'],
    [config({ select: [] }), 'tiles.0.config.select: Array must contain at least 1 element(s)'],
    [config({ displayType: 'pie', ...two }), 'tiles.0.config.select: Array must contain exactly 1 element(s)'],
    [config({ displayType: 'number', ...two }), 'tiles.0.config.select: Array must contain exactly 1 element(s)'],
    [config({ asRatio: true }), 'tiles.0.config: asRatio can only be used with exactly two select items'],
    [
      config({ select: [{ aggFn: 'sum' }] }),
      'tiles.0.config.select.0.valueExpression: valueExpression is required for sum',
    ],
    [
      config({ select: [{ aggFn: 'count', valueExpression: 'x' }] }),
      'tiles.0.config.select.0.valueExpression: count takes no valueExpression',
    ],
    [
      config({ select: [{ aggFn: 'quantile', valueExpression: 'x', level: 0.7 }] }),
      'tiles.0.config.select.0.level: level must be one of 0.5, 0.9, 0.95, 0.99',
    ],
    [
      config({ select: [{ aggFn: 'sum', valueExpression: 'x', level: 0.5 }] }),
      'tiles.0.config.select.0.level: level belongs to quantile only',
    ],
    [config(formulas('C / 2')), 'tiles.0.config.formulas.0.expression: Unknown series "C": this tile has A'],
    [
      config({ ...two, ...formulas('1 + 2') }),
      'tiles.0.config.formulas.0.expression: A formula must use at least one series',
    ],
    [config(formulas('A +')), 'tiles.0.config.formulas.0.expression: Expected a series, a number or "(" at the end'],
    [config(formulas('A ^ 2')), 'tiles.0.config.formulas.0.expression: Unexpected "^" at position 3'],
    [
      config({ ...two, asRatio: true, ...formulas('A') }),
      'tiles.0.config.formulas: formulas cannot be used with asRatio',
    ],
    [
      config({ displayType: 'number', ...two, ...formulas('A', 'B') }),
      'tiles.0.config.formulas: A number tile shows one formula',
    ],
    [
      config({ displayType: 'number', color: 'chart-1' }),
      expect.stringMatching(/^tiles\.0\.config\.color: Invalid enum value\. Expected 'chart-blue' \| /),
    ],
    [filters({ id: 'x' }), "filters.0: Unrecognized key(s) in object: 'id'"],
    [filters({ extra: 1 }), "filters.0: Unrecognized key(s) in object: 'extra'"],
    [
      filters({ isBroadcastEnabled: false }),
      'filters.0.isBroadcastEnabled: A filter must broadcast, or be a variable, or both',
    ],
    [filters({ variableName: 'v' }), 'filters.0.variableName: variableName needs isVariableEnabled'],
    [filters({ isVariableEnabled: true, variableName: '1' }), 'filters.0.variableName: Invalid'],
    [
      filters({ isVariableEnabled: true }, { isVariableEnabled: true }),
      'filters.1.variableName: Duplicate variable name: Svc',
    ],
    [
      filters({ isVariableEnabled: true, isBroadcastEnabled: false, appliesToSourceIds: [oid] }),
      'filters.0.appliesToSourceIds: appliesToSourceIds needs isBroadcastEnabled',
    ],
    [{ tags: ['x'.repeat(33)] }, 'tags.0: String must contain at most 32 character(s)'],
    [
      { savedQuery: 'a', savedQueryLanguage: null },
      'savedQueryLanguage: savedQueryLanguage cannot be null when savedQuery is provided',
    ],
    [
      { savedQuery: '', savedQueryLanguage: null },
      'savedQueryLanguage: savedQueryLanguage cannot be null when savedQuery is provided',
    ],
    [{ containers: [container, container] }, 'containers.1.id: Duplicate container ID: c'],
    [
      {
        containers: [
          {
            ...container,
            tabs: [
              { id: 't', title: 'T' },
              { id: 't', title: 'T' },
            ],
          },
        ],
      },
      'containers.0.tabs.1.id: Duplicate tab ID: t',
    ],
  ])('%j', async (changes, message) => {
    const answer = await post({ name: 'D', tiles: [], ...changes })
    expect(answer.status).toBe(400)
    expect(answer.json.message.replace('Body validation failed: ', '')).toEqual(message)
  })
})

describe('references to missing records', () => {
  const messageOf = async (body: object) => {
    const answer = await post({ name: 'D', tiles: [], ...body })
    expect(answer.status).toBe(400)
    return answer.json.message
  }
  const table = (onClick: object) =>
    lineTile(undefined, {
      config: { displayType: 'table', sourceId: log(), select: [{ aggFn: 'count' }], onClick },
    })
  const sql = (changes: object) =>
    lineTile(undefined, {
      config: {
        configType: 'sql',
        displayType: 'line',
        sqlTemplate: 'SELECT 1',
        connectionId: stack.identity.connectionId,
        ...changes,
      },
    })
  const heatmap = (sourceId: string | undefined) =>
    lineTile(undefined, { config: { displayType: 'heatmap', sourceId, select: [{ valueExpression: 'Duration' }] } })
  const withFormula = (sourceId: string | undefined) =>
    lineTile(undefined, {
      config: { displayType: 'line', sourceId, select: [{ aggFn: 'count' }], formulas: [{ expression: 'A*2' }] },
    })

  test('all invalid containers and tabs are reported first', async () => {
    const containers = [{ id: 'c', title: 'C', collapsed: false, tabs: [{ id: 't', title: 'T' }] }]
    const tiles = [
      lineTile(oid, { containerId: 'none' }),
      lineTile(oid, { containerId: 'c', tabId: 'none' }),
      lineTile(oid, { tabId: 't' }),
    ]
    expect(await messageOf({ tiles, containers })).toBe(
      'tiles.0.containerId: Unknown container: none; tiles.1.tabId: Unknown tab in container c: none; ' +
        'tiles.2.tabId: tabId requires containerId',
    )
  })

  test('sources of tiles and filters', async () => {
    const other = 'b'.repeat(24)
    expect(await messageOf({ tiles: [lineTile(oid), lineTile(oid)], filters: [filter({ sourceId: other })] })).toBe(
      `Could not find the following source IDs: ${oid}, ${other}`,
    )
  })

  test('connections, and sources of another connection', async () => {
    expect(await messageOf({ tiles: [sql({ connectionId: oid })] })).toBe(
      `Could not find the following connection IDs: ${oid}`,
    )
  })

  test('sources of the wrong kind', async () => {
    expect(await messageOf({ tiles: [heatmap(log())] })).toBe(
      `Heatmap tiles require a Trace source. The following source IDs are not Trace sources: ${log()}`,
    )
    const session = stack.sourceIds['session']
    expect(await messageOf({ tiles: [withFormula(session)] })).toBe(
      `Tiles with formulas require a Metric, Log, or Trace source. The following source IDs are not formula-capable: ${session}`,
    )
    expect((await post({ name: 'D', tiles: [heatmap(trace()), withFormula(log())] })).status).toBe(200)
  })

  test('targets of links', async () => {
    expect(await messageOf({ tiles: [table({ type: 'dashboard', target: { mode: 'id', id: oid } })] })).toBe(
      `Could not find the following onClick dashboard IDs: ${oid}`,
    )
    const metric = stack.sourceIds['metric']
    expect(await messageOf({ tiles: [table({ type: 'search', target: { mode: 'id', id: metric } })] })).toBe(
      `The following onClick search source IDs are not log or trace sources: ${metric}`,
    )
    const { id } = await createDashboard(stack)
    expect((await post({ name: 'D', tiles: [table({ type: 'dashboard', target: { mode: 'id', id } })] })).status).toBe(
      200,
    )
  })
})
