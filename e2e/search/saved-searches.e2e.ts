/** Saved searches: from a search and back, and their pages on both variants. */
import { openSearch, status } from './searchPage.ts'
import { chooseAction, expect, hasWebhooks, managed, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

test('saves a search and opens it again', async ({ page }) => {
  const service = await openSearch(page, 5)
  const name = unique('Orders')
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await expect(page.getByRole('textbox', { name: 'Condition' })).toHaveValue(`ServiceName:"${service}"`)
  await page.getByRole('button', { name: 'Create saved search' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('button', { name: 'Open search' }).click()
  await expect(status(page)).toContainText('5 rows')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('combobox', { name: 'Saved search' })).toHaveValue(name)
})

for (const connection of [openSource, managed]) {
  test(`creates, edits and deletes a saved search with an alert, on ${connection}`, async ({ page, api }) => {
    const name = unique('Errors')
    await page.goto(`/c/${connection}/saved-searches`)
    await expect(page.getByRole('heading', { level: 1, name: 'Saved searches' })).toBeVisible()
    await page.getByRole('link', { name: 'New saved search' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await page.getByRole('combobox', { name: 'Source' }).fill('Logs')
    await page.getByRole('option', { name: 'Logs' }).first().click()
    await page.getByRole('textbox', { name: 'Condition' }).fill('SeverityText:error')
    await page.getByRole('textbox', { name: 'Pinned filters' }).fill("ServiceName = 'web'")
    await page.getByRole('button', { name: 'Create saved search' }).click()
    await expect(page.getByText(/Cannot be pinned/)).toBeVisible()
    await page.getByRole('textbox', { name: 'Pinned filters' }).fill("ServiceName IN ('web')")
    await page.getByRole('button', { name: 'Create saved search' }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('main')).toContainText("ServiceName IN ('web')")

    await chooseAction(page, 'Create alert')
    await expect(page.getByRole('combobox', { name: 'Saved search' })).toHaveValue(name)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Alert on ${name}`)
    await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('5')
    if (hasWebhooks(connection)) {
      await page.getByRole('combobox', { name: /webhook/i }).click()
      await page.getByRole('option').first().click()
    } else {
      const [webhook] = await api.webhooks()
      await page.getByRole('textbox', { name: /webhook/i }).fill(webhook?.id ?? '')
    }
    await page.getByRole('button', { name: 'Create alert' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Alert on ${name}` })).toBeVisible()

    await page.goto(`/c/${connection}/saved-searches`)
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('link', { name: `Alert on ${name}` })).toBeVisible()
    // Where no search can be opened, editing is what people come for.
    if (connection === openSource) await chooseAction(page, 'Edit')
    else await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Condition' }).fill('SeverityText:fatal')
    await page.getByRole('button', { name: /^Review/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save saved search' }).click()
    await expect(page.getByRole('main')).toContainText('SeverityText:fatal')

    await chooseAction(page, 'Delete')
    await page.getByRole('dialog').getByRole('textbox').fill(name)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(page.getByText('New saved search').first()).toBeVisible()
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
    // The save before it has one too.
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  })
}
