/** API keys, roles, members and the activity log of a managed connection. */
import { expectNoViolations } from '../support/axe.ts'
import { apiURL, credentials } from '../support/environment.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { chooseAction, expect, managed, openSource, test, typeDateTime, unique } from '../support/test.ts'
import { inDays } from '../support/now.ts'

const at = (path: string) => `/c/${managed}/${path}`

/** The management API's answer to a key. */
async function answerTo(keyId: string, keySecret: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const { organizationId } = credentials()
  return (await fetch(`${apiURL}/v1/organizations/${organizationId}`, { headers: { authorization } })).status
}

test('a key is created, works, is disabled and deleted', async ({ page }) => {
  const name = unique('Pipeline')
  await page.goto(at('api-keys'))
  await page.getByRole('link', { name: 'New API key' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create API key' }).click()
  await expect(page.getByText('Without a role, every request of the key is refused')).toBeVisible()
  await page.getByRole('checkbox', { name: /^Developer/ }).check()
  await expectNoViolations(page, 'the form of a key')
  await page.getByRole('button', { name: 'Create API key' }).click()

  await expect(page.getByText('Copy the secret now: it is shown only once.')).toBeVisible()
  await expectNoViolations(page, 'a new key with its secret')
  await page.getByRole('button', { name: 'Copy both as ID:secret' }).click()
  const codes = page.getByRole('definition').getByRole('code')
  const [keyId = '', keySecret = ''] = await codes.allTextContents()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${keyId}:${keySecret}`)
  expect(await answerTo(keyId, keySecret)).toBe(200)

  await page.getByRole('link', { name: 'Open the key' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(keySecret)
  await chooseAction(page, 'Disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable key' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Enable' }).press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  expect(await answerTo(keyId, keySecret)).toBe(401)

  await chooseAction(page, 'Delete')
  await page.getByRole('dialog').getByRole('textbox').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API key' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible()
  await expect(page.getByRole('link', { name })).toHaveCount(0)

  await page.goto(at('activities'))
  await expect(page.getByRole('row', { name: /API key deleted/ }).first()).toBeVisible()
})

test('a key that expires soon is pointed out', async ({ page }) => {
  const name = unique('Short')
  await page.goto(at('api-keys/new'))
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await typeDateTime(page, 'Expires', inDays(3).slice(0, 16))
  await page.getByRole('checkbox', { name: /^Member/ }).check()
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('link', { name: 'All API keys' }).click()
  await expect(page.getByRole('note').filter({ hasText: 'within 14 days' })).toContainText(name)
})

test('a role is created, changed and given to a member', async ({ page }) => {
  const name = unique('Reader')
  await page.goto(at('roles/new'))
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('checkbox', { name: /^View services/ }).check()
  await expectNoViolations(page, 'the form of a role')
  await page.getByRole('button', { name: 'Create role' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'View services and data pipes' })).toBeVisible()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Read telemetry/ }).check()
  await page.getByRole('button', { name: /^Review/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save role' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Read telemetry' })).toBeVisible()

  await page.goto(at('members'))
  await page.getByRole('button', { name: 'Invite' }).first().click()
  const email = `${unique('person').replaceAll(/\W/g, '-')}@example.com`.toLowerCase()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('checkbox', { name: new RegExp(name) }).check()
  await expectNoViolations(page, 'the invitation')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${email}.*${name}`) })).toBeVisible()
})

test('a system role cannot be changed', async ({ page }) => {
  await page.goto(at('roles'))
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeDisabled()
})

test('the pages fit a narrow screen, and have no violations', async ({ page }) => {
  await page.setViewportSize(narrow)
  for (const path of [
    'api-keys',
    'api-keys/new',
    'organization',
    'usage',
    'roles',
    'roles/new',
    'members',
    'activities',
  ]) {
    await page.goto(at(path))
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expectFits(page, path)
    await expectNoViolations(page, path)
  }
})

test('an open-source connection has no organization', async ({ page }) => {
  await page.goto(`/c/${openSource}/api-keys`)
  await expect(
    page
      .getByRole('main')
      .getByText(/API does not offer API keys/)
      .first(),
  ).toBeVisible()
})
