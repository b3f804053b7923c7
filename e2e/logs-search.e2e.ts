/** The search page: rows of logs, filters, details of a row, and what leads on from there. */
import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { sendTelemetry } from './support/sendTelemetry.ts'
import { plantEvaluations } from './support/evaluations.ts'
import { exported, sendLogs } from './support/explorer.ts'
import { chooseAction, expect, hasWebhooks, managed, openSource, setFaults, test, unique } from './support/test.ts'
import { now } from './support/now.ts'

test.use({ telemetry: true })

const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Rows' })
const details = (page: Page) => page.getByRole('region', { name: 'Row details' })
const status = (page: Page) => page.getByRole('status').filter({ hasText: 'loaded' })

/** The page on the logs of one service that no other test knows. */
async function openOrders(page: Page, count = 40, more = ''): Promise<string> {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, count)
  const q = encodeURIComponent(`ServiceName:"${service}"`)
  await page.goto(`/c/${openSource}/search?q=${q}${more}`)
  await expect(rowsOf(page).getByRole('row', { name: 'order 0', exact: false }).first()).toBeVisible()
  return service
}

test('narrows rows by a facet, opens one by keyboard, and filters by an attribute of it', async ({ page }) => {
  const service = await openOrders(page)
  await expect(status(page)).toContainText('40 rows · 40 loaded')
  await page.getByRole('button', { name: 'Filter by SeverityText ERROR, 10 rows' }).click()
  await expect(status(page)).toContainText('10 rows · 10 loaded')
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(
    `ServiceName:"${service}" AND SeverityText:"ERROR"`,
  )

  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('o')
  await expect(details(page)).toContainText('order 4')
  await expect(details(page)).toContainText('service.name')
  expect(await violations(page)).toEqual([])
  // The row that is open is part of the URL.
  await page.reload()
  await expect(details(page)).toContainText('order 4')
  await page.keyboard.press('k')
  await expect(details(page)).toContainText('order 0')
  await details(page).getByRole('button', { name: 'Exclude SeverityText' }).click()
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(
    `ServiceName:"${service}" AND NOT SeverityText:"ERROR"`,
  )
  await expect(status(page)).toContainText('30 rows')
  await page.goBack()
  await expect(status(page)).toContainText('10 rows')

  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Condition' })).toBeFocused()
})

test('groups the messages into patterns, lists the rows of one and excludes another', async ({ page }) => {
  const service = await openOrders(page)
  const message = {
    timeUnixNano: `${now() - 60_000}000000`,
    severityText: 'WARN',
    body: { stringValue: 'disk is full' },
  }
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [message] }] }] })
  await page.reload()
  const view = page.getByRole('group', { name: 'View' })
  await view.getByRole('button', { name: 'Rows' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=patterns/)
  const patterns = page.getByRole('region', { name: 'Patterns' })
  const orders = patterns.getByRole('row', { name: 'order <*>' })
  await expect(orders).toContainText('40')
  await expect(orders).toContainText('97.5 %')
  await expect(orders.getByRole('img', { name: '30 INFO, 10 ERROR' })).toBeVisible()
  await expect(patterns.getByRole('row', { name: 'disk is full' })).toContainText('2.4 %')
  expect(await violations(page)).toEqual([])
  // It is remembered in the URL.
  await page.reload()
  await orders.getByRole('button', { name: 'Exclude order <*>' }).press('Enter')
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await expect(condition).toHaveValue(`ServiceName:"${service}" AND NOT Body:(order*)`)
  await expect(patterns.getByRole('row')).toHaveCount(2)
  await page.goBack()
  await orders.getByRole('button', { name: 'Show rows of order <*>' }).press('Enter')
  await expect(condition).toHaveValue(`ServiceName:"${service}" AND Body:(order*)`)
  await expect(status(page)).toContainText('40 rows · 40 loaded')
  await expect(rowsOf(page)).not.toContainText('disk is full')
})

