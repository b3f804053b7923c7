import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { createDashboard, lineTile, tileAlert } from '../testing/sampleInputs.ts'

let stack: TestStack
let dashboard: { id: string; tiles: { id: string }[] }
const oid = 'a'.repeat(24)

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())
beforeEach(async () => {
  dashboard = await createDashboard(stack)
})

const create = (changes: object = {}) => stack.openSource('POST', '/alerts', tileAlert(stack, dashboard, changes))

describe('new alert', () => {
  test('reads back with exactly the fields of a tile alert', async () => {
    const channel = { type: 'webhook', webhookId: stack.webhookId }
    const { status, json } = await create({ unknown: 1, id: 'mine', state: 'ALERT' })
    expect(status).toBe(200)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'Errors',
        message: 'check it',
        note: null,
        numConsecutiveWindows: null,
        renotifyIntervalMinutes: null,
        threshold: 123,
        interval: '15m',
        source: 'tile',
        thresholdType: 'above',
        channel,
        channels: [channel],
        teamId: stack.identity.teamId,
        tileId: dashboard.tiles[0]?.id,
        dashboardId: dashboard.id,
        state: 'OK',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: json.data.createdAt,
      },
    })
    expect((await stack.openSource('GET', `/alerts/${json.data.id}`)).json).toEqual(json)
  })

  test('is the same on the managed variant', async () => {
    const { json } = await stack.managed('POST', '/alerts', tileAlert(stack, dashboard))
    expect(json).toEqual({
      status: 200,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      result: expect.anything(),
    })
    expect((await stack.openSource('GET', `/alerts/${json.result.id}`)).json.data).toEqual(json.result)
  })

  test.each([{ groupBy: 'ServiceName' }, { savedSearchId: oid }])(
    'refuses %j, which belongs to another source',
    async (changes) => {
      const [field] = Object.keys(changes)
      for (const send of [stack.openSource, stack.managed]) {
        const { status, text } = await send('POST', '/alerts', tileAlert(stack, dashboard, changes))
        expect([status, text]).toEqual([400, expect.stringContaining(`Alerts with the source tile have no ${field}`)])
        const { json } = await create()
        const path = `/alerts/${json.data.id}`
        expect((await send('PUT', path, tileAlert(stack, dashboard, changes))).status).toBe(400)
      }
      expect((await create({ groupBy: '', savedSearchId: null })).json.data).not.toHaveProperty('groupBy')
    },
  )

  test('with a start time has no offset', async () => {
    const startAt = new Date(currentTime() + 60_000).toISOString()
    expect((await create({ scheduleStartAt: startAt })).json.data).toMatchObject({
      scheduleStartAt: startAt,
      scheduleOffsetMinutes: 0,
    })
  })

  test('returns its start time with milliseconds, however many were sent', async () => {
    const second = new Date(Math.floor(currentTime() / 1000) * 1000).toISOString().slice(0, 19)
    for (const [sent, returned] of [
      [`${second}Z`, `${second}.000Z`],
      [`${second}.5Z`, `${second}.500Z`],
      [`${second}.123456Z`, `${second}.123Z`],
    ]) {
      expect((await create({ scheduleStartAt: sent })).json.data.scheduleStartAt).toBe(returned)
    }
  })
})

