import { test as setup, expect } from '@playwright/test'
import { credentials, password, storageState } from './environment.ts'

setup('the link of the terminal signs in once, and the password lasts', async ({ browser }) => {
  const link = credentials().signInUrl
  const first = await browser.newPage()
  await first.goto(link)
  await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
  expect(first.url()).not.toContain('token')

  const second = await (await browser.newContext()).newPage()
  await second.goto(link)
  await expect(second.getByRole('alert')).toContainText(/link/i)
  await second.getByLabel('Password', { exact: true }).fill(password)
  await second.getByRole('button', { name: 'Sign in' }).click()
  await expect(second.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await second.context().storageState({ path: storageState })

  await expect.poll(() => credentials().signInUrl).not.toBe(link)
})
