/** Charts over a server that answers as deployments do (CHART_BEHAVIOR=deployment): groups, values and conditions that those lose. */
import { sendTelemetry } from '../support/sendTelemetry.ts'
import { clearFaults, expect, openSource, setFaults, test, unique } from '../support/test.ts'
import { now } from '../support/now.ts'

test.use({ telemetry: true })

const text = (key: string, value: string) => ({ key, value: { stringValue: value } })

/** Ten log records in two regions, and a counter of each, over the last five minutes. */
async function sendRegions(service: string): Promise<void> {
  const times = Array.from({ length: 10 }, (_, at) => ({
    timeUnixNano: String(BigInt(now() - at * 30_000) * 1_000_000n),
    attributes: [text('shop.region', at % 2 === 0 ? 'north' : 'south'), text('shop.price', '1.5')],
  }))
  const resource = { attributes: [text('service.name', service)] }
  const logRecords = times.map((time, at) => ({ ...time, body: { stringValue: `order ${at}` } }))
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
  const dataPoints = times.map((time) => ({ ...time, startTimeUnixNano: time.timeUnixNano, asDouble: 3 }))
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints }
  const metrics = [{ name: service, sum }]
  await sendTelemetry('metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
}

const region = "LogAttributes['shop.region']"
const address = (query: Record<string, string>) => `/c/${openSource}/explorer?${new URLSearchParams(query)}`

test('the explorer groups by a map key, sums keys with dots, and searches free text', async ({ page }) => {
  const service = unique('regions').replace(' ', '-')
  await sendRegions(service)
  const field = "toFloat64OrZero(LogAttributes['shop.price']) * 2.0"
  const where = `order ServiceName:"${service}"`
  const series = { a: 'sum', 'a.in': 'Logs', 'a.field': field, 'a.where': where }
  await page.goto(address({ ...series, by: region, view: 'number' }))
  const main = page.getByRole('main')
  await expect(main.getByText('north', { exact: true })).toBeVisible()
  await expect(main.getByText('south', { exact: true })).toBeVisible()
  await expect(main.getByText('15', { exact: true })).toHaveCount(2)
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(where)
  await page.goto(address({ ...series, by: region }))
  await expect(page.getByRole('table', { name: 'Legend' }).getByRole('button', { name: 'north' })).toBeVisible()
})

test('shows the total of a metric', async ({ page }) => {
  const service = unique('totals').replace(' ', '-')
  await sendRegions(service)
  const series = { a: 'sum', 'a.in': 'Metrics', 'a.metric': service, 'a.type': 'sum' }
  await page.goto(address({ ...series, view: 'number' }))
  await expect(page.getByRole('main').getByText('30', { exact: true })).toBeVisible()
})

test('does not draw unnamed groups as one group', async ({ page }) => {
  const rows = [{ ts_bucket: now() - 60_000, group: [null], 'series_0.data': '7' }]
  setFaults({ match: 'POST /api/v2/charts', status: 200, body: { data: rows } })
  await page.goto(address({ a: 'count', 'a.in': 'Logs', by: 'SeverityText' }))
  await expect(page.getByRole('alert')).toContainText('cannot group by SeverityText')
  await expect(page.getByText('(none)')).toHaveCount(0)
  clearFaults()
})