describe('violations of the schema', () => {
  const channel = { type: 'webhook', webhookId: oid }
  const year = 366 * 86_400_000
  test.each<[object, string]>([
    [{ source: undefined }, 'Invalid input'],
    [{ source: 'inline' }, 'Invalid input'],
    [{ dashboardId: undefined }, 'dashboardId: Required'],
    [{ tileId: null }, 'tileId: Required'],
    [{ tileId: '' }, 'tileId: String must contain at least 1 character(s)'],
    [{ threshold: null }, 'threshold: Expected number, received null'],
    [{ threshold: '1' }, 'threshold: Expected number, received string'],
    [
      { interval: '2m' },
      "interval: Invalid enum value. Expected '1m' | '5m' | '15m' | '30m' | '1h' | '6h' | '12h' | '1d', received '2m'",
    ],
    [{ thresholdMax: null }, 'thresholdMax: Expected number, received null'],
    [{ thresholdType: 'between' }, 'thresholdMax: thresholdMax is required for between/not_between threshold types'],
    [
      { thresholdType: 'not_between', thresholdMax: 122 },
      'thresholdMax: thresholdMax must be greater than or equal to threshold',
    ],
    [{ channel: undefined }, 'channels: Provide either "channel" or "channels"'],
    [{ channel: null }, 'channel: Expected object, received null'],
    [{ channel: { type: 'webhook' } }, 'channel.webhookId: Required'],
    [
      { channel: { type: 'email', emailRecipients: ['a@b.example'] } },
      "channel.type: Alerts notify by webhook here: use the type 'webhook' with a webhookId; channel.webhookId: Required",
    ],
    [{ channel: { type: 'webhook', webhookId: '' } }, 'channel.webhookId: String must contain at least 1 character(s)'],
    [{ channel: undefined, channels: [] }, 'channels: Array must contain at least 1 element(s)'],
    [{ channel: undefined, channels: [channel, channel] }, 'channels: Duplicate notification channels are not allowed'],
    [
      { channels: [channel] },
      'channels: When both "channel" and "channels" are provided, "channel" must match the first entry of "channels"',
    ],
    [{ name: '' }, 'name: String must contain at least 1 character(s)'],
    [{ name: 'x'.repeat(513) }, 'name: String must contain at most 512 character(s)'],
    [{ message: 'x'.repeat(4097) }, 'message: String must contain at most 4096 character(s)'],
    [{ numConsecutiveWindows: 0 }, 'numConsecutiveWindows: Number must be greater than or equal to 1'],
    [{ numConsecutiveWindows: 1.5 }, 'numConsecutiveWindows: Expected integer, received float'],
    [{ scheduleOffsetMinutes: null }, 'scheduleOffsetMinutes: Expected number, received null'],
    [
      { interval: '5m', scheduleOffsetMinutes: 5 },
      'scheduleOffsetMinutes: scheduleOffsetMinutes must be less than 5 minutes',
    ],
    [{ scheduleStartAt: '2026-08-22T10:00:00+01:00' }, 'scheduleStartAt: Invalid datetime'],
    [
      { scheduleStartAt: new Date(currentTime() + year).toISOString() },
      'scheduleStartAt: scheduleStartAt must be within 1 year from now',
    ],
    [
      { scheduleStartAt: new Date(currentTime() - 11 * year).toISOString() },
      'scheduleStartAt: scheduleStartAt must not be more than 10 years ago',
    ],
  ])('%j', async (changes, message) => {
    const answer = await create(changes)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ message: `Body validation failed: ${message}` })
  })
})

describe('references to missing records', () => {
  const savedSearch = { source: 'saved_search', dashboardId: undefined, tileId: undefined }
  test.each<[object, string]>([
    [{ dashboardId: 'short' }, 'Invalid dashboard ID'],
    [{ dashboardId: 'twelve-chars' }, 'Dashboard not found'],
    [{ dashboardId: oid }, 'Dashboard not found'],
    [{ tileId: 'none', channel: { type: 'webhook', webhookId: 'x' } }, 'Tile not found'],
    [{ ...savedSearch, savedSearchId: 'short' }, 'Invalid saved search ID'],
    [{ ...savedSearch, savedSearchId: oid }, 'Saved search not found'],
    [{ channel: { type: 'webhook', webhookId: 'short' } }, 'Invalid webhook ID'],
    [{ channel: { type: 'webhook', webhookId: oid } }, 'Webhook not found'],
  ])('%j', async (changes, message) => {
    const answer = await create(changes)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ message })
    const managed = await stack.managed('POST', '/alerts', tileAlert(stack, dashboard, changes))
    expect(managed.json).toMatchObject({ status: 400, error: `BAD_REQUEST: ${message}` })
  })

  test('an alert on a raw SQL tile requires a tile that can be evaluated', async () => {
    const config = { configType: 'sql', connectionId: stack.identity.connectionId, sqlTemplate: 'SELECT 1' }
    const tile = (name: string, changes: object) => lineTile(undefined, { name, config: { ...config, ...changes } })
    const { id, tiles } = await createDashboard(stack, [
      tile('table', { displayType: 'table' }),
      tile('line', { displayType: 'line' }),
      tile('watchable', { displayType: 'line', sqlTemplate: 'SELECT $__timeInterval(Timestamp)' }),
      tile('number', { displayType: 'number' }),
    ])
    const on = async (name: string) => {
      const tileId = tiles.find((tile: { name: string }) => tile.name === name).id
      const answer = await create({ dashboardId: id, tileId })
      return answer.status === 200 ? 'accepted' : answer.json.message
    }
    expect(await on('table')).toMatch(/^Alerts on Raw SQL tiles are only supported for Line/)
    expect(await on('line')).toMatch(/^Raw SQL alert query is invalid/)
    expect(await on('watchable')).toBe('accepted')
    expect(await on('number')).toBe('accepted')
  })
})

