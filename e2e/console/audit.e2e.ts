/** Who did what: the audit log of the console. */
import { expectNoViolations } from '../support/axe.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

test('a change is found in the audit log, with its history', async ({ page, api }) => {
  const name = unique('Audited')
  const { id } = await api.createWebhook(name)
  await page.goto(`/c/${openSource}/webhooks/${id}/edit`)
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} 2`)
  await page.getByRole('button', { name: 'Save' }).first().click()
  // On a local stage, nothing has to be reviewed.
  await expect(page).toHaveURL(new RegExp(`/webhooks/${id}$`))

  await page.goto('/audit')
  await expect(page.getByText('chain verified')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Who or what' }).fill(`${name} 2`)
  const log = page.getByRole('table', { name: 'Audit log' })
  const row = log.getByRole('row', { name: `changed webhook ${name} 2` })
  await expect(row).toContainText('done')
  await row.getByRole('button', { name: /^Details/ }).press('Enter')
  await expect(log).toContainText('webhooks.update')
  await expectNoViolations(page, 'the audit log')
  await page.setViewportSize(narrow)
  await expectFits(page, 'the audit log')
  await log.getByRole('link', { name: `History of webhook ${name} 2` }).click()
  await expect(page).toHaveURL(new RegExp(`/history\\?kind=webhooks&record=${id}`))
})

test('what does not fit the filters is not shown', async ({ page }) => {
  await page.goto('/audit?q=nothing-has-this-name')
  await expect(page.getByText('No entry fits these filters.')).toBeVisible()
  const lines = page.waitForEvent('download')
  await page.getByRole('button', { name: 'JSON lines' }).click()
  expect((await lines).suggestedFilename()).toBe('audit.jsonl')
})
