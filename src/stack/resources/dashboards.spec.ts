import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { createDashboard, lineTile, tileAlert } from '../testing/sampleInputs.ts'

let stack: TestStack
const oid = 'a'.repeat(24)

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const post = (body: object) => stack.openSource('POST', '/dashboards', body)
const put = (id: string, body: object) => stack.openSource('PUT', `/dashboards/${id}`, body)
const log = () => stack.sourceIds['log']
const trace = () => stack.sourceIds['trace']

const filter = (changes: object = {}) => ({
  type: 'QUERY_EXPRESSION',
  name: 'Svc',
  expression: 'ServiceName',
  sourceId: log(),
  ...changes,
})

describe('new dashboard', () => {
  test('that is empty reads back with all defaults', async () => {
    const { json } = await post({ name: 'D', tiles: [] })
    expect(json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'D',
      tiles: [],
      tags: [],
      filters: [],
      savedQuery: null,
      savedQueryLanguage: null,
      savedFilterValues: [],
    })
    expect((await stack.managed('GET', `/dashboards/${json.data.id}`)).json.result).toEqual(json.data)
  })

  test('gets IDs from the server, and defaults', async () => {
    const config = {
      displayType: 'line',
      sourceId: log(),
      select: [{ aggFn: 'count', where: 'SeverityText:error' }],
      groupBy: 'ServiceName',
      alert: { threshold: 1 },
    }
    const { json } = await post({
      name: 'D',
      tiles: [{ id: 'mine', name: 't0', x: 0, y: 0, w: 12, h: 4, config }],
      filters: [filter()],
      tags: ['a', 'b', 'a'],
      savedQuery: 'level:error',
      unknown: 1,
    })
    expect(json.data.tiles).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 't0',
        x: 0,
        y: 0,
        w: 12,
        h: 4,
        config: {
          displayType: 'line',
          sourceId: log(),
          asRatio: false,
          fillNulls: true,
          groupBy: 'ServiceName',
          select: [{ valueExpression: '', aggFn: 'count', where: 'SeverityText:error', whereLanguage: 'lucene' }],
        },
      },
    ])
    expect(json.data.filters).toEqual([{ ...filter(), id: expect.stringMatching(/^[0-9a-f]{24}$/) }])
    expect(json.data).toMatchObject({ tags: ['a', 'b'], savedQuery: 'level:error', savedQueryLanguage: 'lucene' })
    expect(json.data).not.toHaveProperty('unknown')
    expect(() => dashboardSchema.parse(json.data)).not.toThrow()
  })

  test.each<[string, object, object]>([
    [
      'SQL over time',
      { configType: 'sql', displayType: 'line', sqlTemplate: 'SELECT 1' },
      { configType: 'sql', displayType: 'line', sqlTemplate: 'SELECT 1', fillNulls: true },
    ],
    ['SQL in a table', { configType: 'sql', displayType: 'table', sqlTemplate: '' }, {}],
    ['text', { displayType: 'markdown', markdown: '# Hi' }, { displayType: 'markdown', markdown: '# Hi' }],
    [
      'patterns',
      { displayType: 'event_patterns' },
      { displayType: 'event_patterns', select: '', where: '', whereLanguage: 'lucene' },
    ],
    [
      'a search',
      { displayType: 'search', select: 'Body', where: 'a:b', whereLanguage: 'sql' },
      { displayType: 'search', select: 'Body', where: 'a:b', whereLanguage: 'sql' },
    ],
    [
      'a table',
      { displayType: 'table', select: [{ aggFn: 'sum', valueExpression: 'Duration' }] },
      {
        displayType: 'table',
        asRatio: false,
        select: [{ aggFn: 'sum', valueExpression: 'Duration', where: '', whereLanguage: 'lucene' }],
      },
    ],
  ])('sets defaults of %s', async (_, config, expected) => {
    const ids =
      'configType' in config
        ? { connectionId: stack.identity.connectionId }
        : 'markdown' in config
          ? {}
          : { sourceId: log() }
    const { json } = await post({ name: 'D', tiles: [lineTile(undefined, { config: { ...config, ...ids } })] })
    expect(json.data.tiles[0].config).toEqual({ ...config, ...ids, ...expected })
  })

  test('converts legacy tiles to the current format', async () => {
    const series = { type: 'time', sourceId: log(), where: 'a:b', groupBy: ['A', 'B'] }
    const tile = {
      name: 'old',
      x: 0,
      y: 0,
      w: 1,
      h: 1,
      asRatio: true,
      series: [
        { ...series, aggFn: 'count', displayType: 'stacked_bar' },
        { ...series, aggFn: 'sum', field: 'Value', metricDataType: 'sum', metricName: 'm', whereLanguage: 'sql' },
      ],
    }
    const { json } = await post({ name: 'D', tiles: [tile] })
    expect(json.data.tiles[0]).toEqual({
      id: expect.anything(),
      name: 'old',
      x: 0,
      y: 0,
      w: 1,
      h: 1,
      config: {
        displayType: 'stacked_bar',
        sourceId: log(),
        asRatio: true,
        fillNulls: true,
        groupBy: 'A,B',
        select: [
          { aggFn: 'count', valueExpression: '', where: 'a:b', whereLanguage: 'lucene' },
          {
            aggFn: 'sum',
            valueExpression: 'Value',
            where: 'a:b',
            whereLanguage: 'sql',
            metricType: 'sum',
            metricName: 'm',
          },
        ],
      },
    })
  })
})

