/** "Explain this": the attributes that are different in a part of a chart, by keyboard and by pointer. */
import type { Page } from '@playwright/test'
import { dashboard } from '../../src/contract/stack/dashboards/dashboards.ts'
import { fromMenu, listOf, stack } from '../support/dashboards.ts'
import { chartOf } from '../support/explorer.ts'
import { now } from '../support/now.ts'
import { incidentTest } from '../support/sampleIncident.ts'
import { sendTelemetry } from '../support/sendTelemetry.ts'
import { expect, managed, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

const minute = 60_000
const explanation = '**/stack/charts/explanation'
const panelOf = (page: Page) => page.getByRole('region', { name: /^What differs in/ })
const attributesOf = (page: Page) => panelOf(page).locator('ol > li strong')

/** Orders of an hour that ended ten minutes ago. In its 30th to 39th minute, most are of a version that is slow. */
async function sendSlowOrders(): Promise<{ from: number; where: string }> {
  const service = unique('slow').replace(' ', '-')
  const from = Math.floor((now() - 70 * minute) / minute) * minute
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
  const logRecords = Array.from({ length: 1800 }, (_, at) => {
    const time = from + at * 2000
    const isSlow = at >= 900 && at < 1200
    return {
      timeUnixNano: String(BigInt(time) * 1_000_000n),
      severityText: isSlow && at % 3 === 0 ? 'ERROR' : 'INFO',
      body: { stringValue: `order ${at}` },
      attributes: [
        text('order.id', String(1_000_000 - ((at * 7919) % 100_003))),
        text('app.version', isSlow && at % 10 < 8 ? '<b>2.1</b> & more' : at % 50 === 0 ? '<b>2.1</b> & more' : '2.0'),
        text('user.country', ['DE', 'FR', 'NL', 'PL'][(at * 7) % 4] ?? ''),
      ],
    }
  })
  const resource = { attributes: [text('service.name', service)] }
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
  return { from, where: `ServiceName:"${service}"` }
}

async function openSlowOrders(page: Page): Promise<{ from: number; where: string }> {
  const { from, where } = await sendSlowOrders()
  const query = `a=count&a.where=${encodeURIComponent(where)}&from=${from}&to=${from + 60 * minute}&tz=utc`
  await page.goto(`/c/${openSource}/explorer?${query}`)
  await expect(chartOf(page)).toBeVisible()
  return { from, where }
}

/** Selects buckets of the chart by their places, from the first. */
async function select(page: Page, first: number, count: number): Promise<void> {
  await page.keyboard.press('Home')
  for (let step = 0; step < first; step++) await page.keyboard.press('ArrowRight')
  for (let step = 1; step < count; step++) await page.keyboard.press('Shift+ArrowRight')
}

test('explains a range that was selected with the keyboard, and filters by a value', async ({ page }) => {
  const { where } = await openSlowOrders(page)
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(page.getByText('Drag over the part to explain')).toBeVisible()
  await expect(chartOf(page)).toBeFocused()
  await select(page, 30, 10)
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toBeFocused()
  await expect(attributesOf(page)).toHaveText(["LogAttributes['app.version']", 'SeverityText'])
  // The result is taller than the note that it is being read, and is scrolled to.
  await expect(attributesOf(page).last()).toBeInViewport()
  await expect(panelOf(page)).toContainText('all 300 rows in the selection')
  await expect(panelOf(page)).toContainText('all 1,500 rows in the rest of the chart')
  await expect(panelOf(page)).toContainText('counted by the deployment in one request, which read')
  const planted = panelOf(page).getByRole('button', {
    name: "Filter the chart by LogAttributes['app.version']: <b>2.1</b> & more",
    exact: true,
  })
  await planted.click()
  await expect(page).toHaveURL(
    (url) => url.searchParams.get('a.where') === `${where} AND LogAttributes.app.version:"<b>2.1</b> & more"`,
  )
  await expect(planted).toHaveAttribute('aria-pressed', 'true')
  await panelOf(page).getByRole('button', { name: 'Explain again' }).click()
  await expect(attributesOf(page)).not.toHaveText(["LogAttributes['app.version']"])
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toHaveCount(0)
})

test('explains what is dragged with Shift, while dragging alone zooms', async ({ page }) => {
  await openSlowOrders(page)
  const drag = async () => {
    // The panel below the chart scrolls the page.
    await chartOf(page).hover()
    const box = await chartOf(page).boundingBox()
    if (!box) throw new Error('the chart has no place on the page')
    await page.mouse.move(box.x + box.width * 0.54, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2)
    await page.mouse.move(box.x + box.width * 0.66, box.y + box.height / 2)
    await page.mouse.up()
  }
  const address = page.url()
  await page.keyboard.down('Shift')
  await drag()
  await page.keyboard.up('Shift')
  await expect(attributesOf(page).first()).toHaveText("LogAttributes['app.version']")
  expect(page.url()).toBe(address)
  await panelOf(page)
    .getByRole('button', { name: /app.version'\]: <b>2.1<\/b> & more, leave these rows out$/ })
    .click()
  await expect(page).toHaveURL((url) => url.searchParams.get('a.where')?.includes('NOT ') === true)
  await drag()
  await expect(page.getByRole('button', { name: 'Reset zoom' })).toBeVisible()
})

test('reads rows by searches where the deployment does not count them, with the same result', async ({ page }) => {
  const { from } = await openSlowOrders(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const requests = (path: string) => asked.filter((address) => address.endsWith(path)).length
  const missing = { code: 'notOffered', status: 404, message: 'The deployment has no such route.' }
  await page.route(explanation, (route) => route.fulfill({ status: 404, json: missing }))
  await chartOf(page).focus()
  await select(page, 30, 10)
  await page.keyboard.press('i')
  await expect(attributesOf(page)).toHaveText(["LogAttributes['app.version']", 'SeverityText'])
  await expect(panelOf(page)).toContainText('1,200 of 1,500 rows in the rest of the chart, read by')
  expect(requests('/charts/explanation')).toBe(1)
  expect(requests('/stack/search')).toBeGreaterThan(3)
  await page.keyboard.press('Escape')
  // Another part: the deployment is not asked again.
  const [earlier, end] = [from - 5 * minute, from + 55 * minute]
  await page.goto(
    page
      .url()
      .replace(/from=\d+/, `from=${earlier}`)
      .replace(/to=\d+/, `to=${end}`),
  )
  await expect(chartOf(page)).toBeVisible()
  await chartOf(page).focus()
  await select(page, 35, 10)
  await page.keyboard.press('i')
  await expect(attributesOf(page)).toHaveText(["LogAttributes['app.version']", 'SeverityText'])
  expect(requests('/charts/explanation')).toBe(1)
})

test('can be stopped, and says that there are no rows, and what failed', async ({ page }) => {
  const { from } = await openSlowOrders(page)
  await page.route(explanation, () => {})
  await chartOf(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('i')
  const progress = panelOf(page).getByRole('progressbar', { name: 'Reading rows' })
  await expect.poll(async () => (await progress.boundingBox())?.width).toBeGreaterThan(20)
  await panelOf(page).getByRole('button', { name: 'Stop' }).click()
  await expect(panelOf(page)).toContainText('Stopped before all rows were read')
  // Where the button was that had the focus.
  await expect(panelOf(page)).toBeFocused()
  await page.unroute(explanation)
  await page.route(explanation, (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await chartOf(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('i')
  await expect(panelOf(page).getByRole('button', { name: /again|Retry/i })).toBeVisible()
  await page.unroute(explanation)
  const empty = page.url().replace(String(from), String(from - 30 * minute))
  await page.goto(empty)
  await chartOf(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('i')
  await expect(panelOf(page)).toContainText('No rows in the selection')
})

incidentTest('the incident of the sample is explained by its cause', async ({ page, api, incident: { anchor } }) => {
  const hour = 60 * minute
  const [from, to] = [anchor - 32 * hour, anchor - 28 * hour]
  const traces = (await api.sources()).find(({ kind }) => kind === 'trace')
  await page.goto(`/c/${openSource}/explorer?a=count&a.in=${traces?.id}&from=${from}&to=${to}&tz=utc&g=5m`)
  await expect(chartOf(page)).toBeVisible()
  await chartOf(page).focus()
  await select(page, 24, 8)
  await page.keyboard.press('i')
  await expect(attributesOf(page).first()).toHaveText("SpanAttributes['pool.size']")
})

incidentTest('a metric is explained by its time series', async ({ page, api, incident: { anchor } }) => {
  const hour = 60 * minute
  const metrics = (await api.sources()).find(({ kind }) => kind === 'metric')
  const query = `a=avg&a.in=${metrics?.id}&a.metric=provider.pool.connections&a.type=gauge`
  await page.goto(`/c/${openSource}/explorer?${query}&from=${anchor - 32 * hour}&to=${anchor - 28 * hour}&tz=utc&g=5m`)
  await chartOf(page).focus()
  await select(page, 24, 8)
  await page.keyboard.press('i')
  await expect(attributesOf(page).first()).toHaveText("ResourceAttributes['service.version']")
})

test('explains a part of a tile on a managed connection, and filters the dashboard', async ({ page, api }) => {
  const { from, where } = await sendSlowOrders()
  const logs = (await api.sources()).find(({ kind }) => kind === 'log')
  const config = { displayType: 'stacked_bar', sourceId: logs?.id, select: [{ aggFn: 'count', where }] }
  const tiles = [{ name: 'Orders', x: 0, y: 0, w: 24, h: 8, config }]
  const { id } = await stack(dashboard, 'POST', '/dashboards', { name: unique('Orders'), tiles })
  // Its data is read by the open-source connection to the same deployment.
  await page.goto(`${listOf(managed)}/${id}?from=${from}&to=${from + 60 * minute}&tz=utc`)
  await expect(chartOf(page)).toBeVisible()
  await fromMenu(page, 'Orders', 'Explain a range')
  await expect(page.getByText('Drag over the part to explain')).toBeVisible()
  await expect(chartOf(page)).toBeFocused()
  await select(page, 30, 10)
  await page.keyboard.press('Enter')
  await expect(attributesOf(page).first()).toHaveText("LogAttributes['app.version']")
  await expect(panelOf(page)).toContainText('all 300 rows in the selection')

  // The explanation stays while the chart cannot be read with the filter.
  await page.route('**/charts/series', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await panelOf(page)
    .getByRole('button', { name: "Filter the dashboard by LogAttributes['app.version']: 2.0", exact: true })
    .click()
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === 'LogAttributes.app.version:"2.0"')
  const tile = page.getByRole('region', { name: 'Orders', exact: true, includeHidden: true })
  await expect(tile.getByRole('button', { name: 'Try again', includeHidden: true })).toBeVisible()
  await expect(attributesOf(page).first()).toHaveText("LogAttributes['app.version']")
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toHaveCount(0)
})

incidentTest('explains a part of the chart of an alert', async ({ page, incident: { id } }) => {
  await page.goto(`/c/${openSource}/alerts/${id}?range=7d`)
  await expect(chartOf(page)).toBeVisible()
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(chartOf(page)).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Enter')
  // All that the alert counts is in the selection.
  await expect(panelOf(page)).toContainText('Nothing to compare with')
})
