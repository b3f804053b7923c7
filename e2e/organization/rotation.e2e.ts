/** The key of a connection is rotated, undone and rotated again; the organization, its usage and its invitations. */
import { expectNoViolations } from '../support/axe.ts'
import { addConnection } from '../support/cloud.ts'
import { organization, type CreatedKey } from '../support/organization.ts'
import { expect, managed, test, unique } from '../support/test.ts'
import { inDays } from '../support/now.ts'

test('the key of a connection is rotated, given back and rotated again', async ({ page }) => {
  const name = unique('Console key')
  const expireAt = inDays(3)
  const made = await organization<CreatedKey>('POST', '/keys', { name, roles: ['admin'], expireAt })
  const { keyId, keySecret } = made
  const connectionId = await addConnection(page, { keyId, keySecret, stage: 'staging' })

  await page.goto('/connections')
  const notice = page.getByRole('note').filter({ hasText: name })
  await expect(notice).toContainText('expires in 3 days')
  await notice.getByRole('link', { name: 'Rotate' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Rotate ${name}` })).toBeVisible()
  await expectNoViolations(page, 'the form of a rotation')
  const next = `${name} next`
  await page.getByRole('textbox', { name: 'Name' }).fill(next)
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()

  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(steps.filter({ hasText: 'done' })).toHaveCount(4)
  await expect(page.getByText(`uses the new key, ${next}`)).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(keySecret)
  // Who rotated it: no person, so the browser by its name.
  await expect(page.getByText(/^Chrome on \w+$/)).toBeVisible()
  await expectNoViolations(page, 'a rotation that is done')

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo rotation' }).click()
  await expect(page.getByText(`Undone: ${name} is in use as before.`)).toBeVisible()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await expect(steps.filter({ hasText: 'done' })).toHaveCount(4)

  await page.getByRole('button', { name: 'Delete old key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete old key' }).click()
  await expect(page.getByText(`Done: ${name} is deleted.`)).toBeVisible()
  await page.goto(`/c/${connectionId}/api-keys`)
  await expect(page.getByRole('row', { name: /This connection/ })).toBeVisible()
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
})

test('the organization is renamed, and shows what its services would cost', async ({ page }) => {
  await page.goto(`/c/${managed}/organization`)
  const input = page.getByRole('textbox', { name: 'Name' })
  const before = await input.inputValue()
  const renamed = unique('Organization')
  await input.fill(renamed)
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByText('Organization renamed')).toBeVisible()
  expect(await organization('GET', '')).toMatchObject({ name: renamed })
  await organization('PATCH', '', { name: before })
  await expectNoViolations(page, 'the organization')

  await page.goto(`/c/${managed}/usage`)
  await expect(page.getByText('No charges apply on this stack.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page).toHaveURL(/view=table/)
  await expectNoViolations(page, 'the cost of use')
})

test('an invited person joins by the link', async ({ page, otherBrowser }) => {
  const email = `${unique('joining').replaceAll(/\W/g, '-')}@example.com`.toLowerCase()
  await page.goto(`/c/${managed}/members`)
  await page.getByRole('button', { name: 'Invite' }).first().click()
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const link = page.getByRole('dialog', { name: `Invitation of ${email}` })
  const url = await link.getByRole('textbox', { name: /^Link to organization of/ }).inputValue()
  await link.getByRole('button', { name: 'Done' }).click()

  const other = await otherBrowser()
  const stranger = await other.newPage()
  await stranger.goto(url)
  await stranger.getByLabel('Your name').fill('Ada Joining')
  await stranger.getByRole('button', { name: 'Join' }).click()
  await expect(stranger.getByRole('heading', { name: 'Welcome to the organization' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('row', { name: new RegExp(`Ada Joining ${email}`) })).toBeVisible()
})
