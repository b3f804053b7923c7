import { test as setup, expect } from '@playwright/test'
import { credentials, password, stacks } from './support/environment.ts'

for (const stack of stacks) {
  setup(`the link of ${stack.baseURL} signs in once, and the password lasts`, async ({ browser }) => {
    const link = credentials(stack).signInUrl
    const first = await browser.newPage()
    await first.goto(link)
    await expect(first.getByRole('heading', { level: 1 })).toBeVisible()
    expect(first.url()).not.toContain('token')

    const second = await (await browser.newContext()).newPage()
    await second.goto(link)
    await expect(second.getByRole('alert')).toContainText(/link/i)
    await second.getByLabel('Password', { exact: true }).fill(password)
    await second.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(second.getByRole('navigation', { name: 'Pages' })).toBeVisible()
    await second.context().storageState({ path: stack.storageState })

    await expect.poll(() => credentials(stack).signInUrl).not.toBe(link)
  })
}
