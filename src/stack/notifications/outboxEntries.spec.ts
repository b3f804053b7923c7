/** The outbox: one entry for each event and channel, and when an entry is sent, set aside or dropped. */
import { describe, expect, test } from 'vitest'
import { createRenderer, type Renderer } from '#node/notifications/renderer.ts'
import { enqueue } from '../alerting/outbox.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { alertRows } from '../documents/alertRows.ts'
import { event, notifierScene, start } from '../testing/notifierScene.ts'
import { statuses } from '../testing/testReceiver.ts'

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
    expect(new Set(failed.map(({ webhookId }) => webhookId))).toEqual(new Set(['@mentions', webhookId]))
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
