/** A further person, who accepts an invitation in a browser of their own. */
import type { Page } from '@playwright/test'
import { responseTo, send } from '../support/requests.ts'
import { expect, type OtherBrowser } from '../support/test.ts'

/** @param page of an administrator, who invites and removes the person */
export async function joinAs(page: Page, otherBrowser: OtherBrowser, name: string, role: string) {
  const email = `${name.replaceAll(' ', '.')}@example.com`
  const { link, person } = await send(page, 'POST', '/api/people', { name, email, role })
  const context = await otherBrowser()
  const theirs = await context.newPage()
  await theirs.goto(String(link))
  await theirs.getByLabel('Password').fill('a-password-of-this-test')
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  return {
    page: theirs,
    /** Removes the person. The last administrator stays: the console refuses to remove it. */
    leave: async () => {
      await context.close()
      const { status, text } = await responseTo(page, 'DELETE', `/api/people/${Object(person).id}`)
      expect([200, 409], text).toContain(status)
    },
  }
}
