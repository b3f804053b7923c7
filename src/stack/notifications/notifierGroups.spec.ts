/** Notifications of many groups, and deliveries that people send again. */
import { describe, expect, test } from 'vitest'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { event, grouped, notifierScene, start } from '../testing/notifierScene.ts'
import { statuses } from '../testing/testReceiver.ts'

const scene = notifierScene()
const { notifier, addWebhook, addAlert, put, deliveries, ended, errors, waiting } = scene

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
