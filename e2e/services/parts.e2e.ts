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
  await expect(other.getByText('Query endpoint saved')).toBeVisible()
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

test.describe('on the local stage, Undo takes a save back', () => {
  const undo = async (page: Page, noun: string) => {
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByText(`Save of ${noun.toLowerCase()} undone`)).toBeVisible()
  }
  const choose = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  test('of an upgrade window and of a schedule that were not set', async ({ page, cloud }) => {
    const day = page.getByRole('form', { name: 'Upgrade window' }).getByRole('combobox', { name: 'Day' })
    await page.goto(serviceAt(cloud.serviceId, '/schedule'))
    await choose(page, 'Day', 'Tue')
    await page.getByRole('button', { name: 'Save window' }).click()
    await undo(page, 'Upgrade window')
    await expect(day).toHaveText('Any day')

    const schedule = page.getByRole('form', { name: 'Scaling schedule' })
    await schedule.getByRole('button', { name: 'Add entry' }).click()
    await schedule.getByRole('button', { name: 'Save schedule' }).click()
    await undo(page, 'Scaling schedule')
    await expect(schedule.getByText('Without entries, the service keeps its own size.')).toBeVisible()
    await page.reload()
    await expect(day).toHaveText('Any day')
    await expect(schedule.getByText('Without entries, the service keeps its own size.')).toBeVisible()
  })

  test('of the configuration of backups', async ({ page, cloud }) => {
    await page.goto(serviceAt(cloud.serviceId, '/backups'))
    const kept = page.getByRole('combobox', { name: 'Kept for' })
    const before = (await kept.textContent()) ?? ''
    await choose(page, 'Kept for', '7 days')
    await page.getByRole('button', { name: 'Save configuration' }).click()
    await undo(page, 'Configuration of backups')
    await expect(kept).toHaveText(before)
    await page.reload()
    await expect(kept).toHaveText(before)
  })

  test('of a query endpoint, which is off again if it was off', async ({ page, cloud }) => {
    await page.goto(serviceAt(cloud.serviceId, '/query-endpoint'))
    await page.getByRole('button', { name: 'Turn on query endpoint' }).click()
    await undo(page, 'Query endpoint')
    await expect(page.getByRole('button', { name: 'Turn on query endpoint' })).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Turn on query endpoint' }).click()
    await expect(page.getByText('Query endpoint saved')).toBeVisible()
    // Without the message of the first save, whose Undo would turn it off.
    await page.reload()
    const full = page.getByRole('checkbox', { name: /Full access/ })
    await full.check()
    await page.getByRole('button', { name: 'Save query endpoint' }).click()
    await undo(page, 'Query endpoint')
    await expect(full).not.toBeChecked()
    await page.reload()
    await expect(full).not.toBeChecked()
  })
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

  test('the form of the size has what the fullest replica used over the last day, and says since when', async ({
    page,
    cloud,
  }) => {
    await page.goto(serviceAt(cloud.serviceId, '/scaling'))
    const memory = page.getByRole('group', { name: 'Memory per replica' })
    await expect(memory).toContainText(
      /Memory of the fullest replica in the last 24 h: .*[KMG]iB.* Measured since .*\d/,
    )
    await page.reload()
    await expect(memory).toContainText(/Measured since/)
    await expectSound(page, 'the size with its load')
  })
})

test('the form of the size says why nothing is measured', async ({ page, cloud }) => {
  const memory = page.getByRole('group', { name: 'Memory per replica' })
  await page.goto(serviceAt(cloud.serviceId, '/scaling'))
  await expect(memory).toContainText('No measurements: this deployment does not report the memory of its replicas.')
  const failed = { code: 'upstreamFailed', message: 'The deployment does not respond.' }
  const json = { run: 'r', at: null, pace: 15_000, slowed: 'failing', error: failed, load: null, status: null }
  await page.route('**/service-load?**', (route) => route.fulfill({ json }))
  await page.reload()
  await expect(memory).toContainText('No measurements yet: the metrics could not be read.')
})
