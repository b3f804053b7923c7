import { password } from './support/environment.ts'
import { expect, openSource, test } from './support/test.ts'

test('lists other sessions and signs them out, but not this one', async ({ page, otherBrowser }) => {
  const context = await otherBrowser()
  const elsewhere = await context.newPage()
  await elsewhere.goto('/sign-in')
  await elsewhere.getByLabel('Password', { exact: true }).fill(password)
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()

  await page.goto('/sessions')
  const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('rowheader')
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1)
  await expect.poll(() => rows.count()).toBeGreaterThan(1)
  await page.getByRole('button', { name: 'Sign out all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out all other sessions' }).click()
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Sign out all other sessions' })).toBeDisabled()

  // An open page is signed out by its next request; a new one shows the sign-in page.
  await elsewhere.goto(`/c/${openSource}/alerts`)
  await expect(elsewhere.getByRole('heading', { name: 'Sign in to Stack Console' })).toBeVisible()
  await page.goto(`/c/${openSource}/alerts`)
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
})

test('a sign-in in another tab sends the sign-in page on', async ({ otherBrowser }) => {
  const context = await otherBrowser()
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto('/sign-in?next=/sessions')
  await expect(first.getByLabel('Password', { exact: true })).toBeVisible()
  await second.goto('/sign-in')
  await expect(second.getByText(/Each link works once/)).toContainText('signInUrl in credentials.json')
  await second.getByLabel('Password', { exact: true }).fill(password)
  await second.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(second.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()

  // The browser's event when a tab is shown. Without a window, all tabs count as shown.
  await first.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(first.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  await first.goto('/sign-in?next=/connections')
  await expect(first.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible()
  // A link that somebody else used does not sign out who is signed in.
  await first.goto('/sign-in#token=used')
  await expect(first.getByText('You were signed in already.')).toBeVisible()
  await expect(first.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
})
