/** Backups of a service, services that are created from them, and schedules. */
import { expectNoViolations } from '../support/axe.ts'
import { serviceAt, test } from '../support/cloud.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { chooseAction, expect, managed, unique } from '../support/test.ts'

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('a backup is restored as a new service, which is deleted once it is stopped', async ({ page, cloud }) => {
    await page.goto(serviceAt(cloud.serviceId, '/backups'))
    await page.getByRole('button', { name: 'Back up now' }).click()
    const list = page.getByRole('table', { name: 'Backups' })
    await expect(list.getByText('Done').first()).toBeVisible({ timeout: 60_000 })
    await expectNoViolations(page, 'backups')
    await page.setViewportSize(narrow)
    await expectFits(page, 'backups')
    await page.setViewportSize({ width: 1440, height: 900 })

    await list
      .getByRole('link', { name: /Restore as a new service/ })
      .first()
      .click()
    const name = unique('Restored').replaceAll('-', ' ')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await expectNoViolations(page, 'the form of a new service')
    await page.getByRole('button', { name: 'Create service' }).click()
    await expect(page.getByText('it is shown only once')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy password' })).toBeVisible()
    await expect(page.getByText('••••')).toHaveCount(0)
    await page.getByRole('link', { name: 'Open the service' }).click()
    await expect(page.getByText('Running', { exact: true })).toBeVisible({ timeout: 60_000 })

    await chooseAction(page, 'Stop')
    const question = page.getByRole('dialog')
    await question.getByRole('textbox').fill(name)
    await question.getByRole('button', { name: 'Stop service' }).click()
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
    await chooseAction(page, 'Delete')
    await question.getByRole('textbox').fill(name)
    await question.getByRole('button', { name: 'Delete service' }).click()
    await expect(page).toHaveURL(new RegExp(`/c/${managed}/services$`))
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0, { timeout: 60_000 })
  })
})

test('a schedule is drawn, refused where entries overlap, and saved', async ({ page, cloud }) => {
  await page.goto(serviceAt(cloud.serviceId, '/schedule'))
  await page.getByRole('button', { name: 'Add entry' }).click()
  const first = page.getByRole('group', { name: 'Entry 1' })
  await first.getByRole('textbox', { name: 'Name' }).fill('Nights')
  await page.getByRole('button', { name: 'Add entry' }).click()
  await expect(page.getByText(/overlaps the entry/)).toBeVisible()
  await expect(page.getByRole('img', { name: /some overlap/ })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Entry 2' }).click()
  await expectNoViolations(page, 'the schedule')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Scaling schedule saved')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Nights')
  await page.setViewportSize(narrow)
  await expectFits(page, 'the schedule')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Remove Nights' }).click()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Without entries')).toBeVisible()
})
