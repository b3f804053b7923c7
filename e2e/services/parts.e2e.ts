/** Settings, query endpoint, private endpoints, backup bucket, and metrics with cost of a service. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { serviceAt, test } from '../support/cloud.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { clearFaults, expect, setFaults } from '../support/test.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages of the service' }).getByRole('link', { name, exact: true })

async function expectSound(page: Page, what: string): Promise<void> {
  await expectNoViolations(page, what)
  await page.setViewportSize(narrow)
  await expectFits(page, what)
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('settings are searched, checked, reviewed, saved and reset', async ({ page, cloud }) => {
  await page.goto(serviceAt(cloud.serviceId))
  await tab(page, 'Settings').click()
  await expect(page.getByText('Nothing is set')).toBeVisible()
  const search = page.getByRole('combobox', { name: /Search by name/ })
  await search.fill('max_execution')
  await page.getByRole('option', { name: /max_execution_time/ }).click()
  const setting = page.getByRole('group', { name: 'max_execution_time' })
  const value = setting.getByRole('textbox', { name: 'Value' })
  await value.fill('soon')
  await page.getByRole('button', { name: 'Review and save' }).click()
  await expect(setting.getByText('Must be a number')).toBeVisible()
  await value.fill('60')
  await page.getByRole('button', { name: 'Review and save' }).click()
  const review = page.getByRole('dialog')
  await expect(review.getByRole('row', { name: /max_execution_time/ })).toContainText(/default.*60/)
  await expect(review.getByText('Queries that take longer fail.')).toBeVisible()
  await review.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByRole('button', { name: 'Reset max_execution_time' })).toBeVisible()
  await expectSound(page, 'the settings')
  await page.reload()
  await page.getByRole('button', { name: 'Reset max_execution_time' }).click()
  await page.getByRole('button', { name: 'Review and save' }).click()
  await review.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText('Nothing is set')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Reset max_execution_time' })).toBeVisible()
})

test('the query endpoint is turned on for a key and off again, and two people do not overwrite each other', async ({
  page,
  cloud,
}) => {
  await page.goto(serviceAt(cloud.serviceId, '/query-endpoint'))
  await page.getByRole('checkbox', { name: /credentials\.json/ }).check()
  await page.getByRole('button', { name: 'Turn on query endpoint' }).click()
  await expect(page.getByText(/-u "\$KEY_ID:\$KEY_SECRET"/)).toBeVisible()
  await expectSound(page, 'the query endpoint')

  const other = await page.context().newPage()
  await other.goto(serviceAt(cloud.serviceId, '/query-endpoint'))
  await other.getByRole('checkbox', { name: /Full access/ }).check()
  await other.getByRole('button', { name: 'Save query endpoint' }).click()
  await expect(other.getByText('Query endpoint saved.')).toBeVisible()
  await other.close()
  await page.getByRole('checkbox', { name: /Read only/ }).uncheck()
  await page.getByRole('checkbox', { name: /Full access/ }).check()
  await page.getByRole('button', { name: 'Save query endpoint' }).click()
  const conflict = page.getByRole('region', { name: 'Changed by somebody else' })
  await expect(conflict.getByRole('row', { name: /Roles/ })).toContainText('Read only, Full access')
  await conflict.getByRole('button', { name: 'Theirs' }).click()
  await conflict.getByRole('button', { name: 'Continue with these values' }).click()
  await expect(page.getByRole('checkbox', { name: /Read only/ })).toBeChecked()

  await page.getByRole('button', { name: 'Turn off' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('textbox').fill((await cloud.service()).name ?? '')
  await question.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Turn on query endpoint' })).toBeVisible()
})

test('a reverse private endpoint is created, gets DNS names and is deleted', async ({ page, cloud }) => {
  await page.goto(serviceAt(cloud.serviceId, '/private-endpoints'))
  await page.getByRole('button', { name: 'New endpoint' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('textbox', { name: 'Description' }).fill('Brokers')
  await drawer.getByRole('button', { name: 'Create endpoint' }).click()
  await expect(drawer.getByText('Required').first()).toBeVisible()
  await drawer.getByRole('textbox', { name: 'Endpoint service name' }).fill('com.amazonaws.vpce.eu-west-1.vpce-svc-1')
  await drawer.getByRole('button', { name: 'Create endpoint' }).click()
  const row = page.getByRole('row', { name: /Brokers/ })
  await expect(row).toContainText('Ready')
  await row.getByRole('button', { name: 'Actions for Brokers' }).click()
  await page.getByRole('menuitem', { name: 'Change DNS names' }).click()
  await drawer.getByRole('combobox', { name: 'Custom DNS names' }).fill('*.kafka.example.com')
  await drawer.getByRole('combobox', { name: 'Custom DNS names' }).press('Enter')
  await drawer.getByRole('button', { name: 'Save DNS names' }).click()
  await expect(row).toContainText('*.kafka.example.com')
  await expectSound(page, 'the private endpoints')
  await row.getByRole('button', { name: 'Actions for Brokers' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await drawer.getByRole('textbox').fill('Brokers')
  await drawer.getByRole('button', { name: 'Delete endpoint' }).click()
  await expect(page.getByText('No reverse private endpoints')).toBeVisible()
})

test('a backup bucket is set without its secret coming back, and removed', async ({ page, cloud }) => {
  await page.goto(serviceAt(cloud.serviceId, '/backups'))
  const panel = page.getByRole('form', { name: 'Backup bucket' })
  await panel.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'Google Cloud Storage' }).click()
  await panel.getByRole('textbox', { name: 'Bucket path' }).fill('https://storage.googleapis.com/e2e/backups')
  await panel.getByRole('textbox', { name: 'Access key ID' }).fill('GOOG1E2E')
  await panel.getByLabel('Secret access key').fill('e2e-bucket-secret')
  await panel.getByRole('button', { name: 'Set bucket' }).click()
  await expect(panel.getByRole('button', { name: 'Remove bucket' })).toBeVisible()
  await page.reload()
  await expect(panel.getByRole('textbox', { name: 'Access key ID' })).toHaveValue('GOOG1E2E')
  await expect(panel.getByLabel('Secret access key')).toHaveValue('')
  await panel.getByRole('button', { name: 'Remove bucket' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove bucket' }).click()
  await expect(panel.getByRole('button', { name: 'Set bucket' })).toBeVisible()
})

test.describe('with telemetry', () => {
  // A rate needs two samples: the page takes the second one while it is open.
  test.use({ telemetry: true, polling: true })

  test('metrics are drawn from samples, with the cost of each day; what cannot be read says why', async ({
    page,
    cloud,
  }) => {
    await page.goto(serviceAt(cloud.serviceId))
    await tab(page, 'Metrics and cost').click()
    const queries = page.getByRole('region', { name: 'Queries per second' })
    await expect(queries.getByRole('button', { name: 'All' })).toBeVisible({ timeout: 40_000 })
    const cost = page.getByRole('region', { name: /Cost of the last/ })
    await expect(cost).toContainText(/No charges apply/)
    await cost.getByRole('button', { name: 'Table' }).click()
    await expect(cost.getByRole('table')).toContainText('Compute')
    await expectSound(page, 'metrics and cost')

    setFaults({
      match: `GET ${cloud.costAt}`,
      status: 403,
      body: { status: 403, error: 'FORBIDDEN: view-usage is missing', requestId: 'r' },
    })
    await page.reload()
    await expect(page.getByText('Permission denied')).toBeVisible()
    clearFaults()
  })
})