describe('replaced dashboard', () => {
  const full = () => ({
    name: 'Full',
    tiles: [lineTile(log(), { containerId: 'c' })],
    tags: ['t'],
    filters: [filter()],
    savedQuery: 'a:b',
    savedQueryLanguage: 'sql',
    savedFilterValues: [{ condition: "ServiceName IN ('api')" }],
    containers: [{ id: 'c', title: 'C', collapsed: true }],
  })

  test('keeps omitted parts and clears emptied ones', async () => {
    const before = (await post(full())).json.data
    const kept = (await put(before.id, { name: 'Other', tiles: before.tiles })).json.data
    expect(kept).toEqual({ ...before, name: 'Other' })
    const emptied = { name: 'Other', tiles: [], tags: [], filters: [], savedQuery: null, containers: [] }
    const { containers: _, ...rest } = before
    expect((await put(before.id, emptied)).json.data).toEqual({
      ...rest,
      ...emptied,
      containers: undefined,
      savedQueryLanguage: null,
    })
  })

  test('reads back unchanged when it is written as it was read', async () => {
    const before = (await post(full())).json.data
    expect((await put(before.id, before)).json.data).toEqual(before)
  })

  test.each([
    [{ savedQuery: '' }, '', 'sql'],
    [{ savedQuery: 'x' }, 'x', 'lucene'],
    [{ savedQueryLanguage: null }, 'a:b', null],
    [{ savedQuery: null }, null, null],
    [{ savedQuery: null, savedQueryLanguage: 'sql' }, null, 'sql'],
  ])('keeps the language of the saved query as deployments do: %j', async (sent, savedQuery, savedQueryLanguage) => {
    const { id } = (await post(full())).json.data
    const after = (await put(id, { name: 'D', tiles: [], ...sent })).json.data
    expect(after).toMatchObject({ savedQuery, savedQueryLanguage })
  })

  test('gets new IDs for tiles and filters with unknown IDs', async () => {
    const before = (await post(full())).json.data
    const [tile] = before.tiles
    const after = await put(before.id, {
      name: 'D',
      tiles: [tile, lineTile(log(), { id: 'mine' })],
      filters: [filter({ id: before.filters[0].id }), filter({ id: 'mine', name: 'B' })],
    })
    expect(after.json.data.tiles[0].id).toBe(tile.id)
    expect(after.json.data.tiles[1].id).toMatch(/^[0-9a-f]{24}$/)
    expect(after.json.data.filters[0].id).toBe(before.filters[0].id)
    expect(after.json.data.filters[1].id).toMatch(/^[0-9a-f]{24}$/)
  })

  test('requires the IDs of its filters', async () => {
    const { id } = (await post(full())).json.data
    const answer = await put(id, { name: 'D', tiles: [], filters: [filter()] })
    expect(answer.json.message).toBe('Body validation failed: filters.0.id: Required')
  })

  test('is not created if it does not exist', async () => {
    const answer = await put(oid, { name: 'D', tiles: [] })
    expect([answer.status, answer.text]).toEqual([404, 'Not Found'])
    expect((await stack.managed('PUT', `/dashboards/${oid}`, { name: 'D', tiles: [] })).json).toMatchObject({
      status: 404,
      error: 'NOT_FOUND: Dashboard not found',
    })
  })

  test('does not validate an unchanged heatmap again whose source is no longer a trace source', async () => {
    const config = { displayType: 'heatmap', sourceId: trace(), select: [{ valueExpression: 'Duration' }] }
    const before = (await post({ name: 'D', tiles: [lineTile(undefined, { config })] })).json.data
    await stack.store.run(`UPDATE sources SET document = json_set(document, '$.kind', 'log') WHERE id = ?`, [
      trace() ?? '',
    ])
    try {
      expect((await put(before.id, before)).status).toBe(200)
      const changed = { ...before.tiles[0], config: { ...config, where: 'a:b' } }
      expect((await put(before.id, { ...before, tiles: [changed] })).json.message).toMatch(/^Heatmap tiles require/)
    } finally {
      await stack.store.run(`UPDATE sources SET document = json_set(document, '$.kind', 'trace') WHERE id = ?`, [
        trace() ?? '',
      ])
    }
  })
})

