import type { Page } from '@playwright/test'
import { connection } from '../src/contract/console/connections.ts'
import { consoleHeader, gatewayPaths } from '../src/contract/wire/gatewayWire.ts'
import { violations } from './support/axe.ts'
import { apiURL, baseURL, credentials } from './support/environment.ts'
import { chartOf, choose, exported, legendOf, openOrders, sendLogs } from './support/explorer.ts'
import { layoutShift } from './support/stillPages.ts'
import { hold } from './support/requests.ts'
import { clearFaults, expect, managed, openSource, setFaults, test, unique } from './support/test.ts'

test.use({ telemetry: true })

test('draws a query, and draws it again from its URL', async ({ page, otherBrowser }) => {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 400)
  await page.goto(`/c/${openSource}/explorer`)
  await page.getByRole('combobox', { name: 'Condition' }).fill(`ServiceName:"${service}"`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const legend = page.getByRole('table', { name: 'Legend' })
  await expect(legend.getByRole('button', { name: 'ERROR' })).toBeVisible()
  await expect(legend.getByRole('button', { name: 'INFO' })).toBeVisible()
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page.getByRole('main').getByRole('table').first()).toContainText('ERROR')
  await page.getByRole('button', { name: 'Line', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(service))

  const elsewhere = await otherBrowser({ storageState: await page.context().storageState() })
  const again = await elsewhere.newPage()
  await again.goto(page.url())
  await expect(again.getByRole('combobox', { name: 'Condition' })).toHaveValue(`ServiceName:"${service}"`)
  await expect(again.getByRole('table', { name: 'Legend' }).getByRole('button', { name: 'ERROR' })).toBeVisible()
  await expect(again.getByRole('button', { name: 'Line', exact: true })).toHaveAttribute('aria-pressed', 'true')
})

test('requests the first chart once, on arrival and not on hover over the link', async ({ page }) => {
  await sendLogs(unique('first').replace(' ', '-'), 5)
  const queries: string[] = []
  page.on('request', (request) => request.url().endsWith('/charts/series') && queries.push(request.url()))
  // A page that never needs the sources: the list of alerts does for alerts that other tests have made.
  await page.goto(`/c/${openSource}/webhooks`)
  const link = page.getByRole('navigation').getByRole('link', { name: 'Explorer' })
  const sources = page.waitForResponse(/\/stack\/sources$/)
  await link.hover()
  await (await sources).finished()
  expect(queries).toHaveLength(0)
  await link.click()
  await expect(page.getByRole('table', { name: 'Legend' })).toBeVisible()
  expect(queries).toHaveLength(1)
})