test('filters by a pattern in SQL too', async ({ page }) => {
  const service = await openOrders(page)
  const q = encodeURIComponent(`ServiceName = '${service}'`)
  await page.goto(`/c/${openSource}/search?view=patterns&lang=sql&q=${q}`)
  await page.getByRole('button', { name: 'Show rows of order <*>' }).click()
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(/ AND .*Body ILIKE 'order%'/)
  await expect(status(page)).toContainText('40 rows · 40 loaded')
})

test('a new search leaves out the own telemetry of the stack until its condition is removed', async ({ page }) => {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 3)
  await page.goto(`/c/${openSource}/search`)
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await expect(condition).toHaveValue('NOT ServiceName:"stack" AND NOT ServiceName:"console-gateway"')
  await expect(rowsOf(page).getByRole('row', { name: 'order 0', exact: false }).first()).toBeVisible()
  await condition.fill('')
  await condition.press('Enter')
  await expect(page).toHaveURL(/[?&]source=/)
  await expect(condition).toHaveValue('')
  await page.reload()
  await expect(rowsOf(page).getByRole('row').first()).toBeVisible()
  await expect(condition).toHaveValue('')
  await page.goto(`/c/${openSource}/search`)
  await condition.fill(`ServiceName:"${service}"`)
  await condition.press('Enter')
  await expect(status(page)).toContainText('3 rows · 3 loaded')
})

test('shows the rows around one of them', async ({ page }) => {
  const service = await openOrders(page)
  await rowsOf(page)
    .getByRole('row', { name: /order 20\b/ })
    .click()
  await page.getByRole('button', { name: 'Show around' }).click()
  await page.getByRole('menuitem', { name: `Rows of ${service}` }).click()
  await expect(details(page)).toContainText('order 20')
  await expect(status(page)).toContainText(/\b[5-9] rows/)
})

test('chooses columns and exports the rows', async ({ page }) => {
  await openOrders(page, 12)
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('combobox', { name: 'Columns after the time' })
  await columns.fill("ResourceAttributes['service.name']")
  await columns.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: "ResourceAttributes['service.name']" })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: "ResourceAttributes['service.name']" })).toBeVisible()
  await expect(status(page)).toContainText('12 loaded')

  const csv = (await exported(page, 'Rows as CSV')).content.toString()
  expect(csv.split('\r\n')[0]).toBe("Time,ServiceName,SeverityText,Body,ResourceAttributes['service.name']")
  expect(csv.trim().split('\r\n')).toHaveLength(13)
  const lines = (await exported(page, 'Rows as JSON lines')).content.toString().trim().split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ Body: 'order 0', SeverityText: 'ERROR' })
})

test('loads older rows on the way down', async ({ page }) => {
  await openOrders(page, 1500)
  await expect(status(page)).toContainText('1,500 rows · 200 loaded')
  // The list may become longer just when it is scrolled to what was its end.
  const reach = (what: Locator) =>
    expect(async () => {
      await rowsOf(page).evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
      await expect(what).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: 30_000 })
  await reach(status(page).filter({ hasText: /1,[25]00 loaded/ }))
  await reach(status(page).filter({ hasText: '1,500 loaded' }))
  await reach(rowsOf(page).getByRole('row', { name: /order 1499\b/ }))
})

