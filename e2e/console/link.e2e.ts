import { credentials, password } from '../support/environment.ts'
import { expect, test } from '../support/test.ts'

test.use({ storageState: { cookies: [], origins: [] } })

test('the link signs in once, and the password lasts', async ({ otherBrowser }) => {
  const link = credentials().signInUrl
  const first = await (await otherBrowser()).newPage()
  await first.goto(link)
  await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
  expect(first.url()).not.toContain('token')

  const context = await otherBrowser()
  const second = await context.newPage()
  await second.goto(link)
  await expect(second.getByRole('alert')).toContainText(/link/i)
  await second.getByLabel('Password', { exact: true }).fill(password)
  await second.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(second.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await expect.poll(() => credentials().signInUrl).not.toBe(link)
})
