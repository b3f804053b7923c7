/** The messages of an alert's test where a part of it fails. */
import { expect, test } from 'vitest'
import { bodyTemplates } from '#domain/alerting/receivers/bodyTemplates.ts'
import type { NotificationInput } from '#domain/alerting/notification/notified.ts'
import { createRenderer, RendererBusy } from '#node/notifications/renderer.ts'
import { webhookGuard } from '../net/webhookAddress.ts'
import { event, notifierScene } from '../testing/notifierScene.ts'
import { testNotification, type TestEntry } from './alertTest.ts'
import { createSender } from './webhookSender.ts'

const scene = notifierScene()
const pagerDuty = (bodyTemplates.pagerduty ?? '').replace('"routing_key": ""', '"routing_key": "R-1"')
const guard = webhookGuard({ allowed: ['127.0.0.1'], own: [] }, async () => [])
const actions = () => scene.receiver.requests.map(({ body }) => (/"event_action": "(\w+)"/.exec(body) ?? [])[1])

/** @param before what happens before a notification is rendered */
async function tested(
  ids: string[],
  signal: AbortSignal,
  before: (entry: TestEntry, count: number) => void = () => {},
) {
  const alert = await scene.addAlert(ids)
  const renderer = createRenderer()
  let [count, waiting, most] = [0, 0, 0]
  const render = async (entry: TestEntry, { service, body }: Pick<NotificationInput, 'service' | 'body'>) => {
    before(entry, ++count)
    most = Math.max(most, ++waiting)
    const { eventId } = entry
    const input = {
      alert,
      event: entry.event,
      watched: { name: 'Shop' },
      samples: [],
      consoleUrl: 'https://console.example',
    }
    return renderer.render({ ...input, eventId, service, body }).finally(() => waiting--)
  }
  const parts = { store: scene.stack.store, render, send: createSender({ guard }) }
  try {
    const { deliveries } = await testNotification(parts, alert, event(alert), signal)
    return { deliveries, most }
  } finally {
    await renderer.close()
  }
}
const unending = new AbortController().signal

test('a renderer that is busy fails one delivery, and the others are told', async () => {
  const ids = [await scene.addWebhook(), await scene.addWebhook({ body: pagerDuty }), await scene.addWebhook()]
  const { deliveries, most } = await tested(ids, unending, ({ event: { state } }) => {
    if (state === 'OK') throw new RendererBusy()
  })
  expect(deliveries.map(({ delivered }) => delivered)).toEqual([true, false, true])
  expect(deliveries[1]?.reason).toBe('Too many templates are being rendered. Try again later.')
  // An incident that could not be ended is not opened.
  expect(actions().filter((action) => action !== undefined)).toEqual([])
  expect(most).toBe(1)
})

test('an incident is ended though the test is ended early', async () => {
  const early = new AbortController()
  scene.receiver.answer = ({ body }, response) => {
    if (body.includes('"trigger"')) early.abort()
    else response.end('ok')
  }
  const { deliveries } = await tested([await scene.addWebhook({ body: pagerDuty })], early.signal)
  expect(actions()).toEqual(['trigger', 'resolve'])
  expect(deliveries).toMatchObject([{ delivered: false }])
})
