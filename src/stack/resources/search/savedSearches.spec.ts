import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { savedSearchAlert, savedSearchInput } from '../../testing/sampleInputs.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'

let stack: TestStack
const oid = 'a'.repeat(24)

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const create = (changes: object = {}) => stack.openSource('POST', '/saved-searches', savedSearchInput(stack, changes))
const put = (id: string, changes: object = {}) =>
  stack.openSource('PUT', `/saved-searches/${id}`, savedSearchInput(stack, changes))
const pinned = (condition: string) => ({ filters: [{ condition }] })
const notPinned = (at: number) =>
  `filters[${at}] must be a sidebar-renderable SQL predicate: one column with IN (…), NOT IN (…) or BETWEEN n AND n`

describe('new saved search', () => {
  test('reads back with exactly its fields and the defaults of the others', async () => {
    const { status, json } = await create({ name: '  Failed payments  ', where: undefined, unknown: 1, id: oid })
    expect(status).toBe(200)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'Failed payments',
        sourceId: stack.sourceIds['log'],
        select: '',
        where: '',
        whereLanguage: 'lucene',
        orderBy: '',
        tags: [],
        filters: [],
        teamId: stack.identity.teamId,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: json.data.createdAt,
      },
    })
    expect((await stack.openSource('GET', `/saved-searches/${json.data.id}`)).json).toEqual(json)
    const list = await stack.openSource('GET', '/saved-searches')
    expect(list.json.data).toContainEqual(json.data)
    expect(list.json.meta).toEqual({ total: list.json.data.length, limit: 1000, offset: 0 })
  })

  test('is the same on the managed variant', async () => {
    const { json } = await stack.managed('POST', '/saved-searches', savedSearchInput(stack, pinned("a IN ('x')")))
    expect(json.result.filters).toEqual([{ type: 'sql', condition: "a IN ('x')" }])
    expect((await stack.openSource('GET', `/saved-searches/${json.result.id}`)).json.data).toEqual(json.result)
    expect((await stack.managed('GET', '/saved-searches')).json.result).toContainEqual(json.result)
  })
})

describe('violations of the schema', () => {
  test.each<[object, string]>([
    [{ name: '  ' }, 'name: String must contain at least 1 character(s)'],
    [{ name: 'x'.repeat(1025) }, 'name: String must contain at most 1024 character(s)'],
    [{ sourceId: undefined }, 'sourceId: Required'],
    [{ select: 'x'.repeat(4097) }, 'select: String must contain at most 4096 character(s)'],
    [{ where: 'x'.repeat(8193) }, 'where: String must contain at most 8192 character(s)'],
    [{ whereLanguage: 'kql' }, "whereLanguage: Invalid enum value. Expected 'lucene' | 'sql', received 'kql'"],
    [{ orderBy: 'x'.repeat(1025) }, 'orderBy: String must contain at most 1024 character(s)'],
    [{ tags: Array.from({ length: 51 }, () => 'x') }, 'tags: Array must contain at most 50 element(s)'],
    [{ tags: ['x'.repeat(33)] }, 'tags.0: String must contain at most 32 character(s)'],
    [{ tags: null }, 'tags: Expected array, received null'],
    [
      { filters: Array.from({ length: 101 }, () => ({ condition: 'a IN (1)' })) },
      'filters: Array must contain at most 100 element(s)',
    ],
    [{ filters: [{ type: 'promql', condition: '' }] }, 'filters.0: Invalid input'],
  ])('%#', async (changes, message) => {
    const answer = await create(changes)
    expect([answer.status, answer.json]).toEqual([400, { message: `Body validation failed: ${message}` }])
  })
})

