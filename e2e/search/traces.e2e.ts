/** From a log line, a chart or an alert to the trace, and back to the rows. */
import { randomBytes } from 'node:crypto'
import { violations } from '../support/axe.ts'
import { plantEvaluations } from '../support/evaluations.ts'
import { now } from '../support/now.ts'
import { details, rowsOf } from './searchPage.ts'
import { sendTelemetry } from '../support/sendTelemetry.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

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
