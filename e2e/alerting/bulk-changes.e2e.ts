/** Changes of several alerts at once, and an alert that fires meanwhile. */
import type { Page } from '@playwright/test'
import { startReceiver } from '../../src/stack/testing/testReceiver.ts'
import { fillAlert, listOf, pick, rowOf } from './alertPages.ts'
import { expectNoViolations } from '../support/axe.ts'
import { chooseAction, connections, expect, openSource, test, unique } from '../support/test.ts'

test('changes the interval and the channels of selected alerts, and takes the changes back', async ({ page, api }) => {
  const stem = unique('Several')
  const [old, other] = [await api.createWebhook(unique('Old')), await api.createWebhook(unique('Other'))]
  const made = [await api.createAlert(`${stem} a`, [old.id]), await api.createAlert(`${stem} b`, [old.id])]
  const stored = async () => Promise.all(made.map(({ id }) => api.alert(id)))
  const intervals = async () => (await stored()).map(({ interval }) => interval)
  const channels = async () =>
    (await stored()).map(({ channels }) => (channels ?? []).map(({ webhookId }) => webhookId))
  await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(stem)}`)
  const dialog = page.getByRole('dialog')
  const open = async (action: string) => {
    await page.getByRole('checkbox', { name: 'Select all alerts' }).check()
    await page.getByRole('button', { name: action }).click()
    await expect(dialog.getByRole('button', { name: 'Change alerts' })).toBeDisabled()
  }
  const change = async () => {
    await dialog.getByRole('button', { name: 'Change 2 alerts' }).click()
    await expect(dialog).toHaveCount(0)
  }

  await open('Change interval')
  await pick(page, 'Interval', '1 hour')
  await expect(dialog.getByRole('list', { name: 'Plan' })).toContainText(`${stem} a`)
  await change()
  await expect.poll(intervals).toEqual(['1h', '1h'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(intervals).toEqual(['5m', '5m'])

  await open('Change channels')
  await pick(page, 'Webhook', other.name)
  await change()
  await expect.poll(channels).toEqual([
    [old.id, other.id],
    [old.id, other.id],
  ])
  await open('Change channels')
  await pick(page, 'Change', 'Replace a webhook')
  await pick(page, 'Current webhook', old.name)
  // Not by itself, and no alert has a channel twice.
  await page.getByRole('combobox', { name: 'New webhook' }).click()
  await expect(page.getByRole('option', { name: old.name })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await pick(page, 'Change', 'Remove a webhook')
  await pick(page, 'Webhook', old.name)
  await expectNoViolations(page, 'the removal of a channel from selected alerts')
  await change()
  await expect.poll(channels).toEqual([[other.id], [other.id]])
  for (const { id } of made) await api.deleteAlert(id)
})

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('an alert made here fires and notifies; meanwhile others are changed and moved in bulk', async ({
    page,
    api,
  }) => {
    const receiver = await startReceiver('127.0.0.2')
    const pager = await api.createWebhook(unique('Pager'), { url: `${receiver.url}/pager` })
    const old = await api.createWebhook(unique('Old'), { url: `${receiver.url}/old` })
    const name = unique('Always')
    try {
      await page.goto(`${listOf(openSource)}/new`)
      await fillAlert(page, name, null)
      await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('0')
      await pick(page, 'Interval', '1 minute')
      await pick(page, 'Webhook', pager.name)
      await page.getByRole('button', { name: 'Create alert' }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

      // Its first window ends within a minute.
      const stem = unique('Many')
      const [mine, shared] = [
        await api.createAlert(`${stem} a`, [old.id]),
        await api.createAlert(`${stem} b`, [old.id]),
      ]
      await changeInBulk(page, stem, () => api.updateAlert(shared.id, { ...shared, threshold: 55 }))
      await expect.poll(async () => (await api.alert(mine.id)).threshold).toBe(18)
      expect((await api.alert(shared.id)).threshold).toBe(55)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(async () => (await api.alert(mine.id)).threshold).toBe(12)
      await moveAlerts(page, old, pager.name)
      expect((await api.alert(shared.id)).channels).toMatchObject([{ webhookId: pager.id }])
      await api.deleteAlert(mine.id)
      await api.deleteAlert(shared.id)

      await expect
        .poll(() => receiver.requests.map(({ url, body }) => [url, body]), { timeout: 75_000 })
        .toContainEqual(['/pager', expect.stringContaining(name)])
      const fired = (await api.alerts()).find((alert) => alert.name === name)
      for (const connectionId of connections) {
        await page.goto(`${listOf(connectionId)}/${fired?.id}`)
        const count = receiver.requests.length
        await page
          .getByRole('button', { name: `Send again to ${pager.name}` })
          .first()
          .click()
        await expect.poll(() => receiver.requests.length).toBeGreaterThan(count)
      }
      await page.goto(`${listOf(openSource)}?group=state`)
      await expect(page.getByRole('rowheader').first()).toHaveText(/^Firing \d+$/)
      await expect(rowOf(page, name).getByRole('img', { name: /^Last .*firing/ })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Alerts', exact: true })).toHaveAccessibleDescription(/^\d+ firing$/)
      await expect(page).toHaveTitle(/^\(\d+ firing\) Alerts/)
      await expectNoViolations(page, 'an alert that fires')

      await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space')
      await page.getByRole('button', { name: 'Silence', exact: true }).press('Enter')
      await page.getByRole('textbox', { name: 'Reason' }).fill('Known')
      await expectNoViolations(page, 'the silence of selected alerts')
      await page.getByRole('button', { name: 'Silence 1 alert' }).click()
      await expect(rowOf(page, name)).toContainText('Silenced')
    } finally {
      for (const alert of await api.alerts()) if (alert.name === name) await api.deleteAlert(alert.id)
      await receiver.close()
    }
  })
})

/** Raises the thresholds of two alerts while `meanwhile` changes one of them. */
async function changeInBulk(page: Page, stem: string, meanwhile: () => Promise<unknown>): Promise<void> {
  await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(stem)}`)
  await page.getByRole('checkbox', { name: 'Select all alerts' }).check()
  const dialog = page.getByRole('dialog')
  for (const action of ['Change channels', 'Change interval']) {
    await page.getByRole('button', { name: action }).click()
    await expect(dialog).toBeVisible()
    await expectNoViolations(page, `the dialog of ${action}`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  await page.getByRole('button', { name: 'Change threshold' }).click()
  await dialog.getByRole('textbox', { name: 'Change in percent' }).fill('50')
  await expect(dialog.getByRole('list', { name: 'Plan' })).toContainText(`${stem} a: 12 → 18`)
  await expectNoViolations(page, 'the plan of a bulk change')
  await meanwhile()
  await dialog.getByRole('button', { name: 'Change 2 alerts' }).click()
  await expect(dialog.getByText('1 of 2 done, 1 not')).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Outcomes' })).toContainText('Somebody else changed this record')
}

/** A webhook in use cannot be deleted: its alerts are moved from there, and then it can. */
async function moveAlerts(page: Page, from: { id: string; name: string }, to: string): Promise<void> {
  await page.goto(`/c/${openSource}/webhooks/${from.id}`)
  await chooseAction(page, 'Delete')
  const inUse = page.getByRole('dialog', { name: `${from.name} is in use` })
  await inUse.getByRole('button', { name: 'Move alerts to another webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 alerts to another webhook' })
  await pick(page, 'New webhook', to)
  await expectNoViolations(page, 'the move of alerts to another webhook')
  await dialog.getByRole('button', { name: 'Change 2 alerts' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(inUse).toContainText('No alert uses it any more.')
  await inUse.getByRole('button', { name: 'Close' }).click()
  await chooseAction(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
}
