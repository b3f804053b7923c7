import { credentials, ports } from './environment.ts'
import { expect, openSource, test, unique } from './support.ts'

/** Telemetry of a service that only one test knows, over the last ten minutes. */
async function sendLogs(service: string, count: number): Promise<void> {
  const now = Date.now()
  const logRecords = Array.from({ length: count }, (_, index) => ({
    timeUnixNano: String(BigInt(now - index * Math.floor(600_000 / count)) * 1_000_000n),
    severityText: index % 4 === 0 ? 'ERROR' : 'INFO',
    body: { stringValue: `order ${index}` },
  }))
  const answer = await fetch(`http://127.0.0.1:${ports.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { authorization: credentials().ingestionKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
          scopeLogs: [{ logRecords }],
        },
      ],
    }),
  })
  expect(answer.ok).toBe(true)
}

test('a query is drawn, and its address draws it again elsewhere', async ({ page, browser }) => {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 400)
  await page.goto(`/c/${openSource}/explorer`)
  await page.getByRole('combobox', { name: 'Where' }).fill(`ServiceName:"${service}"`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const legend = page.getByRole('table', { name: 'Legend' })
  await expect(legend.getByRole('button', { name: 'ERROR' })).toBeVisible()
  await expect(legend.getByRole('button', { name: 'INFO' })).toBeVisible()
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page.getByRole('main').getByRole('table').first()).toContainText('ERROR')
  await page.getByRole('button', { name: 'Line', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(service))

  const elsewhere = await browser.newContext({ storageState: await page.context().storageState() })
  const again = await elsewhere.newPage()
  await again.goto(page.url())
  await expect(again.getByRole('combobox', { name: 'Where' })).toHaveValue(`ServiceName:"${service}"`)
  await expect(again.getByRole('table', { name: 'Legend' }).getByRole('button', { name: 'ERROR' })).toBeVisible()
  await expect(again.getByRole('button', { name: 'Line', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await elsewhere.close()
})

test('a mistake in a condition is told at its place', async ({ page }) => {
  await page.goto(`/c/${openSource}/explorer`)
  await page.getByRole('combobox', { name: 'Where' }).fill('ServcieName:stack')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText(/ServiceName/).first()).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Where' })).toHaveAttribute('aria-invalid', 'true')
})

test('the keyboard alone selects a range and zooms into it', async ({ page }) => {
  await page.goto(`/c/${openSource}/explorer`)
  const chart = page.getByRole('application')
  await expect(chart).toBeVisible()
  await chart.focus()
  await page.keyboard.press('End')
  for (let step = 0; step < 10; step++) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=\d+|from%22|from=%22/)
})
