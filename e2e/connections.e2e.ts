import { consoleHeader, writeIdHeader } from '../src/contract/console/connections.ts'
import { apiURL, credentials } from './support/environment.ts'
import { typedSecrets } from './support/secrets.ts'
import { expect, managed, openSource, test, unique } from './support/test.ts'

test('adds, tests, uses and deletes a connection', async ({ page }) => {
  const name = unique('Staging')
  await page.goto('/connections')
  await page.getByRole('link', { name: 'Add connection' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Base URL' }).fill(apiURL)
  await page.getByRole('textbox', { name: 'Personal access key' }).fill(typedSecrets[0] ?? '')
  const outcome = page.getByRole('region', { name: 'Test' })
  await page.getByRole('button', { name: 'Test connection' }).click()
  const refusal = outcome.getByText('127.0.0.1 is a loopback or private address.')
  await expect(refusal).toBeInViewport()
  // The footer of the form does not cover it.
  await refusal.click({ trial: true })
  await page.getByRole('switch', { name: 'Allow private addresses' }).check()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(
    page
      .getByText(/key/i)
      .filter({ hasText: /reject|refus/i })
      .first(),
  ).toBeVisible()

  await page.getByRole('textbox', { name: 'Personal access key' }).fill(credentials().personalAccessKey)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByRole('region', { name: 'Test' })).toContainText(/\d+ ms/)
  await expect(page.getByRole('region', { name: 'Test' })).toContainText(/charts/i)
  await page.getByRole('button', { name: 'Add connection' }).click()

  const card = page.getByRole('article', { name })
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: 'Test' }).click()
  await expect(card).toContainText(/\d+ ms/)
  await card.getByRole('link', { name: 'Open' }).click()
  await expect(page.getByRole('rowheader', { name: 'Stack returns errors' })).toBeVisible()

  await page.goto('/connections')
  await page.getByRole('button', { name: `Actions of ${name}` }).click()
  await page.getByRole('menuitem', { name: /Delete/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await expect(card).toHaveCount(0)
})

test('stays on the same page when the connection is switched', async ({ page }) => {
  await page.goto(`/c/${openSource}/alerts`)
  await page.getByRole('searchbox', { name: 'Search alerts' }).fill('stack')
  await page.getByRole('button', { name: /Local \(open source\)/ }).click()
  await page.getByRole('menuitem', { name: /Local \(managed\)/ }).click()
  await expect(page).toHaveURL(new RegExp(`/c/${managed}/alerts`))
  await expect(page.getByRole('searchbox', { name: 'Search alerts' })).toHaveValue('stack')
  await expect(page.getByRole('rowheader', { name: 'Stack returns errors' })).toBeVisible()
})

test('the gateway rejects writes on a read-only connection', async ({ page, api }) => {
  const name = unique('Locked')
  await page.goto('/connections/new')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Base URL' }).fill(apiURL)
  await page.getByRole('textbox', { name: 'Personal access key' }).fill(credentials().personalAccessKey)
  await page.getByRole('switch', { name: 'Allow private addresses' }).check()
  await page.getByRole('switch', { name: 'Read-only' }).check()
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.getByRole('article', { name }).getByRole('link', { name: 'Open' }).click()
  await expect(page.getByRole('button', { name: /read-only/i })).toBeVisible()

  // Directly, as a script on the page could.
  const connectionId = /\/c\/([^/]+)\//.exec(page.url())?.[1] ?? ''
  const [alert] = await api.alerts()
  const status = await page.evaluate(
    async ([path, header, writeId]) => {
      const headers = { [header]: '1', [writeId]: crypto.randomUUID() }
      return (await fetch(path, { method: 'DELETE', headers })).status
    },
    [`/api/c/${connectionId}/stack/alerts/${alert?.id}`, consoleHeader, writeIdHeader] as const,
  )
  expect(status).toBe(403)
  expect((await api.alerts()).map(({ id }) => id)).toContain(alert?.id)
})