describe('alerts of a dashboard are deleted', () => {
  const alertsOn = async (dashboard: { id: string; tiles: { id: string }[] }) => {
    const ids: string[] = []
    for (const tile of dashboard.tiles) {
      const body = tileAlert(stack, dashboard, { tileId: tile.id })
      ids.push((await stack.openSource('POST', '/alerts', body)).json.data.id)
    }
    return ids
  }
  const statuses = (ids: string[]) =>
    Promise.all(ids.map(async (id) => (await stack.openSource('GET', `/alerts/${id}`)).status))

  test('with a tile that is removed or can no longer be evaluated', async () => {
    const dashboard = await createDashboard(stack, [lineTile(log()), lineTile(log()), lineTile(log()), lineTile(log())])
    const ids = await alertsOn(dashboard)
    const [first, second, third] = dashboard.tiles
    const table = { displayType: 'table', sourceId: log(), select: [{ aggFn: 'count' }] }
    const bars = { displayType: 'stacked_bar', sourceId: log(), select: [{ aggFn: 'count' }] }
    const tiles = [first, { ...second, config: bars }, { ...third, config: table }]
    expect((await put(dashboard.id, { name: 'D', tiles })).status).toBe(200)
    expect(await statuses(ids)).toEqual([200, 200, 404, 404])
  })

  test('with the dashboard', async () => {
    const dashboard = await createDashboard(stack)
    const ids = await alertsOn(dashboard)
    expect((await stack.openSource('DELETE', `/dashboards/${dashboard.id}`)).json).toEqual({})
    expect(await statuses(ids)).toEqual([404])
  })

  test('a rejected write changes nothing', async () => {
    const dashboard = await createDashboard(stack)
    const ids = await alertsOn(dashboard)
    expect((await put(dashboard.id, { name: 'D', tiles: [lineTile(oid)] })).status).toBe(400)
    expect(await statuses(ids)).toEqual([200])
    expect((await stack.openSource('GET', `/dashboards/${dashboard.id}`)).json.data).toEqual(dashboard)
  })
})

describe('dashboard validation', () => {
  const validate = async (body: unknown) => (await stack.openSource('POST', '/dashboards/validate', body)).json

  test('reports findings and stores nothing', async () => {
    const count = async () => (await stack.openSource('GET', '/dashboards')).json.data.length
    const before = await count()
    expect(await validate({ name: 'D', tiles: [] })).toEqual({
      valid: true,
      errors: [],
      normalized: { name: 'D', tiles: [] },
    })
    expect(await validate({ name: 1, tiles: [] })).toEqual({
      valid: false,
      errors: [{ path: 'name', message: 'Expected string, received number' }],
      normalized: null,
    })
    expect(await validate({ name: 'D', tiles: [lineTile(oid)] })).toEqual({
      valid: false,
      errors: [{ path: '', message: `Could not find the following source IDs: ${oid}` }],
      normalized: null,
    })
    expect(await validate([])).toMatchObject({ valid: false })
    expect(await count()).toBe(before)
  })

  test('is in the envelope on the managed variant', async () => {
    const answer = await stack.managed('POST', '/dashboards/validate', { name: 'D', tiles: [] })
    expect(answer.json).toEqual({
      status: 200,
      requestId: expect.any(String),
      result: { valid: true, errors: [], normalized: { name: 'D', tiles: [] } },
    })
  })
})

test('the list is sorted by name, descending', async () => {
  for (const name of ['b', 'a', 'c']) await post({ name, tiles: [] })
  const names = (await stack.openSource('GET', '/dashboards')).json.data.map((one: { name: string }) => one.name)
  expect(names).toEqual([...names].toSorted().toReversed())
})
