/** Templates that are made to end the stack, in every stored text that a notification is rendered from. */
import { expect, test } from 'vitest'
import { event, notifierScene } from '../testing/notifierScene.ts'
import { templateBombs } from '../testing/templates/templateBombs.ts'

const { notifier, addWebhook, addAlert, put, deliveries, ended, waiting } = notifierScene()

const maxName = 512

test('bombs in names, messages and bodies hold up no other notification', async () => {
  const hook = await addWebhook()
  const { wake } = await notifier()
  for (const { name, template } of templateBombs) {
    const alerts = [
      await addAlert([hook], { message: template }),
      await addAlert([await addWebhook({ body: template })]),
      ...(template.length > maxName ? [] : [await addAlert([hook], { name: template })]),
    ]
    for (const alert of alerts) await put(alert, event(alert))
    wake()
    await expect.poll(waiting, { message: name }).toBe(0)
    for (const alert of alerts) expect(await deliveries(alert)).not.toEqual([])
  }
  const healthy = await addAlert([hook], { name: 'Healthy' })
  await put(healthy, event(healthy))
  wake()
  expect(await ended(healthy)).toMatchObject([{ status: 'delivered', title: '🚨 Healthy' }])
})
