/** People with accounts: invited, with a role that disables what it does not allow, with a token, and disabled. */
import { expectNoViolations } from './support/axe.ts'
import { expect, managed, openSource, test, unique } from './support/test.ts'

test('an invited viewer sees one connection, and why it cannot be changed', async ({ page, browser }) => {
  const name = unique('Mira')
  const email = `${name.replace(' ', '.')}@example.com`
  await page.goto('/people')
  await page.getByRole('button', { name: 'Add person' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('E-mail').fill(email)
  await expectNoViolations(page, 'the dialog of a person')
  const choose = async (label: RegExp, role: RegExp) => {
    await dialog.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: role }).click()
  }
  await choose(/^Role in general/, /^none/)
  await choose(/^Role on .*open source/i, /^viewer/)
  await dialog.getByRole('button', { name: 'Add and create link' }).click()
  const link = await page.getByRole('dialog').locator('code').first().textContent()
  await expectNoViolations(page, 'the link')
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('Invited')
  await expectNoViolations(page, 'the list of people')

  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const theirs = await context.newPage()
  await theirs.goto(link ?? '')
  await expect(theirs.getByText(`Welcome, ${name}.`)).toBeVisible()
  expect(theirs.url()).not.toContain('invitation')
  await theirs.getByLabel('Password').fill('a-password-of-this-test')
  await expectNoViolations(theirs, 'the invitation')
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible()

  await theirs.goto(`/c/${openSource}/webhooks`)
  const add = theirs.getByRole('button', { name: /New webhook|Add webhook/ }).first()
  await expect(add).toBeDisabled()
  await theirs.goto(`/c/${managed}/alerts`)
  await expect(theirs.getByText(/does not exist/i).first()).toBeVisible()
  await theirs.goto('/people')
  await expect(theirs.getByText('This needs the role administrator on all connections.').first()).toBeVisible()

  await theirs.goto('/account')
  await theirs.getByRole('button', { name: 'Create token' }).click()
  await theirs.getByRole('dialog').getByLabel('Name').fill('ci-shop')
  await theirs.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  await expect(theirs.getByRole('dialog').locator('code')).toContainText(/^sct_/)
  await theirs.getByRole('button', { name: 'Done' }).click()
  await expect(theirs.getByRole('cell', { name: 'ci-shop' })).toBeVisible()
  await expectNoViolations(theirs, 'the account')

  await row.getByRole('button', { name: /Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable account' }).click()
  await expect(row).toContainText('Disabled')
  await theirs.goto(`/c/${openSource}/alerts`)
  await expect(theirs.getByRole('heading', { name: 'Sign in to Stack Console' })).toBeVisible()
  await expectNoViolations(theirs, 'the sign-in with accounts')
  await context.close()
})