describe('order of checks', () => {
  const noSource = { message: 'sourceId must be an existing source id' }

  test('body, then source, then the record, then the first filter that cannot be shown', async () => {
    const bad = { sourceId: oid, ...pinned('1') }
    expect((await put(oid, { ...bad, name: '' })).json.message).toMatch(/^Body validation failed: name/)
    const source = await put(oid, bad)
    expect([source.status, source.json]).toEqual([400, noSource])
    const record = await put(oid, pinned('1'))
    expect([record.status, record.json]).toEqual([404, { message: 'Saved search not found' }])
    const { data } = (await create()).json
    const filter = await put(data.id, { filters: [{ condition: "a IN ('x')" }, { condition: 'a = 1' }] })
    expect([filter.status, filter.json]).toEqual([400, { message: notPinned(1) }])
    expect((await create({ ...bad, filters: [] })).json).toEqual(noSource)
  })

  test.each([
    pinned("a = 'x'"),
    pinned("a IN ('x') AND b IN ('y')"),
    { filters: [{ type: 'lucene', condition: 'a:x' }] },
    { filters: [{ type: 'sql_ast', operator: '=', left: 'a', right: "'x'" }] },
  ])('refuses the filter %j', async (changes) => {
    expect((await create(changes)).json).toEqual({ message: notPinned(0) })
  })

  test('keeps filters that are stored, and refuses them elsewhere', async () => {
    const { data } = (await create()).json
    const stored = [
      { type: 'lucene', condition: 'a:x' },
      { type: 'sql_ast', operator: '=', left: 'a', right: "'x'" },
    ]
    await stack.store.run('UPDATE saved_searches SET document = ? WHERE id = ?', [
      JSON.stringify({ ...data, filters: stored }),
      data.id,
    ])
    expect((await put(data.id, { filters: stored.toReversed() })).json.data.filters).toEqual(stored.toReversed())
    expect((await put(data.id, { filters: [{ type: 'lucene', condition: 'a:y' }] })).json).toEqual({
      message: notPinned(0),
    })
    expect((await create({ filters: stored })).json).toEqual({ message: notPinned(0) })
  })
})

test('a PUT replaces all fields', async () => {
  const { data } = (
    await create({
      select: 'Body',
      where: 'a = 1',
      whereLanguage: 'sql',
      orderBy: 'a',
      tags: ['t'],
      ...pinned('a IN (1)'),
    })
  ).json
  const { json } = await put(data.id, { name: 'Renamed', where: undefined })
  expect(json.data).toEqual({
    ...data,
    name: 'Renamed',
    select: '',
    where: '',
    whereLanguage: 'lucene',
    orderBy: '',
    tags: [],
    filters: [],
    updatedAt: json.data.updatedAt,
  })
})

describe('errors of ids', () => {
  test.each(['GET', 'PUT', 'DELETE'])('%s', async (method) => {
    const body = method === 'PUT' ? savedSearchInput(stack) : undefined
    const missing = await stack.openSource(method, `/saved-searches/${oid}`, body)
    expect([missing.status, missing.json]).toEqual([404, { message: 'Saved search not found' }])
    const bad = await stack.openSource(method, '/saved-searches/short', body)
    expect([bad.status, bad.json]).toEqual([400, { message: 'Params validation failed: id: Invalid ObjectId' }])
    const managed = await stack.managed(method, '/saved-searches/short', body)
    expect([managed.status, managed.json.error]).toEqual([400, 'BAD_REQUEST: Invalid saved search id <string:short>'])
  })
})

describe('alerts on a saved search', () => {
  const alertOn = (id: string, changes: object = {}) =>
    stack.openSource('POST', '/alerts', savedSearchAlert(stack, id, changes))

  test('refer to one that exists', async () => {
    const { data } = (await create()).json
    const { status, json } = await alertOn(data.id, { groupBy: 'ServiceName' })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ source: 'saved_search', savedSearchId: data.id, groupBy: 'ServiceName' })
    expect((await alertOn(oid)).json).toEqual({ message: 'Saved search not found' })
  })

  test('are deleted with it, and no others', async () => {
    const [one, other] = [(await create()).json.data, (await create()).json.data]
    const alert = (await alertOn(one.id)).json.data
    const kept = (await alertOn(other.id)).json.data
    const moved = (await alertOn(one.id)).json.data
    await stack.openSource('PUT', `/alerts/${moved.id}`, savedSearchAlert(stack, other.id))
    const { status, text } = await stack.openSource('DELETE', `/saved-searches/${one.id}`)
    expect([status, text]).toEqual([200, '{}'])
    expect((await stack.openSource('GET', `/alerts/${alert.id}`)).status).toBe(404)
    for (const { id } of [kept, moved]) expect((await stack.openSource('GET', `/alerts/${id}`)).status).toBe(200)
  })
})
