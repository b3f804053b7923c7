import { requireIdentity } from '../../src/stack/store/identity.ts'
import { expectNoViolations } from '../support/axe.ts'
import { withOtherStack } from '../support/otherStack.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

/** Its keys are rotated: those of the stacks under test are searched for in everything, and must stay the same. */
const other = withOtherStack()
const password = 'Correct-horse-7-battery'

test('invites a person, who joins with a password and is removed again', async ({ page, otherBrowser }) => {
  const name = unique('Ada')
  const email = `${name.replaceAll(/\W/g, '-').toLowerCase()}@example.com`
  await page.goto(`/c/${openSource}/team`)
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await expectNoViolations(page, 'an invitation')
  const link = await page.getByRole('textbox', { name: /^Link to team of/ }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  const invitations = page.getByRole('table', { name: 'Invitations' })
  await invitations.getByRole('button', { name: `Copy the link for ${email}` }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  const context = await otherBrowser()
  const guest = await context.newPage()
  await guest.goto(link)
  await guest.getByLabel('Password', { exact: true }).fill(password)
  await guest.getByLabel('Repeat the password').fill(password)
  await guest.getByRole('button', { name: 'Create account' }).click()
  await expect(guest.getByRole('heading', { name: 'Welcome to the team' })).toBeVisible()
  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'This invitation is not valid' })).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
  await expect(page.getByRole('button', { name: `Actions for ${name}` })).toHaveCount(0)
})

test('revokes an invitation, and renames the team', async ({ page }) => {
  const email = `${unique('bob').replaceAll(/\W/g, '-').toLowerCase()}@example.com`
  const name = unique('Team')
  await page.goto(`/c/${openSource}/team`)
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(page.getByRole('button', { name: `Actions for ${email}` })).toHaveCount(0)

  await page.getByRole('button', { name: 'Rename team' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Rename team' }).click()
  await expect(page.getByText(`Members of “${name}”`)).toBeVisible()
})

test('shows, copies and rotates keys, and keeps the connection working', async ({ page }) => {
  const keysOf = () => requireIdentity(other.stack().store)
  const old = await keysOf()
  const id = await other.connect(page)
  await page.goto(`/c/${id}/keys`)
  const personal = page.getByRole('region', { name: 'Personal API key' })
  await expect(personal.getByRole('code')).toHaveText(`••••••••${old.personalAccessKey.slice(-4)}`)
  expect(await page.content()).not.toContain(old.personalAccessKey)
  await personal.getByRole('button', { name: 'Show' }).click()
  await expect(personal.getByRole('code')).toHaveText(old.personalAccessKey)
  await expectNoViolations(page, 'a key')
  await personal.getByRole('button', { name: 'Hide' }).click()
  await expect(personal.getByRole('code')).not.toHaveText(old.personalAccessKey)

  await personal.getByRole('button', { name: 'Rotate…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
  await expect(page.getByText('This connection uses the new one.')).toBeVisible()
  const { personalAccessKey } = await keysOf()
  expect(personalAccessKey).not.toBe(old.personalAccessKey)
  await expect(personal.getByRole('code')).toHaveText(`••••••••${personalAccessKey.slice(-4)}`)
  await personal.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(personalAccessKey)

  const ingestion = page.getByRole('region', { name: 'Ingestion key' })
  await ingestion.getByRole('button', { name: 'Rotate…' }).click()
  await page.getByRole('combobox', { name: 'The old key stays valid for' }).click()
  await page.getByRole('option', { name: '1 hour' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
  await expect(ingestion.getByText('1 earlier key is still accepted')).toBeVisible()
  expect((await keysOf()).ingestionRotation?.previous).toMatchObject([{ key: old.ingestionKey }])
  await ingestion.getByRole('button', { name: 'Refuse now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse earlier keys' }).click()
  await expect(ingestion.getByText('still accepted')).toHaveCount(0)
  await other.disconnect(page)
})

test('leads to the interface of a deployment whose API has no teams', async ({ page }) => {
  // As a deployment answers that has no such route.
  other.setFaults({
    match: 'GET /api/v2/team/keys',
    status: 404,
    contentType: 'text/html',
    body: '<pre>Cannot GET</pre>',
  })
  const id = await other.connect(page)
  // A document has the first reads of its page. A page that is opened by a link makes them.
  await page.goto(`/c/${id}/team`)
  await page.getByRole('navigation').getByRole('link', { name: 'Team keys' }).click()
  await expect(page.getByText('Not in the API of this deployment')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open its team settings' })).toHaveAttribute('href', /\/team$/)
  await expectNoViolations(page, 'keys that are not offered')
  other.setFaults()
  await other.disconnect(page)
})