test('another source keeps of the query what it has, says what went, and that can be undone', async ({ page }) => {
  const service = await openOrders(page)
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await condition.fill(`ServiceName:"${service}" SeverityText:ERROR`)
  await page.getByRole('combobox', { name: /^Source/ }).click()
  await page.getByRole('option', { name: 'Traces' }).click()
  await expect(page.getByText('Removed SeverityText, SeverityText:ERROR: Traces has no such field.')).toBeVisible()
  await expect(condition).toHaveValue(`ServiceName:"${service}"`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  // The query is valid there: the service has logs, and no spans.
  await expect(page.getByText('No data in this range')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(condition).toHaveValue(`ServiceName:"${service}" SeverityText:ERROR`)
})

test('does not move the page when a late result arrives', async ({ page }) => {
  await sendLogs(unique('late').replace(' ', '-'), 5)
  const answerCharts = await hold(page, /\/charts\//)
  await page.goto(`/c/${openSource}/explorer`)
  await expect(page.getByRole('main').getByRole('progressbar', { name: 'Loading' })).toBeVisible()
  answerCharts()
  await expect(page.getByRole('table', { name: 'Legend' })).toBeVisible()
  // The buttons above the chart alone would move it by 0.003.
  expect(await layoutShift(page)).toBeLessThan(0.002)
})

test('marks an error in a condition at the position that the deployment names', async ({ page }) => {
  const message =
    'Body validation failed: series.0.where: field "ServcieName" does not exist: did you mean ServiceName?'
  setFaults({ match: 'POST /api/v2/charts', status: 400, body: { message } })
  await page.goto(`/c/${openSource}/explorer`)
  await page.getByRole('combobox', { name: 'Condition' }).fill('ServcieName:stack')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText(/ServiceName/).first()).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveAttribute('aria-invalid', 'true')
  clearFaults()
})

test('shows in the chart why a deployment cannot answer', async ({ page }) => {
  await page.goto(`/c/${openSource}/explorer`)
  await page.getByRole('combobox', { name: 'Condition' }).fill('ServcieName:stack')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('field "ServcieName" does not exist: did you mean ServiceName?')
})

test('reports a formula without a value, and swaps a reversed time range', async ({ page }) => {
  const service = unique('ratio').replace(' ', '-')
  await sendLogs(service, 60)
  const where = (value: string) => encodeURIComponent(`ServiceName:"${value}"`)
  // A count without rows is 0; a largest value without rows is none.
  const nobody = `b=max&b.field=SeverityNumber&b.where=${where('nobody')}`
  const question = `a=count&a.where=${where(service)}&${nobody}&formula=B%20%2F%20A`
  await page.goto(`/c/${openSource}/explorer?from=now&to=now-1h&${question}`)
  await page.getByRole('button', { name: 'Swap start and end' }).click()
  await expect(page.getByText('No values to draw')).toBeVisible()
  await page.getByRole('button', { name: 'Treat missing buckets as zero' }).click()
  await expect(legendOf(page).getByRole('row', { name: 'B / A' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Formula' }).fill('A / 0')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('No values to draw')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Treat missing buckets as zero' })).toBeHidden()
})

test('has no accessibility violations in any state', async ({ page }) => {
  test.slow()
  const settled = async () => expect(await violations(page)).toEqual([])
  await openOrders(page, `over=${managed}`)
  await expect(page.getByText(/cannot be overlaid/)).toBeVisible()
  await settled()
  await page.getByRole('button', { name: 'Remove overlay' }).click()
  await expect(page.getByText(/cannot be overlaid/)).toHaveCount(0)
  for (const view of ['Table', 'Number', 'Stacked area']) {
    await page.getByRole('button', { name: view, exact: true }).click()
    await settled()
  }
  for (const menu of ['Overlay', 'Share', 'Export', 'Save']) {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await settled()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  for (const item of ['Save as tile', 'Create alert']) {
    await choose(page, 'Save', item)
    await expect(page.getByRole('dialog')).toBeVisible()
    await settled()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await chartOf(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Close the pinned values' })).toBeVisible()
  await settled()
  await page.goto(`/c/${openSource}/explorer?a=count&a.where=ServiceName:nobody`)
  await expect(page.getByText('No data in this range')).toBeVisible()
  await settled()
  await page.goto(`/c/${openSource}/explorer?a=count&a.where=ServcieName:x&g=3m`)
  await expect(page.getByRole('alert')).toContainText('did you mean ServiceName?')
  await settled()
})

const fromPage = () => ({ [consoleHeader]: '1', origin: baseURL })

/** A second connection to the same deployment, past the form. */
async function secondConnection(page: Page, name: string): Promise<string> {
  const answer = await page.request.post(gatewayPaths.connections, {
    headers: fromPage(),
    data: {
      name,
      variant: 'openSource',
      baseUrl: apiURL,
      allowPrivate: true,
      accessKey: credentials().personalAccessKey,
    },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  return connection.parse(await answer.json()).id
}

test('overlays a second connection in a separate legend group, or explains why it cannot', async ({ page }) => {
  const name = unique('Twin')
  const twin = await secondConnection(page, name)
  await openOrders(page)
  await choose(page, 'Overlay', new RegExp(name))
  await expect(page.getByText(`Dashed: ${name}. Sources: Logs → Logs (the same source).`)).toBeVisible()
  const groups = legendOf(page).getByRole('rowheader')
  await expect(groups).toHaveText([/Local/, name])
  await expect(legendOf(page).getByRole('button', { name: `ERROR · ${name}` })).toBeVisible()
  await page.getByRole('button', { name: 'Change sources' }).click()
  await expect(page.getByRole('combobox', { name: 'Use instead of Logs' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  const svg = (await exported(page, 'Chart as SVG')).content.toString()
  expect(svg).toContain(name)
  expect(svg).toContain('stroke-dasharray="8 4"')
  // The link shows the same again.
  await page.reload()
  await expect(legendOf(page).getByRole('button', { name: `ERROR · ${name}` })).toBeVisible()

  await choose(page, `Overlay: ${name}`, /managed/)
  await expect(page.getByText(/cannot be overlaid. The managed API does not offer charts/)).toBeVisible()
  await expect(legendOf(page).getByRole('rowheader')).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove overlay' }).click()
  await expect(page).not.toHaveURL(/over=/)
  const deleted = await page.request.delete(`${gatewayPaths.connections}/${twin}`, {
    headers: fromPage(),
  })
  expect(deleted.ok()).toBe(true)
})

test('adds a query as a tile to a new or an existing dashboard, without writing it twice', async ({ page, api }) => {
  const service = await openOrders(page)
  const name = unique('Orders')
  await choose(page, 'Save', 'Save as tile')
  await page.getByRole('textbox', { name: 'New dashboard name' }).fill(name)
  await page.getByRole('button', { name: 'Save tile' }).click()
  await expect(page.getByText(`Tile saved to dashboard ${name}`)).toBeVisible()

  // Somebody else changes the dashboard meanwhile: their changes are kept.
  const stored = (await api.dashboards()).find((dashboard) => dashboard.name === name)
  await api.updateDashboard(stored?.id ?? '', {
    name,
    tags: ['kept'],
    tiles: [...(stored?.tiles ?? []), { name: 'Note', x: 0, y: 20, w: 4, h: 2, config: { displayType: 'markdown' } }],
  })
  await page.getByRole('button', { name: 'Line', exact: true }).click()
  const save = async () => {
    await choose(page, 'Save', 'Save as tile')
    await page.getByRole('combobox', { name: 'Dashboard' }).fill(name)
    await page.getByRole('option', { name }).click()
    await page.getByRole('button', { name: 'Save tile' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await save()
  const after = (await api.dashboards()).find((dashboard) => dashboard.name === name)
  expect(after?.tags).toEqual(['kept'])
  expect(after?.tiles.map(({ config }) => config?.displayType)).toEqual(['stacked_bar', 'markdown', 'line'])
  expect(after?.tiles[2]?.config).toMatchObject({
    groupBy: 'SeverityText',
    select: [{ aggFn: 'count', where: `ServiceName:"${service}"`, whereLanguage: 'lucene' }],
  })
  await save()
  await expect(page.getByText(/already has this tile. Nothing was changed/)).toBeVisible()
  expect((await api.dashboards()).find((dashboard) => dashboard.name === name)?.tiles).toHaveLength(3)
})

test('creates an alert from a series, starting with a tile for it', async ({ page, api }) => {
  await openOrders(page, `b=count&b.where=${encodeURIComponent('SeverityText:"ERROR"')}&b.as=Errors`)
  const name = unique('Watched')
  await choose(page, 'Save', 'Create alert')
  await page.getByRole('textbox', { name: 'New dashboard name' }).fill(name)
  await page.getByRole('combobox', { name: 'Series' }).click()
  await page.getByRole('option', { name: 'B: Errors' }).click()
  await page.getByRole('button', { name: 'Continue to alert' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New alert' })).toBeVisible()
  const stored = (await api.dashboards()).find((dashboard) => dashboard.name === name)
  const [tile] = stored?.tiles ?? []
  await expect(page).toHaveURL(new RegExp(`dashboardId=${stored?.id}&tileId=${tile?.id}`))
  expect(tile?.config?.select).toMatchObject([{ alias: 'Errors', where: 'SeverityText:"ERROR"' }])
  await expect(page.getByRole('combobox', { name: 'Dashboard' })).toHaveValue(name)
  await expect(page.getByRole('combobox', { name: 'Tile' })).toHaveValue(/Errors/)
})

test('shows a range as one number for each group', async ({ page }) => {
  await openOrders(page)
  await page.getByRole('button', { name: 'Number', exact: true }).click()
  const numbers = page.getByRole('list', { name: 'count by SeverityText' })
  await expect(numbers.getByRole('listitem').filter({ hasText: 'INFO' })).toContainText('300')
  await expect(numbers.getByRole('listitem').filter({ hasText: 'ERROR' })).toContainText('100')
})

test('charts the p95 of spans by service from nothing in seven clicks', async ({ page }) => {
  await page.goto(`/c/${openSource}/explorer`)
  let clicks = 0
  const click = async (role: 'combobox' | 'option' | 'button', name: string) => {
    // The name of a choice ends with what is chosen.
    await page.getByRole(role, { name: role === 'combobox' ? new RegExp(`^${name}`) : name, exact: true }).click()
    clicks++
  }
  await click('combobox', 'Source')
  await click('option', 'Traces')
  await click('combobox', 'Aggregate')
  await click('option', 'p95')
  // Durations are what is measured of spans.
  await expect(page.getByRole('combobox', { name: 'Field', exact: true })).toHaveValue('Duration')
  await click('combobox', 'Group by')
  await click('option', 'ServiceName')
  await click('button', 'Run')
  expect(clicks).toBe(7)
  await expect(page.getByRole('heading', { name: 'p95(Duration) by ServiceName' })).toBeVisible()
  const own = page.getByRole('table', { name: 'Legend' }).getByRole('row', { name: /^stack / })
  // Services of other tests may be above it.
  await own.scrollIntoViewIfNeeded()
  await expect(own).toBeInViewport()
  await expect(own).toContainText(/\d m?s/)
})

test('shows any time zone, in the link and on the next page too', async ({ page, otherBrowser }) => {
  await openOrders(page, '&from=now-7d')
  const range = page.getByRole('group', { name: 'Time range' }).getByRole('button', { name: 'Last 7 days' })
  await range.click()
  const zone = page.getByRole('combobox', { name: 'Other time zone' })
  expect(await violations(page)).toEqual([])
  await zone.fill('Asia/Tok')
  const asked = page.waitForRequest((request) => request.url().endsWith('/charts/series'))
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  // Buckets of hours start by the clock of the zone.
  expect((await asked).postDataJSON()).toMatchObject({ timezone: 'Asia/Tokyo' })
  await expect(page).toHaveURL(/[?&]tz=Asia\/Tokyo/)
  await page.keyboard.press('Escape')
  await expect(range).toHaveText('Last 7 days Tokyo')
  const elsewhere = await otherBrowser({
    storageState: await page.context().storageState(),
    timezoneId: 'America/New_York',
  })
  const link = await elsewhere.newPage()
  await link.goto(page.url())
  await expect(link.getByRole('button', { name: 'Last 7 days Tokyo' })).toBeVisible()
  await page.goto(`/c/${openSource}/search`)
  await expect(page.getByRole('button', { name: 'Last hour Tokyo' })).toBeVisible()
  await page.getByRole('button', { name: 'Last hour Tokyo' }).click()
  await page.getByRole('button', { name: 'UTC', exact: true }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Last hour UTC' })).toBeVisible()
})

test('says that a chart takes long, stops it, and runs it again, with the keyboard too', async ({ page }) => {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 50)
  setFaults({ match: 'POST /api/v2/charts/series', hold: true })
  const where = encodeURIComponent(`ServiceName:"${service}"`)
  await page.goto(`/c/${openSource}/explorer?a=count&a.where=${where}&by=SeverityText`)
  const main = page.getByRole('main')
  await expect(main.getByText('Still loading', { exact: true })).toBeVisible()
  await expect(main.getByRole('progressbar', { name: 'Rows read' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await main.getByRole('button', { name: 'Stop', exact: true }).press('Enter')
  const again = main.getByRole('button', { name: 'Run again' })
  await expect(again).toBeFocused()
  await expect(main.getByText('Stopped', { exact: true })).toBeVisible()
  clearFaults()
  await again.press('Enter')
  await expect(legendOf(page).getByRole('button', { name: /ERROR$/ })).toBeVisible()
  await expect(again).toBeHidden()
  // The focus stays where the button was.
  await expect(main.getByRole('group', { name: 'Query status' })).toBeFocused()

  // The drawn chart stays when a refresh of it is stopped.
  setFaults({ match: 'POST /api/v2/charts/series', hold: true })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await main.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(main.getByText('Still loading', { exact: true })).toBeHidden()
  await expect(legendOf(page).getByRole('button', { name: /ERROR$/ })).toBeVisible()
  clearFaults()
})
