/** Disk use of telemetry, and setting its retention. */
import { expectNoViolations } from '../support/axe.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { now } from '../support/now.ts'
import { sendTelemetry } from '../support/sendTelemetry.ts'
import { expect, managed, openSource, test } from '../support/test.ts'

const day = 86_400_000
const storageAt = (connectionId: string) => `/c/${connectionId}/storage`

/** A log record of each of the last days. */
async function sendDays(days: number): Promise<void> {
  const logRecords = Array.from({ length: days }, (_, age) => ({
    timeUnixNano: `${now() - age * day}000000`,
    body: { stringValue: `stored ${age} days ago` },
  }))
  await sendTelemetry('logs', { resourceLogs: [{ resource: {}, scopeLogs: [{ logRecords }] }] })
}

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('shows sizes, shortens a retention with its consequences, and takes it back', async ({ page }) => {
    await sendDays(12)
    await page.goto(storageAt(openSource))
    await expect(page.getByRole('progressbar', { name: 'Disk in use' })).toBeVisible()
    await expect(page.getByText(/^Telemetry takes .* The last \d days took on average/)).toBeVisible()
    const tables = page.getByRole('table', { name: 'Tables' })
    await expect(tables.getByRole('row', { name: /^otel_logs \d/ })).toContainText(/\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/)
    await expect(page.getByRole('table', { name: 'Secondary indexes' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Other files in the data folder' })).toContainText(
      'Records of the stack',
    )
    await expectNoViolations(page, 'storage')

    const logs = page.getByRole('table', { name: 'Retention' }).getByRole('row', { name: /^Logs/ })
    await expect(logs).toContainText('30 days (RETENTION_DAYS)')
    await logs.getByRole('button', { name: 'Change the retention of logs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Retention of logs' })
    await dialog.getByRole('switch', { name: /RETENTION_DAYS/ }).click()
    const days = dialog.getByRole('textbox', { name: 'Keep for' })
    await days.fill('0')
    await dialog.getByRole('button', { name: 'Set retention' }).click()
    await expect(dialog.getByText('at least 1 day')).toBeVisible()
    await days.fill('5')
    await expect(dialog.getByRole('status')).toContainText(/days of logs with .* rows .* will be deleted\./)
    await expectNoViolations(page, 'a shorter retention')
    await dialog.getByRole('button', { name: 'Shorten retention' }).click()
    await expect(dialog).toHaveCount(0)
    const pending = page.getByRole('note').filter({ hasText: 'Logs that are older than 5 days are deleted' })
    await expect(pending).toBeVisible()
    await expect(logs).toContainText('30 days')

    await pending.getByRole('button', { name: 'Undo' }).click()
    await expect(pending).toHaveCount(0)
    await expect(logs).toContainText('30 days (RETENTION_DAYS)')
    await page.goto('/audit')
    await expect(page.getByText('changed the retention of telemetry').first()).toBeVisible()

    await page.setViewportSize(narrow)
    await page.goto(storageAt(openSource))
    await expect(tables).toBeVisible()
    await expectFits(page, 'storage')
  })
})

test('a deployment without it says so in a line', async ({ page }) => {
  await page.goto(storageAt(managed))
  await expect(page.getByText('This deployment does not report its storage')).toBeVisible()
})
