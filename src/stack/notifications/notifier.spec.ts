/** Deliveries that the notifier sends, repeats, gives up and records. */
import { describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { eventIdOf, idempotencyKeyOf } from '../alerting/eventKeys.ts'
import { webhookGuard } from '../net/webhookAddress.ts'
import { event, grouped, notifierScene, start } from '../testing/notifierScene.ts'
import { startReceiver, statuses, type TestReceiver } from '../testing/testReceiver.ts'

const scene = notifierScene()
const { notifier, addWebhook, addAlert, put, deliveries, ended, errors, waiting } = scene

describe('delivery', () => {
  test.each([
    ['generic', {}],
    ['incidentio', {}],
    ['slack', {}],
  ] as const)('of %s is exactly its payload, and recorded without secrets', async (service, changes) => {
    const webhookId = await addWebhook({ service, url: `${scene.receiver.url}/services/secret-token`, ...changes })
    const alert = await addAlert([webhookId], { name: 'High {{value}}' })
    await put(alert, event(alert))
    await notifier()
    const [delivery] = await ended(alert)
    const link =
      `https://console.example/dashboards/${alert.dashboardId}?from=${start - 2_100_000}&granularity=5m` +
      `&to=${start + 2_400_000}&highlightedTileId=errors`
    const message = `12 meets or exceeds 10\\nTime Range (UTC): [Nov 5 1:04:00 PM - Nov 5 1:09:00 PM)`
    const eventId = eventIdOf(webhookId, event(alert))
    const expected = {
      generic: `{"text": "🚨 High 12 | ${message} | ${link} | ALERT | ${start} | ${start + 300_000} | ${eventId}"}`,
      incidentio: `{"title":"🚨 High 12","description":"${message}","deduplication_key":"${eventId}","status":"firing","source_url":"${link}"}`,
      slack: `{"text":"🚨 High 12","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"*<${link} | 🚨 High 12>*\\n${message}"}}]}`,
    }
    expect(scene.receiver.requests.map(({ body }) => body)).toEqual([expected[service]])
    expect(eventId).toMatch(/^[0-9a-f]{40}$/)
    const key = service === 'slack' ? undefined : idempotencyKeyOf(eventId, event(alert))
    expect(scene.receiver.requests[0]?.headers['idempotency-key']).toBe(key)
    expect(delivery).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      alertId: alert.id,
      webhookId,
      webhookName: expect.stringMatching(/^Hook/),
      service,
      url: `${scene.receiver.url}/****`,
      state: 'ALERT',
      value: 12,
      start,
      end: start + 300_000,
      title: '🚨 High 12',
      status: 'delivered',
      attempts: [
        {
          at: expect.any(String),
          reason: 'The receiver answered 200.',
          status: 200,
          answer: 'ok',
          duration: expect.any(Number),
        },
      ],
      attemptCount: 1,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(JSON.stringify(await scene.stack.store.rows('SELECT * FROM alert_deliveries'))).not.toContain('secret-token')
    expect(await waiting()).toBe(0)
  })

  test('is repeated after 429, 500 and a timeout, with the same key', async () => {
    const answers = statuses(429, 500)
    scene.receiver.answer = (request, response, at) => (at === 3 ? undefined : answers(request, response, at))
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    const counted: string[] = []
    await notifier({
      timeout: 1000,
      retryDelays: [10, 10, 10],
      count: (service, status) => counted.push(`${service} ${status}`),
    })
    const [delivery] = await ended(alert)
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 4 })
    expect(delivery?.attempts.map(({ reason }) => reason)).toEqual([
      'The receiver answered 429.',
      'The receiver answered 500.',
      'The receiver did not answer within 1 s.',
      'The receiver answered 200.',
    ])
    expect(new Set(scene.receiver.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(scene.receiver.requests.map(({ body }) => body)).size).toBe(1)
    expect(counted).toEqual(['generic delivered'])
  })

  test('is put back for a time in whole milliseconds, which PostgreSQL needs', async () => {
    scene.receiver.answer = statuses(500)
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    await notifier({ retryDelays: [60_001] })
    await expect.poll(async () => (await deliveries(alert))[0]?.nextAttemptAt).toBeDefined()
    const [row] = await scene.stack.store.rows('SELECT due_at FROM alert_outbox')
    expect(Number.isInteger(row?.['due_at'])).toBe(true)
  })

  test('is sent although the clock was set back since it was put into the outbox, and while the notifier runs', async () => {
    let now = currentTime()
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    await scene.stack.store.run('UPDATE alert_outbox SET created_at = ?1, due_at = ?1', [now + 6 * 3_600_000])
    await notifier({ now: () => now })
    expect(await ended(alert)).toMatchObject([{ status: 'delivered' }])
    now -= 6 * 3_600_000
    const another = await addAlert([await addWebhook()])
    await put(another, event(another))
    expect(await ended(another)).toMatchObject([{ status: 'delivered' }])
  })

  test('is not given up for hours that the clock skipped', async () => {
    const day = 24 * 3_600_000
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    await notifier({
      now: () => currentTime() + day,
      clock: { skippedSince: () => day, deletionLag: () => day },
    })
    expect(await ended(alert)).toMatchObject([{ status: 'delivered' }])
  })

  test('waits as long as the receiver asks', async () => {
    scene.receiver.answer = (_, response, at) => response.writeHead(at === 1 ? 429 : 200, { 'retry-after': '60' }).end()
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    let now = currentTime()
    await notifier({ now: () => now, retryDelays: [1] })
    await expect.poll(async () => (await deliveries(alert))[0]?.nextAttemptAt).toBeDefined()
    const [{ nextAttemptAt = '' } = {}] = await deliveries(alert)
    expect(Date.parse(nextAttemptAt) - now).toBe(60_000)
    now += 59_999
    await expect.poll(async () => (await deliveries(alert))[0]?.attemptCount).toBe(1)
    now += 1
    expect(await ended(alert)).toMatchObject([{ status: 'delivered', attemptCount: 2 }])
  })

  test.each([
    [statuses(404, 404), 1, 'The receiver answered 404.'],
    [statuses(500, 500, 500, 500), 3, 'The receiver answered 500.'],
    [
      ((_, response) => response.writeHead(302, { location: '/other' }).end()) satisfies TestReceiver['answer'],
      1,
      'The receiver answered 302. Redirects are not followed.',
    ],
  ])('is given up', async (answer, attempts, reason) => {
    scene.receiver.answer = answer
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    await notifier()
    const [delivery] = await ended(alert)
    expect(delivery).toMatchObject({ status: 'failed', attemptCount: attempts, finishedAt: expect.any(String) })
    expect(delivery?.attempts.at(-1)?.reason).toBe(reason)
    expect(scene.receiver.requests).toHaveLength(attempts)
    expect(await waiting()).toBe(0)
  })

  test('fails for a private address, a missing webhook and an invalid body', async () => {
    const ids = [
      await addWebhook({ url: 'http://10.0.0.1/' }),
      await addWebhook({ url: 'http://name.example:1/' }),
      'f'.repeat(24),
      await addWebhook({ body: '{{#if}}' }),
    ]
    const alert = await addAlert(ids)
    await put(alert, event(alert))
    await notifier({ guard: webhookGuard({ allowed: [], own: [] }, async () => ['192.168.0.1']) })
    const reasons = (await ended(alert)).map(({ status, attempts }) => [status, attempts[0]?.reason]).toReversed()
    expect(reasons).toEqual([
      ['failed', 'Webhook URL resolves to a private or reserved address.'],
      ['failed', 'Webhook URL resolves to a private or reserved address.'],
      ['failed', 'The webhook does not exist.'],
      ['failed', expect.stringMatching(/^Body template: Parse error on line 1/)],
    ])
    expect(await errors(alert)).toHaveLength(4)
  })

  test('to receivers that answer does not wait for those that hang', async () => {
    const [slow, live] = [await startReceiver(), scene.receiver]
    slow.answer = () => undefined
    const dead: string[] = []
    for (let at = 0; at < 40; at++) dead.push(await addWebhook({ url: `${slow.url}/${at}` }))
    const alive = await addWebhook()
    const alerts = [await addAlert(dead), await addAlert([alive])] as const
    await put(alerts[1], event(alerts[1]))
    const sender = await notifier({ timeout: 60_000 })
    await ended(alerts[1])
    await put(alerts[0], ...Array.from({ length: 5 }, (_, at) => grouped(alerts[0], `s${at}`)))
    await expect.poll(() => slow.requests.length).toBe(32)
    await put(alerts[1], ...Array.from({ length: 20 }, (_, at) => grouped(alerts[1], `s${at}`)))
    sender.wake()
    await ended(alerts[1])
    expect(live.requests).toHaveLength(21)
    expect(slow.requests).toHaveLength(32)
    await slow.close()
  })

  test('keeps the order of a group', async () => {
    const seen: string[] = []
    scene.receiver.answer = ({ body }, response, at) => {
      seen.push(body)
      response.writeHead(at <= 2 ? 500 : 200).end()
    }
    const alert = await addAlert([await addWebhook({ body: '{{groupKey}} {{state}}' })])
    await put(alert, grouped(alert, 'a'))
    await put(alert, grouped(alert, 'a', { state: 'OK', start: start + 300_000, end: start + 600_000 }))
    await notifier()
    await ended(alert)
    expect(seen).toEqual(['service:a ALERT', 'service:a ALERT', 'service:a ALERT', 'service:a OK'])
  })

  test('has sample rows, and is sent without them if they cannot be read', async () => {
    const alert = await addAlert([await addWebhook({ body: '{{body}}' })])
    await put(alert, grouped(alert, 'a'), grouped(alert, 'b'))
    await notifier({
      sampleRows: async (_, { group }) => {
        if (group?.['service'] === 'b') throw new Error('the engine is busy')
        return [['first', 1]]
      },
    })
    await ended(alert)
    const bodies = scene.receiver.requests.map(({ body }) => body).toSorted()
    expect(bodies[0]).toMatch(/^Group: \\"service:a\\".*\\n```\\nfirst,1\\n```$/)
    expect(bodies[1]).toMatch(/^Group: \\"service:b\\".*PM\)$/)
  })
})

test.each(['generic', 'slack'] as const)('a stop in the middle of a request to %s fails nothing', async (service) => {
  scene.receiver.answer = () => undefined
  const alert = await addAlert([await addWebhook({ service })])
  await put(alert, event(alert))
  const stopped = await notifier({ shutdownTime: 50 })
  await expect.poll(() => scene.receiver.requests.length).toBe(1)
  await stopped.close()
  expect(await deliveries(alert)).toMatchObject([{ status: 'pending', attemptCount: 0 }])
  scene.receiver.answer = (_, response) => response.end('ok')
  await notifier()
  expect(await ended(alert)).toMatchObject([{ status: 'delivered' }])
})