describe('replaced alert', () => {
  const put = async (before: object, changes: object) => {
    const { data } = (await create(before)).json
    const answer = await stack.openSource('PUT', `/alerts/${data.id}`, tileAlert(stack, dashboard, changes))
    expect(answer.status).toBe(200)
    return { before: data, after: answer.json.data }
  }

  test('keeps its identity and clears omitted fields', async () => {
    const first = { note: 'n', numConsecutiveWindows: 3 }
    const { before, after } = await put(first, { name: undefined, message: undefined })
    expect(after).toMatchObject({ name: null, message: null, note: null, numConsecutiveWindows: null })
    expect(after).toMatchObject({ id: before.id, createdAt: before.createdAt, state: before.state })
    expect(after.updatedAt >= before.updatedAt).toBe(true)
  })

  test('keeps an omitted upper threshold and schedule', async () => {
    const first = { thresholdType: 'between', thresholdMax: 200, scheduleOffsetMinutes: 2 }
    const { after } = await put(first, { thresholdType: 'above' })
    expect(after).toMatchObject({ thresholdType: 'above', thresholdMax: 200, scheduleOffsetMinutes: 2 })
  })

  test('clears the offset with the start time', async () => {
    const startAt = currentIsoTime()
    const kept = await put({ scheduleStartAt: startAt }, {})
    expect(kept.after).toMatchObject({ scheduleStartAt: startAt, scheduleOffsetMinutes: 0 })
    const cleared = await put({ scheduleOffsetMinutes: 2 }, { scheduleStartAt: null })
    expect(cleared.after).toMatchObject({ scheduleStartAt: null, scheduleOffsetMinutes: 0 })
  })

  test('accepts what was read, on the open-source variant', async () => {
    const { data } = (await create()).json
    const { json } = await stack.openSource('PUT', `/alerts/${data.id}`, data)
    expect(json.data).toEqual({ ...data, updatedAt: json.data.updatedAt })
  })
})

test('lists return alerts in the order of creation, page by page', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const before = (await stack.openSource('GET', '/alerts')).json.meta.total
  for (const name of names) await create({ name })
  const page = await stack.openSource('GET', `/alerts?limit=3&offset=${before + 1}`)
  expect(page.json.data.map((alert: { name: string }) => alert.name)).toEqual(['b', 'c', 'd'])
  expect(page.json.meta).toEqual({ total: before + 5, limit: 3, offset: before + 1 })
  expect(page.headers.get('x-total-count')).toBe(String(before + 5))
  const managed = await stack.managed('GET', `/alerts?limit=3&offset=${before + 1}`)
  expect(managed.json.result).toEqual(page.json.data)
  expect(managed.json).not.toHaveProperty('meta')
})

test('a deleted alert does not exist any longer, on either variant', async () => {
  const first = (await create()).json.data.id
  const second = (await create()).json.data.id
  expect((await stack.openSource('DELETE', `/alerts/${first}`)).json).toEqual({})
  expect((await stack.managed('DELETE', `/alerts/${second}`)).json).toEqual({
    status: 200,
    requestId: expect.anything(),
  })
  expect((await stack.openSource('GET', `/alerts/${first}`)).status).toBe(404)
  expect((await stack.managed('DELETE', `/alerts/${second}`)).json).toMatchObject({
    status: 404,
    error: 'NOT_FOUND: Alert not found',
  })
})