test('saves a search and opens it again', async ({ page }) => {
  const service = await openOrders(page, 5)
  const name = unique('Orders')
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await expect(page.getByRole('textbox', { name: 'Condition' })).toHaveValue(`ServiceName:"${service}"`)
  await page.getByRole('button', { name: 'Create saved search' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('button', { name: 'Open search' }).click()
  await expect(status(page)).toContainText('5 rows')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('combobox', { name: 'Saved search' })).toHaveValue(name)
})

/** A trace of three spans, the innermost of which fails, and one log of it. Returns its ID. */
async function sendTrace(service: string): Promise<string> {
  const traceId = randomBytes(16).toString('hex')
  const ids = Array.from({ length: 3 }, () => randomBytes(8).toString('hex'))
  const start = BigInt(now() - 60_000) * 1_000_000n
  const spans = ids.map((spanId, at) => ({
    traceId,
    spanId,
    ...(at > 0 && { parentSpanId: ids[at - 1] }),
    name: ['POST /orders', 'charge', 'INSERT payments'][at],
    kind: 1,
    startTimeUnixNano: String(start + BigInt(at) * 10_000_000n),
    endTimeUnixNano: String(start + 100_000_000n - BigInt(at) * 10_000_000n),
    status: { code: at === 2 ? 2 : 0 },
    attributes: [{ key: 'order.step', value: { stringValue: `step ${at}` } }],
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  const logRecords = [
    {
      timeUnixNano: String(start + 50_000_000n),
      traceId,
      spanId: ids[2],
      severityText: 'ERROR',
      body: { stringValue: 'no connection' },
    },
  ]
  await sendTelemetry('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
  return traceId
}

test('goes from a log line to its trace, and from a span back to the rows', async ({ page }) => {
  const service = unique('trace').replace(' ', '-')
  const traceId = await sendTrace(service)
  await page.goto(`/c/${openSource}/search?q=${encodeURIComponent(`ServiceName:"${service}"`)}`)
  await rowsOf(page)
    .getByRole('row', { name: /no connection/ })
    .click()
  await page.getByRole('link', { name: 'Open trace' }).click()
  const spans = page.getByRole('treegrid', { name: 'Spans' })
  await expect(spans.getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('heading', { level: 1, name: 'POST /orders' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(traceId)
  // The span of the log line is open.
  const open = page.getByRole('region', { name: 'Span details' })
  await expect(open).toContainText('no connection')
  await expect(open).toContainText('step 2')
  await expect(spans.getByRole('row', { name: /INSERT payments/ }).getByRole('img', { name: 'Error' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('k')
  await expect(open).toContainText('step 1')
  await open.getByRole('button', { name: 'Filter by order.step' }).click()
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue('SpanAttributes.order.step:"step 1"')
  await expect(
    rowsOf(page)
      .getByRole('row', { name: /charge/ })
      .first(),
  ).toBeVisible()
})

test('finds the log line of an incident and its trace from a chart, by keyboard', async ({ page }) => {
  const service = unique('incident').replace(' ', '-')
  const traceId = await sendTrace(service)
  const where = encodeURIComponent(`ServiceName:"${service}"`)
  await page.goto(`/c/${openSource}/explorer?a=count&a.where=${where}&by=SeverityText&from=now-15m`)
  const chart = page.getByRole('application')
  await expect(chart).toBeVisible()
  const keys: string[] = []
  const press = async (key: string) => {
    keys.push(key)
    await page.keyboard.press(key)
  }
  await press('c')
  await expect(chart).toBeFocused()
  // Back in time to the bucket with the error, and to its events.
  const tooltip = page.getByTestId('chart-tooltip')
  let shown = ''
  while (!shown.includes('ERROR')) {
    await press('ArrowLeft')
    // It follows the key: a key too many would pass the bucket.
    await expect(tooltip).toBeVisible()
    await expect(tooltip).not.toHaveText(shown, { useInnerText: true })
    shown = await tooltip.innerText()
  }
  await press('v')
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(`ServiceName:"${service}"`)
  await expect(rowsOf(page).getByRole('row', { name: /no connection/ })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d+$/)
  await press('j')
  await press('o')
  await expect(details(page)).toContainText('no connection')
  await press('t')
  await expect(page.getByRole('main')).toContainText(traceId)
  await expect(page.getByRole('region', { name: 'Span details' })).toContainText('no connection')
  // The tree: from the failed span to its parents, and closed there.
  const spans = page.getByRole('treegrid', { name: 'Spans' })
  await spans.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('region', { name: 'Span details' })).toContainText('step 1')
  await page.keyboard.press('ArrowLeft')
  await expect(spans.getByRole('row')).toHaveCount(3)
  await page.keyboard.press('ArrowRight')
  await expect(spans.getByRole('row')).toHaveCount(4)
  test.info().annotations.push({ type: 'keys', description: `${keys.length}: ${keys.join(' ')}` })
  expect(keys.length).toBeLessThan(15)
})

test('finds the log line of an incident and its trace from the alert that fired, by keyboard', async ({
  page,
  api,
}) => {
  const service = unique('fired').replace(' ', '-')
  const traceId = await sendTrace(service)
  const { id } = await api.createSearchAlert(service, `ServiceName:"${service}" AND SeverityText:"ERROR"`)
  const window = 5 * 60_000
  await plantEvaluations(id, ['OK', 'ALERT'], Math.ceil((now() - 60_000) / window) * window)
  await page.goto(`/c/${openSource}/alerts`)
  await expect(page.getByRole('row').filter({ hasText: service })).toBeVisible()
  const keys: string[] = []
  const press = async (key: string) => {
    keys.push(key)
    await page.keyboard.press(key)
  }
  await press('/')
  for (const key of service.slice(-4)) await press(key)
  await press('ArrowDown')
  await expect(page.getByRole('link', { name: service }).first()).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: service })).toBeVisible()
  await expect(page.getByRole('button', { name: 'View events' })).toBeEnabled()
  await press('v')
  await expect(rowsOf(page).getByRole('row', { name: /no connection/ })).toBeVisible()
  await press('j')
  await press('o')
  await expect(details(page)).toContainText('no connection')
  await press('t')
  await expect(page.getByRole('main')).toContainText(traceId)
  test.info().annotations.push({ type: 'keys', description: `${keys.length}: ${keys.join(' ')}` })
  expect(keys).toHaveLength(11)
  await api.deleteAlert(id)
})

test('adds new rows on top, sorts, resizes and moves columns, and narrows to a selection', async ({ page }) => {
  const service = await openOrders(page, 8, '&live=1&from=now-15m')
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible()
  await sendLogs(service, 1)
  await expect(status(page)).toContainText('9 loaded')
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Live tail' })).toHaveAttribute('aria-pressed', 'false')

  const head = (name: string) => page.getByRole('columnheader', { name })
  await head('Time').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Oldest first' }).click()
  await expect(head('Time')).toHaveAttribute('aria-sort', 'ascending')
  await expect(rowsOf(page).getByRole('row').nth(1)).toContainText('order 7')
  await head('SeverityText').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Move left' }).click()
  await expect(page.getByRole('columnheader').nth(1)).toContainText('SeverityText')
  await page.getByRole('separator', { name: 'Width of SeverityText' }).press('ArrowRight')
  await expect(page).toHaveURL((url) => url.searchParams.get('widths') === '110')

  await page.getByRole('application').press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  const narrow = page.getByRole('button', { name: 'Narrow to selection' })
  await expect(narrow).toBeVisible()
  expect(await violations(page)).toEqual([])
  await narrow.click()
  await expect(narrow).toBeHidden()
  await expect(page).toHaveURL((url) => /^\d+$/.test(url.searchParams.get('to') ?? ''))
})

test('says what is wrong with a condition, and when nothing matches', async ({ page }) => {
  await openOrders(page, 3)
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await condition.fill('Duration:>5 AND (order')
  await condition.press('Enter')
  await expect(page.getByText('a parenthesis is not closed')).toBeVisible()
  await condition.fill('nothing-has-this-word')
  await condition.press('Control+Enter')
  await expect(page.getByText('No rows in this range')).toBeVisible()
  setFaults({ match: 'POST /api/v2/search', status: 500, body: { message: 'Query execution failed' } })
  await condition.fill('order')
  await condition.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
})

/** The page on one log with this text and these attributes, whose service no other test knows. */
async function openLog(page: Page, body: string, attributes: Record<string, string> = {}): Promise<string> {
  const service = unique('shop').replace(' ', '-')
  const record = {
    timeUnixNano: String(BigInt(now() - 5000) * 1_000_000n),
    severityText: 'ERROR',
    body: { stringValue: body },
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
  }
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] })
  await page.goto(`/c/${openSource}/search?q=${encodeURIComponent(`ServiceName:"${service}"`)}`)
  await expect(rowsOf(page).getByRole('row', { name: body })).toBeVisible()
  return service
}

test('searches the text where a condition names a field that does not exist, and says so', async ({ page }) => {
  const service = await openLog(page, 'Error: timeout after 30 s', { Error: 'ETIMEDOUT' })
  const condition = page.getByRole('combobox', { name: 'Condition' })
  const written = String.raw`Error\: timeout ServiceName:"${service}"`
  const said = page.getByText('“Error” is not a field of Logs, so it is searched as text.')
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/stack/') && requests.push(request.postData() ?? ''))
  await condition.fill(`Error: timeout ServiceName:"${service}"`)
  await condition.press('Enter')
  await expect(said).toBeVisible()
  await expect(condition).toHaveValue(written)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  await expect(rowsOf(page).locator('mark')).toHaveText([service, 'Error:', 'timeout'])

  // Facets, links and reads of what is new have the same condition, which is refused nowhere.
  await page.getByRole('button', { name: 'Filter by SeverityText ERROR, 1 rows' }).click()
  await expect(condition).toHaveValue(
    String.raw`Error\: AND timeout AND ServiceName:"${service}" AND SeverityText:"ERROR"`,
  )
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  await expect(said).toBeVisible()
  expect(await violations(page)).toEqual([])
  const link = page.url()
  const refused = () => requests.filter((body) => body.includes('Error: timeout'))
  const before = refused().length
  await condition.fill(`Error: timeout ServiceName:"${service}" SeverityText:error`)
  await condition.press('Enter')
  await expect(condition).toHaveValue(`${written} SeverityText:error`)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  expect(refused()).toHaveLength(before)

  const answers: number[] = []
  page.on('response', (response) => response.url().includes('/stack/') && answers.push(response.status()))
  await page.goto(link)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  expect(answers.filter((answer) => answer >= 400)).toEqual([])
})

test('offers the field that a misspelled one may mean, and the attribute', async ({ page }) => {
  const service = await openLog(page, 'Code: 7', { Code: '7' })
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await condition.fill(`Servicename:"${service}" Bdy:code`)
  await condition.press('Enter')
  await expect(page.getByText('No rows in this range')).toBeVisible()
  await expect(
    page.getByText('“Servicename” and “Bdy” are not fields of Logs, so they are searched as text.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Search ServiceName', exact: true }).click()
  await page.getByRole('button', { name: 'Search Body', exact: true }).click()
  await expect(condition).toHaveValue(`ServiceName:"${service}" Body:code`)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  await expect(page.getByText('is not a field')).toBeHidden()

  await condition.fill(`Code:7 ServiceName:"${service}"`)
  await condition.press('Enter')
  await page.getByRole('button', { name: 'Search LogAttributes.Code' }).click()
  await expect(condition).toHaveValue(`LogAttributes.Code:7 ServiceName:"${service}"`)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
})

test('adds, turns and removes a filter in a condition with || and in one with an apostrophe', async ({ page }) => {
  const service = await openLog(page, "can't connect to db")
  const condition = page.getByRole('combobox', { name: 'Condition' })
  for (const [typed, enclosed] of [
    ["can't connect", "can't AND connect"],
    ['connect || absent', '(connect || absent)'],
  ]) {
    await condition.fill(`${typed}`)
    await condition.press('Enter')
    await expect(condition).toHaveValue(`${typed}`)
    await page.getByRole('button', { name: `Filter by ServiceName ${service}, 1 rows` }).click()
    await expect(condition).toHaveValue(`${enclosed} AND ServiceName:"${service}"`)
    await expect(status(page)).toContainText('1 rows · 1 loaded')
    await page.getByRole('button', { name: `Included: exclude ServiceName ${service} instead, 1 rows` }).click()
    await expect(condition).toHaveValue(`${enclosed} AND NOT ServiceName:"${service}"`)
    await expect(rowsOf(page).getByRole('row', { name: service })).toBeHidden()
    await page.goBack()
    await expect(condition).toHaveValue(`${enclosed} AND ServiceName:"${service}"`)
  }
})

test('filters by attributes whose keys have signs and spaces', async ({ page }) => {
  const keys = ['app.kubernetes.io/name', 'user@host', '$price', 'a:b', 'list[0]', 'the name', "it's", 'quo"te']
  const service = await openLog(page, 'paid', Object.fromEntries(keys.map((key, at) => [key, `value ${at}`])))
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await rowsOf(page).getByRole('row', { name: 'paid' }).click()
  for (const key of keys) {
    await details(page)
      .getByRole('button', { name: `Filter by ${key}`, exact: true })
      .click()
    await expect(condition).toHaveValue(/^ServiceName:.* AND /)
    await expect(status(page)).toContainText('1 rows · 1 loaded')
    await page.getByRole('button', { name: 'Columns' }).focus()
    await rowsOf(page).getByRole('row', { name: 'paid' }).click()
    await details(page)
      .getByRole('button', { name: `Exclude ${key}`, exact: true })
      .click()
    await expect(page.getByText('No rows in this range')).toBeVisible()
    await condition.fill(`ServiceName:"${service}"`)
    await condition.press('Enter')
    await rowsOf(page).getByRole('row', { name: 'paid' }).click()
  }
})

test('is not offered on the managed variant, with the reason', async ({ page }) => {
  await page.goto(`/c/${managed}/search`)
  await expect(page.getByRole('main')).toContainText('The managed API does not offer search.')
})

for (const connection of [openSource, managed]) {
  test(`creates, edits and deletes a saved search with an alert, on ${connection}`, async ({ page, api }) => {
    const name = unique('Errors')
    await page.goto(`/c/${connection}/saved-searches`)
    await expect(page.getByRole('heading', { level: 1, name: 'Saved searches' })).toBeVisible()
    await page.getByRole('link', { name: 'New saved search' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await page.getByRole('combobox', { name: 'Source' }).fill('Logs')
    await page.getByRole('option', { name: 'Logs' }).first().click()
    await page.getByRole('textbox', { name: 'Condition' }).fill('SeverityText:error')
    await page.getByRole('textbox', { name: 'Pinned filters' }).fill("ServiceName = 'web'")
    await page.getByRole('button', { name: 'Create saved search' }).click()
    await expect(page.getByText(/Cannot be pinned/)).toBeVisible()
    await page.getByRole('textbox', { name: 'Pinned filters' }).fill("ServiceName IN ('web')")
    await page.getByRole('button', { name: 'Create saved search' }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('main')).toContainText("ServiceName IN ('web')")

    await chooseAction(page, 'Create alert')
    await expect(page.getByRole('combobox', { name: 'Saved search' })).toHaveValue(name)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Alert on ${name}`)
    await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('5')
    if (hasWebhooks(connection)) {
      await page.getByRole('combobox', { name: /webhook/i }).click()
      await page.getByRole('option').first().click()
    } else {
      const [webhook] = await api.webhooks()
      await page.getByRole('textbox', { name: /webhook/i }).fill(webhook?.id ?? '')
    }
    await page.getByRole('button', { name: 'Create alert' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `Alert on ${name}` })).toBeVisible()

    await page.goto(`/c/${connection}/saved-searches`)
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('link', { name: `Alert on ${name}` })).toBeVisible()
    // Where no search can be opened, editing is what people come for.
    if (connection === openSource) await chooseAction(page, 'Edit')
    else await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Condition' }).fill('SeverityText:fatal')
    await page.getByRole('button', { name: /^Review/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save saved search' }).click()
    await expect(page.getByRole('main')).toContainText('SeverityText:fatal')

    await chooseAction(page, 'Delete')
    await page.getByRole('dialog').getByRole('textbox').fill(name)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(page.getByText('New saved search').first()).toBeVisible()
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
    // The save before it has one too.
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  })
}
