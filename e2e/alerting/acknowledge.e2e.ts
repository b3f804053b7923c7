/** Acknowledgements of firing alerts: who takes care of one, for everybody to see. */
import { join } from 'node:path'
import { alertRows } from '../../src/stack/documents/alertRows.ts'
import { openStore } from '../../src/stack/store/store.ts'
import { expectNoViolations } from '../support/axe.ts'
import { dataDir } from '../support/environment.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { inDays } from '../support/now.ts'
import { chooseAction, expect, openSource, setFaults, test, unique } from '../support/test.ts'

/** Lets an alert fire, or end, without waiting for its evaluation. */
async function become(id: string, state: 'ALERT' | 'OK'): Promise<void> {
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  try {
    await store.write(async (transaction) => {
      const alert = await alertRows.get(transaction, id)
      if (alert) await alertRows.update(transaction, { ...alert, state })
    })
  } finally {
    await store.close()
  }
}

test('a firing alert is acknowledged with a note, shown everywhere, and withdrawn', async ({ page, api }) => {
  const alert = await api.createAlert(unique('Paged'), undefined, { scheduleStartAt: inDays(30) })
  const name = alert.name ?? ''
  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Acknowledge' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await become(alert.id, 'ALERT')
  await page.reload()
  await chooseAction(page, 'Acknowledge')
  const dialog = page.getByRole('dialog', { name: 'Acknowledge alert' })
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.type('Rolling back the deployment')
  await expectNoViolations(page, 'the dialog of an acknowledgement')
  await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('note').filter({ hasText: 'Acknowledged' })).toContainText('Rolling back the deployment')
  expect((await api.alert(alert.id)).acknowledged).toMatchObject({ note: 'Rolling back the deployment' })

  await page.goto(`/c/${openSource}/alerts?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row.getByRole('img', { name: 'Acknowledged: Rolling back the deployment' })).toBeVisible()
  await page.goto('/')
  const firing = page.getByRole('list', { name: 'Firing alerts' })
  // Both local connections lead to it.
  const line = firing.getByRole('listitem').filter({ hasText: name }).filter({ hasText: 'Local (open source)' })
  await expect(line).toContainText('acknowledged')

  await page.setViewportSize(narrow)
  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await expectFits(page, 'an acknowledged alert')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByText('Acknowledgement withdrawn')).toBeVisible()
  expect(await api.alert(alert.id)).not.toHaveProperty('acknowledged')
  await api.deleteAlert(alert.id)
})

test('of two people at once, the second one is told who was first', async ({ page, api }) => {
  const alert = await api.createAlert(unique('Both'), undefined, { scheduleStartAt: inDays(30) })
  await become(alert.id, 'ALERT')
  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await chooseAction(page, 'Acknowledge')
  const dialog = page.getByRole('dialog', { name: 'Acknowledge alert' })
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Mine')
  await api.acknowledge(alert.id, { by: 'Ada', note: 'Already on it' })
  const send = dialog.getByRole('button', { name: 'Acknowledge', exact: true })
  await send.click()
  await expect(dialog.getByRole('alert')).toContainText(/^Ada acknowledged it at .*: Already on it\. Acknowledge again/)
  expect((await api.alert(alert.id)).acknowledged).toMatchObject({ by: 'Ada' })
  await send.click()
  await expect(dialog).toBeHidden()
  expect((await api.alert(alert.id)).acknowledged).toMatchObject({ note: 'Mine' })
  await api.deleteAlert(alert.id)
})

test('what a deployment lacks is disabled with the reason', async ({ page, api }) => {
  const alert = await api.createAlert(unique('Elsewhere'), undefined, { scheduleStartAt: inDays(30) })
  await become(alert.id, 'ALERT')
  setFaults({
    match: 'GET /api/v2/alerts/*/evaluations',
    status: 404,
    contentType: 'text/html',
    body: '<!DOCTYPE html><pre>Cannot GET</pre>',
  })
  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await expect(
    page
      .getByRole('button', { name: 'Silence' })
      .or(page.getByRole('button', { name: 'More actions' }))
      .first(),
  ).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  const item = page.getByRole('menuitem', { name: 'Acknowledge' })
  await expect(item).toBeDisabled()
  await expect(item).toContainText('This deployment’s API does not offer acknowledgements of alerts.')
  await api.deleteAlert(alert.id)
})
