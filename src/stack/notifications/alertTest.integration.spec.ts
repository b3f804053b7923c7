/** Tests of alerts from the query to the receiver: a real engine, and a real receiver. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bodyTemplates } from '#domain/alerting/receivers/bodyTemplates.ts'
import { alertTestResult } from '#contract/stack/alertTests.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { alertRows } from '../documents/alertRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import { addressPolicy, webhookGuard } from '../net/webhookAddress.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { tables } from '../telemetry/tables.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { startReceiver, type TestReceiver } from '../testing/testReceiver.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { sourceRows } from '../resources/sources.ts'

const rules = { allowed: ['127.0.0.1'], own: [] }
const resolve = async () => []
let engine: Engine
let stack: TestStack
let receiver: TestReceiver
const sourceId = 'd'.repeat(24)

beforeAll(async () => {
  ;[engine, receiver] = await Promise.all([temporaryEngine(), startReceiver()])
  stack = await startTestStack({
    engine,
    webhookAddresses: addressPolicy(rules, resolve),
    notifications: { guard: webhookGuard(rules, resolve) },
  })
  const logs = defaultSources().find(({ kind }) => kind === 'log')
  if (!logs) throw new Error('Every stack has a source of logs')
  await stack.store.write((transaction) => sourceRows.insert(transaction, { ...logs, id: sourceId }))
  // Each window of the last half hour has three errors of one service, and one of another.
  const now = Math.floor(currentTime() / 1000)
  const rows = Array.from({ length: 120 }, (_, at) => ({
    Timestamp: `${now - at * 15}.000000000`,
    ServiceName: at % 4 === 0 ? 'cart' : 'checkout',
    SeverityText: 'ERROR',
    Body: `Payment ${at} failed`,
  }))
  await engine.insert(tables.logs, rows)
})
afterAll(async () => {
  await stack.close()
  await Promise.all([engine.close(), receiver.close()])
})
beforeEach(() => {
  receiver.requests.splice(0)
  receiver.answer = (_, response) => response.end('ok')
})

let count = 0
const hook = async (more: object = {}) => {
  const body = { name: `Hook ${++count}`, service: 'generic', url: `${receiver.url}/hook/secret-token`, ...more }
  return String((await stack.openSource('POST', '/webhooks', body)).json.data.id)
}
const search = async (more: object = {}) => {
  const body = {
    name: `Errors ${++count}`,
    sourceId,
    select: '',
    where: 'SeverityText:ERROR',
    whereLanguage: 'lucene',
    orderBy: '',
    tags: [],
    filters: [],
    ...more,
  }
  return String((await stack.openSource('POST', '/saved-searches', body)).json.data.id)
}
const alertOn = async (webhookId: string, more: object = {}) => ({
  source: 'saved_search',
  savedSearchId: await search(),
  interval: '1m',
  threshold: 2,
  thresholdType: 'above',
  channels: [{ type: 'webhook', webhookId }],
  ...more,
})
const create = async (alert: object) => String((await stack.openSource('POST', '/alerts', alert)).json.data.id)
const run = async (body: object, variant: 'openSource' | 'managed' = 'openSource') => {
  const { status, json } = await stack[variant]('POST', '/alerts/test', body)
  expect([status, json.message]).toEqual([200, undefined])
  return alertTestResult.parse(variant === 'managed' ? json.result : json.data)
}

test.each(['openSource', 'managed'] as const)('a stored alert goes the whole way: %s', async (variant) => {
  const webhookId = await hook({ body: '{"t":"{{title}}","v":{{value}},"s":"{{status}}","b":"{{body}}"}' })
  const id = await create(await alertOn(webhookId))
  const before = await alertRows.get(stack.store, id)
  const { query, condition, message, deliveries } = await run({ alertId: id }, variant)
  expect(query).toMatchObject({ value: 4, windows: 1, noRows: false, duration: expect.any(Number) })
  expect(condition).toEqual({
    state: 'ALERT',
    text: 'The value is 4, and the alert fires when it is at least 2: the alert fires.',
  })
  expect(message?.title).toMatch(/^Test: Alert for "Errors \d+" - 4 lines found$/)
  expect(message?.body).toMatch(/^This is a test of the alert, which somebody sent by hand\.\n4 lines found/)
  expect(deliveries).toEqual([
    {
      webhookId,
      webhookName: expect.stringMatching(/^Hook/),
      service: 'generic',
      url: `${receiver.url}/****`,
      delivered: true,
      status: 200,
      reason: 'The receiver answered 200.',
      answer: 'ok',
      duration: expect.any(Number),
    },
  ])
  const [request] = receiver.requests
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ v: 4, s: 'firing', t: message?.title })
  expect(receiver.requests).toHaveLength(1)
  // Nothing of it is stored.
  expect(await alertRows.get(stack.store, id)).toEqual(before)
  for (const path of ['deliveries', 'evaluations', 'history'])
    expect((await stack.openSource('GET', `/alerts/${id}/${path}`)).json.data).toEqual([])
})

test('values of a tile with a number format are written in it, and the title as on all deployments', async () => {
  const tile = {
    name: 'Errors',
    x: 0,
    y: 0,
    w: 6,
    h: 3,
    config: {
      displayType: 'line',
      sourceId,
      select: [{ aggFn: 'count', where: 'SeverityText:ERROR', whereLanguage: 'lucene' }],
      numberFormat: { output: 'byte', numericUnit: 'gibibytes' },
    },
  }
  const dashboard = (await stack.openSource('POST', '/dashboards', { name: 'Shop', tiles: [tile], tags: [] })).json.data
  const { savedSearchId: _, ...alert } = await alertOn(await hook(), {
    source: 'tile',
    dashboardId: dashboard.id,
    tileId: dashboard.tiles[0].id,
  })
  const { condition, message } = await run({ alert })
  expect(condition?.text).toBe('The value is 4 GiB, and the alert fires when it is at least 2 GiB: the alert fires.')
  expect(message?.title).toBe('Test: Alert for "Errors" in "Shop" - 4 meets or exceeds 2')
  expect(message?.body).toMatch(/\n4 meets or exceeds 2\nTime Range .*\nValue: 4 GiB, threshold: 2 GiB$/)
})

test('what is typed is tested, by group, and says what does not fire', async () => {
  const webhookId = await hook()
  const alert = { ...(await alertOn(webhookId)), groupBy: 'ServiceName', threshold: 3 }
  const grouped = await run({ alert })
  expect(grouped.query).toMatchObject({
    value: 3,
    groupsTotal: 2,
    groups: [
      { group: 'ServiceName:checkout', value: 3, state: 'ALERT' },
      { group: 'ServiceName:cart', value: 1, state: 'OK' },
    ],
  })
  expect(receiver.requests[0]?.body).toContain('ServiceName:checkout')
  const quiet = await run({ alertId: await create(alert), alert: { ...alert, threshold: 100 } })
  expect(quiet.condition).toMatchObject({ state: 'OK', text: expect.stringMatching(/the alert does not fire\.$/) })
  expect(quiet.message?.body).toContain('The alert does not fire at this value.')
  expect(quiet.message?.body).toContain('falls below the threshold of 100 lines')
  const pending = await run({ alert: { ...alert, numConsecutiveWindows: 3 } })
  expect(pending.query.windows).toBe(3)
  expect(pending.condition?.state).toBe('ALERT')
})

test('an incident that a test opens is ended', async () => {
  const webhookId = await hook({ body: bodyTemplates.pagerduty })
  const { deliveries } = await run({ alert: await alertOn(webhookId) })
  expect(deliveries).toMatchObject([{ delivered: true, resolved: true }])
  const events = receiver.requests.map(({ body }) => JSON.parse(body))
  expect(events).toMatchObject([{ event_action: 'trigger' }, { event_action: 'resolve' }])
  expect(events[0].dedup_key).toBe(events[1].dedup_key)
  expect(events[0].payload.summary).toMatch(/^Test: /)
  await run({ alert: await alertOn(webhookId) })
  expect(JSON.parse(receiver.requests[2]?.body ?? '').dedup_key).not.toBe(events[0].dedup_key)
})

test('says at which step it stops', async () => {
  const webhookId = await hook()
  receiver.answer = (_, response) => response.writeHead(403).end('no such token: secret-token')
  const refused = await run({ alert: await alertOn(webhookId) })
  expect(refused.deliveries).toMatchObject([{ delivered: false, status: 403, answer: 'no such token: ****' }])
  expect(receiver.requests).toHaveLength(1)

  const savedSearchId = await search()
  const stored = await savedSearchRows.get(stack.store, savedSearchId)
  if (!stored) throw new Error('It was just created')
  await stack.store.write((transaction) =>
    savedSearchRows.update(transaction, { ...stored, where: 'nowhere(', whereLanguage: 'sql' }),
  )
  expect(await run({ alert: await alertOn(webhookId, { savedSearchId }) })).toEqual({
    query: { error: { type: 'QUERY_ERROR', message: expect.stringMatching(/condition/) } },
  })

  const grouped = await run({
    alert: await alertOn(webhookId, { savedSearchId: await search({ where: 'Body:nothing' }), groupBy: 'ServiceName' }),
  })
  expect(grouped).toMatchObject({
    query: { noRows: true },
    condition: { state: 'OK', text: expect.stringMatching(/^No row matched/) },
  })
  expect(grouped.deliveries).toBeUndefined()
  expect(receiver.requests).toHaveLength(1)
})

test('refuses what cannot be tested', async () => {
  const post = (body: object) => stack.openSource('POST', '/alerts/test', body)
  expect(await post({})).toMatchObject({ status: 400 })
  expect(await post({ alertId: 'f'.repeat(24) })).toMatchObject({ status: 404 })
  expect(await post({ alert: await alertOn('f'.repeat(24)) })).toMatchObject({
    status: 400,
    json: { message: 'Webhook not found' },
  })
})
