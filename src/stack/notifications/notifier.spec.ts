/** Deliveries that the notifier sends, repeats, gives up and records. */
import { describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { createRenderer, type Renderer } from '#node/notifications/renderer.ts'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { eventIdOf, idempotencyKeyOf } from '../alerting/eventKeys.ts'
import { enqueue } from '../alerting/outbox.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { alertRows } from '../documents/alertRows.ts'
import { webhookGuard } from '../net/webhookAddress.ts'
import { event, grouped, notifierScene, start } from '../testing/notifierScene.ts'
import { startReceiver, statuses, type TestReceiver } from '../testing/testReceiver.ts'

const scene = notifierScene()
const { notifier, addWebhook, addAlert, put, deliveries, ended, errors, waiting } = scene

describe('outbox', () => {
  test('has one entry for each event and channel, however often it is enqueued', async () => {
    const alert = await addAlert([await addWebhook(), await addWebhook()])
    await put(alert, event(alert), event(alert))
    await put(alert, event(alert))
    expect(await waiting()).toBe(2)
    await notifier()
    await ended(alert)
    await put(alert, event(alert))
    expect(await waiting()).toBe(0)
    expect(scene.receiver.requests).toHaveLength(2)
    await put(alert, event(alert, { state: 'OK' }))
    expect(await waiting()).toBe(2)
  })

  test('is written in the transaction of its caller', async () => {
    const alert = await addAlert([await addWebhook()])
    const failing = scene.stack.store.write(async (transaction) => {
      await enqueue(transaction, alert, [event(alert)])
      throw new Error('the pass fails')
    })
    await expect(failing).rejects.toThrow('the pass fails')
    expect(await waiting()).toBe(0)
    expect(await deliveries(alert)).toEqual([])
  })
})

describe('an entry', () => {
  /** Renders nothing for one alert, as if the process ended meanwhile. */
  const failingFor = (alert: AlertDocument): Renderer => {
    const renderer = createRenderer()
    return {
      render: (input) => (input.alert.id === alert.id ? Promise.reject(new Error('ended')) : renderer.render(input)),
      prepare: () => renderer.prepare(),
      close: () => renderer.close(),
    }
  }

  test('is set aside after three attempts that did not end, and delays no other', async () => {
    const webhookId = await addWebhook()
    const [poisoned, sound] = [await addAlert([webhookId], { message: '@webhook-Hook' }), await addAlert([webhookId])]
    await put(poisoned, event(poisoned))
    for (let at = 0; at < 3; at++) {
      const sender = await notifier({ renderer: failingFor(poisoned) })
      const attempts = async () => {
        const rows = await scene.stack.store.rows('SELECT unfinished FROM alert_outbox')
        return rows.map(({ unfinished }) => Number(unfinished))
      }
      await expect.poll(attempts).toEqual([at + 1, at + 1])
      const next = { start: start + at * 300_000, end: start + (at + 1) * 300_000 }
      await put(sound, event(sound, next))
      sender.wake()
      await ended(sound)
      await sender.close()
    }
    expect(scene.receiver.requests).toHaveLength(3)
    await notifier()
    const failed = await ended(poisoned)
    expect(new Set(failed.map((one) => one.webhookId))).toEqual(new Set(['@mentions', webhookId]))
    for (const { status, attempts } of failed) {
      expect(status).toBe('failed')
      expect(attempts[0]?.reason).toMatch(/^Set aside after 3 attempts during which the stack ended/)
    }
    expect(await errors(poisoned)).toHaveLength(2)
    expect(scene.receiver.requests).toHaveLength(3)
    expect(await waiting()).toBe(0)
  })

  test.each([
    ['the alert in its entry', `UPDATE alert_outbox SET alert = '{"id":' WHERE alert LIKE '%damaged%'`],
    ['the event in its entry', `UPDATE alert_outbox SET event = 'null' WHERE alert LIKE '%damaged%'`],
    ['its webhook', `UPDATE webhooks SET document = substr(document, 1, 9) WHERE document LIKE '%damaged%'`],
  ])('of which %s is damaged is set aside and shown, and all others are sent', async (_, statement) => {
    const [webhookId, damagedId] = [await addWebhook(), await addWebhook({ name: 'A damaged one' })]
    const damaged = await addAlert([damagedId], { name: 'damaged' })
    await put(damaged, event(damaged))
    await scene.stack.store.run(statement)
    const sound = await Promise.all(Array.from({ length: 5 }, () => addAlert([webhookId])))
    for (const alert of sound) await put(alert, event(alert))
    await notifier()
    for (const alert of sound) expect(await ended(alert)).toMatchObject([{ status: 'delivered' }])
    const reason = expect.stringMatching(/^Not sent: The record \w+ of the table \w+ is damaged and cannot be read\./)
    expect(await ended(damaged)).toMatchObject([{ status: 'failed', attempts: [{ reason }] }])
    expect(await errors(damaged)).toEqual([expect.stringContaining('is damaged and cannot be read')])
    await expect.poll(waiting).toBe(0)
  })

  test('for mentions that is damaged is shown on its alert', async () => {
    const alert = await addAlert([await addWebhook()], { message: '@webhook-Hook' })
    await put(alert, event(alert))
    await scene.stack.store.run(`UPDATE alert_outbox SET alert = '{' WHERE webhook_id IS NULL`)
    await notifier()
    await expect.poll(() => errors(alert)).toEqual([expect.stringContaining('is damaged and cannot be read')])
    await expect.poll(waiting).toBe(0)
  })

  test('is sent once although the record of its delivery is damaged', async () => {
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    await scene.stack.store.run(`UPDATE alert_deliveries SET document = '{'`)
    const sender = await notifier()
    await expect.poll(waiting).toBe(0)
    await sender.close()
    expect(scene.receiver.requests).toHaveLength(1)
    expect(await deliveries(alert)).toEqual([])
  })

  test('with unfinished attempts waits until the pause of its receiver is over', async () => {
    const webhookId = await addWebhook()
    const [first, second] = [await addAlert([webhookId]), await addAlert([webhookId])]
    const other = await addAlert([await addWebhook()])
    scene.receiver.answer = statuses(503, 200)
    await put(first, event(first))
    const sender = await notifier({ retryDelays: [3_600_000] })
    await expect.poll(async () => (await deliveries(first))[0]?.attemptCount).toBe(1)
    for (const alert of [second, other]) await put(alert, event(alert))
    await scene.stack.store.run('UPDATE alert_outbox SET unfinished = 1')
    sender.wake()
    // The second one is older than what is sent here.
    expect(await ended(other)).toMatchObject([{ status: 'delivered' }])
    await sender.close()
    expect(await deliveries(second)).toMatchObject([{ status: 'pending', attemptCount: 0 }])
    expect(scene.receiver.requests).toHaveLength(2)
  })

  test('that was rendered starts counting again', async () => {
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    await scene.stack.store.run('UPDATE alert_outbox SET unfinished = 2')
    scene.receiver.answer = statuses(500)
    await notifier({ retryDelays: [3_600_000] })
    await expect.poll(async () => (await deliveries(alert))[0]?.attemptCount).toBe(1)
    expect(await scene.stack.store.rows('SELECT unfinished FROM alert_outbox')).toEqual([{ unfinished: 0 }])
  })

  test('of an alert that was deleted is not sent', async () => {
    const alert = await addAlert([await addWebhook()], { message: '@webhook-Hook' })
    await put(alert, event(alert))
    expect(await waiting()).toBe(2)
    await alertRows.delete(scene.stack.store, alert.id)
    await notifier()
    await expect.poll(waiting).toBe(0)
    expect(scene.receiver.requests).toEqual([])
  })

  test.each([
    ['{{#each @root}}{{this}}{{/each}} for a@b.example', 1],
    ['{{#if value}}@webhook-{{attributes.team}}{{/if}}', 2],
  ])('for mentions is there only if the message mentions somebody: %s', async (message, count) => {
    const alert = await addAlert([await addWebhook()], { message })
    await put(alert, event(alert))
    expect(await waiting()).toBe(count)
  })
})

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
      timeout: 200,
      retryDelays: [10, 10, 10],
      count: (service, status) => counted.push(`${service} ${status}`),
    })
    const [delivery] = await ended(alert)
    expect(delivery).toMatchObject({ status: 'delivered', attemptCount: 4 })
    expect(delivery?.attempts.map(({ reason }) => reason)).toEqual([
      'The receiver answered 429.',
      'The receiver answered 500.',
      'The receiver did not answer within 0.2 s.',
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

describe('summary', () => {
  const body = '{{state}} {{title}} {{groupKey}} {{eventId}}'
  const many = (alert: AlertDocument, names: number, changes: Partial<AlertEvent> = {}) =>
    Array.from({ length: names }, (_, at) => grouped(alert, `s${at}`, changes))
  const later = { state: 'OK' as const, start: start + 300_000, end: start + 600_000 }

  test('stands for more than 20 groups, and for their end once all are resolved', async () => {
    const alert = await addAlert([await addWebhook({ body })])
    await put(alert, grouped(alert, 'early'))
    await put(alert, ...many(alert, 21))
    await notifier()
    await ended(alert)
    expect(scene.receiver.requests).toHaveLength(2)
    expect(await deliveries(alert)).toMatchObject([{ groups: 21, title: expect.stringContaining('21 groups') }, {}])
    await put(alert, ...many(alert, 20, later))
    expect(await waiting()).toBe(0)
    await put(alert, grouped(alert, 's20', later), grouped(alert, 'early', later))
    await ended(alert)
    const bodies = scene.receiver.requests.map(({ body }) => body.replace(/ Alert for.*?- /, ' '))
    expect(bodies).toHaveLength(4)
    expect(bodies.filter((text) => text.startsWith('OK'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/21 groups/), expect.stringMatching(/service:early/)]),
    )
    const ids = bodies.filter((text) => text.includes('21 groups')).map((text) => text.split(' ').at(-1))
    expect(new Set(ids).size).toBe(1)
  })

  test('is not used for 20', async () => {
    const alert = await addAlert([await addWebhook({ body })])
    await put(alert, ...many(alert, 20))
    await notifier()
    await ended(alert)
    expect(scene.receiver.requests).toHaveLength(20)
  })
})

test('mentions send to further webhooks, by group', async () => {
  const channel = await addWebhook({ name: 'Default' })
  await addWebhook({ name: 'pay-oncall', url: `${scene.receiver.url}/pay` })
  const alert = await addAlert([channel], { message: '@webhook-{{attributes.team}} @webhook-Default @here' })
  await put(alert, event(alert, { groupKey: 'team:pay', group: { team: 'pay' } }))
  await notifier()
  await expect.poll(async () => (await deliveries(alert)).length).toBe(3)
  const all = await ended(alert)
  expect(scene.receiver.requests.map(({ url }) => url).toSorted()).toEqual(['/hook', '/pay'])
  expect(all.find(({ status }) => status === 'failed')?.attempts[0]?.reason).toBe(
    "The message mentions @here, which is no webhook. Use @webhook- and the beginning of a webhook's name.",
  )
  expect(await waiting()).toBe(0)
})

test('of more than 20 mentions, the rest is a failed delivery', async () => {
  const names = Array.from({ length: 23 }, (_, at) => `team-${String(at).padStart(2, '0')}`)
  for (const name of names) await addWebhook({ name, url: `${scene.receiver.url}/${name}` })
  const message = names.map((name) => `@webhook-${name}`).join(' ')
  const alert = await addAlert([await addWebhook({ name: 'Default' })], { message })
  await put(alert, event(alert))
  await notifier()
  await expect.poll(async () => (await deliveries(alert)).length).toBe(22)
  const all = await ended(alert)
  expect(scene.receiver.requests).toHaveLength(21)
  expect(all.filter(({ status }) => status === 'failed').map(({ attempts }) => attempts[0]?.reason)).toEqual([
    'The message mentions @webhook-team-20, which is not sent: a message notifies at most 20 mentions, and this one has 23.',
  ])
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

describe('send again', () => {
  const resend = (alert: AlertDocument, id: string) =>
    scene.stack.openSource('POST', `/alerts/${alert.id}/deliveries/${id}/resend`)

  test('continues a failed delivery with its key, and repeats a delivered one with another', async () => {
    scene.receiver.answer = statuses(400)
    const alert = await addAlert([await addWebhook()])
    await put(alert, event(alert))
    await notifier()
    const [failed] = await ended(alert)
    expect(failed?.status).toBe('failed')
    expect(await errors(alert)).toEqual([
      expect.stringMatching(/^The notification to webhook "Hook \d+" was not delivered\. .*400/),
    ])
    const again = await resend(alert, failed?.id ?? '')
    expect([again.status, again.json.data.status]).toEqual([200, 'pending'])
    const [delivered] = await ended(alert)
    expect(delivered).toMatchObject({ id: failed?.id, status: 'delivered', attemptCount: 2 })
    expect(await errors(alert)).toEqual([])
    const repeated = await resend(alert, failed?.id ?? '')
    expect(repeated.json.data.id).not.toBe(failed?.id)
    expect(await ended(alert)).toMatchObject([{ status: 'delivered', attemptCount: 1 }, { attemptCount: 2 }])
    const keys = scene.receiver.requests.map(({ headers }) => headers['idempotency-key'])
    expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false])
  })

  test('is refused for what is not there, and for what is still sent', async () => {
    const [alert, other] = [await addAlert([await addWebhook()]), await addAlert([await addWebhook()])]
    await put(alert, event(alert))
    const [pending] = await deliveries(alert)
    expect((await resend(alert, pending?.id ?? '')).status).toBe(409)
    expect((await resend(other, pending?.id ?? '')).json).toEqual({ message: 'Delivery not found' })
    expect((await resend(alert, 'f'.repeat(24))).status).toBe(404)
    expect((await scene.stack.openSource('GET', `/alerts/${'f'.repeat(24)}/deliveries`)).json).toEqual({
      message: 'Alert not found',
    })
  })
})
