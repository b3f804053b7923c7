/** A trace in which the clock of one host is far off. */
import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { sendTelemetry } from './support/sendTelemetry.ts'
import { expect, openSource, test, unique } from './support/test.ts'
import { now } from './support/now.ts'

test.use({ telemetry: true })

/** A request of a web service, half an hour ago, that calls another one, whose clock is ahead. @param ahead milliseconds */
async function sendTrace(web: string, stock: string, ahead: number): Promise<string> {
  const traceId = randomBytes(16).toString('hex')
  const [request, call, answer] = Array.from({ length: 3 }, () => randomBytes(8).toString('hex'))
  const start = BigInt(now() - 1_800_000) * 1_000_000n
  const span = (
    spanId: string | undefined,
    parentSpanId: string | undefined,
    name: string,
    kind: number,
    ms: number[],
  ) => ({
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startTimeUnixNano: String(start + BigInt(ms[0] ?? 0) * 1_000_000n),
    endTimeUnixNano: String(start + BigInt(ms[1] ?? 0) * 1_000_000n),
    attributes: [{ key: 'stock.step', value: { stringValue: name } }],
  })
  const of = (service: string, spans: object[]) => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [{ spans }],
  })
  const resourceSpans = [
    of(web, [span(request, undefined, 'GET /cart', 2, [0, 200]), span(call, request, 'reserve', 3, [20, 180])]),
    of(stock, [span(answer, call, 'POST /reserve', 2, [ahead + 50, ahead + 150])]),
  ]
  await sendTelemetry('traces', { resourceSpans })
  return traceId
}

const spans = (page: Page) => page.getByRole('treegrid', { name: 'Spans' })

/** The share of the width of the trace that a bar begins and ends at. */
async function placeOf(row: Locator): Promise<{ from: number; to: number }> {
  return row
    .getByRole('gridcell')
    .nth(1)
    .evaluate((axis) => {
      const bar = axis.firstElementChild?.getBoundingClientRect()
      const { left, width } = axis.getBoundingClientRect()
      return { from: ((bar?.left ?? 0) - left) / width, to: ((bar?.right ?? 0) - left) / width }
    })
}

test('its spans are shown within their caller, which the page says, or as they were recorded', async ({ page }) => {
  const [web, stock] = ['web', 'stock'].map((name) => unique(name).replace(' ', '-'))
  const traceId = await sendTrace(web ?? '', stock ?? '', 1_000_000)
  await page.goto(`/c/${openSource}/traces/${traceId}`)
  const notice = page.getByRole('note').filter({ hasText: 'The clocks of the hosts differ' })
  await expect(notice).toContainText(
    `${stock} 16.7 min ahead. Their spans are shown within the spans that called them.`,
  )
  await expect(page.getByRole('definition').first()).toHaveText('200 ms')
  const answer = spans(page).getByRole('row', { name: /POST \/reserve/ })
  const { from, to } = await placeOf(answer)
  expect(from).toBeCloseTo(0.25, 2)
  expect(to).toBeCloseTo(0.75, 2)
  await answer.click()
  const open = page.getByRole('region', { name: 'Span details' })
  await expect(open).toContainText('by a clock that is 16.7 min ahead')
  await expect(open).toContainText('50 % of the trace')
  await expect(open.getByRole('button', { name: 'Filter by stock.step' })).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Show recorded times' }).click()
  await expect(notice).toContainText('The spans are shown at the times that were recorded.')
  await expect(page.getByRole('definition').first()).toHaveText('1,000 s')
  expect((await placeOf(answer)).from).toBeGreaterThan(0.9)
  await page.getByRole('button', { name: 'Align the clocks' }).click()
  await expect(notice).toContainText('within the spans that called them')
  expect((await placeOf(answer)).to).toBeCloseTo(0.75, 2)
})

test.describe('spans of a host whose clock is five hours ahead', () => {
  for (const [from, at] of [
    ['of its caller', now() - 1_800_000],
    ['of that host', now() - 1_800_000 + 5 * 3_600_000],
  ] as const) {
    test(`are found from a row ${from}`, async ({ page }) => {
      const [web, stock] = ['web', 'stock'].map((name) => unique(name).replace(' ', '-'))
      const traceId = await sendTrace(web ?? '', stock ?? '', 5 * 3_600_000)
      await page.goto(`/c/${openSource}/traces/${traceId}?at=${at}`)
      await expect(page.getByRole('note').filter({ hasText: 'The clocks of the hosts differ' })).toContainText(
        `${stock} 5 h ahead`,
      )
      await expect(spans(page).getByRole('row', { name: /GET \/cart/ })).toBeVisible()
      await expect(spans(page).getByRole('row', { name: /POST \/reserve/ })).toBeVisible()
    })
  }
})
