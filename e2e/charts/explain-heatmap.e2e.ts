/** "Explain this" of a heatmap: a range of time and of values, by keyboard and by pointer. */
import type { Page } from '@playwright/test'
import { dashboard } from '../../src/contract/stack/dashboards/dashboards.ts'
import { fromMenu, listOf, stack } from '../support/dashboards.ts'
import { now } from '../support/now.ts'
import { expectNoViolations } from '../support/axe.ts'
import { sendTelemetry } from '../support/sendTelemetry.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

const minute = 60_000
const explanation = '**/stack/charts/explanation'
const panelOf = (page: Page) => page.getByRole('region', { name: /^What differs in/ })
const attributesOf = (page: Page) => panelOf(page).locator('ol > li strong')
const plotOf = (page: Page) => page.getByRole('application', { name: 'Latency' })

/** Spans of an hour: 1 of 10 takes two seconds, most of these with a cold cache, all others take about 10 ms. */
async function openHeatmap(page: Page, traces: string, valueExpression = 'Duration'): Promise<{ service: string }> {
  const service = unique('slow').replace(' ', '-')
  const from = Math.floor((now() - 70 * minute) / minute) * minute
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } })
  const spans = Array.from({ length: 1800 }, (_, at) => {
    const start = BigInt(from + at * 2000) * 1_000_000n
    const isSlow = at % 10 === 0
    const took = isSlow ? 2_000_000_000 : 10_000_000 + (at % 7) * 1_000_000
    return {
      traceId: at.toString(16).padStart(32, '1'),
      spanId: at.toString(16).padStart(16, '1'),
      name: 'GET /orders',
      kind: 2,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + BigInt(took)),
      attributes: [
        text('cache', isSlow && at % 100 !== 0 ? 'cold' : at % 45 === 1 ? 'cold' : 'warm'),
        text('took', String(took / 1e6)),
        text('user.country', ['DE', 'FR', 'NL', 'PL'][(at * 7) % 4] ?? ''),
      ],
    }
  })
  const resource = { attributes: [text('service.name', service)] }
  await sendTelemetry('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  const config = {
    displayType: 'heatmap',
    sourceId: traces,
    select: [{ valueExpression }],
    where: `ServiceName:"${service}"`,
    whereLanguage: 'lucene',
  }
  const tiles = [{ name: 'Latency', x: 0, y: 0, w: 24, h: 8, config }]
  const { id } = await stack(dashboard, 'POST', '/dashboards', { name: unique('Heatmap'), tiles })
  await page.goto(`${listOf(openSource)}/${id}?from=${from}&to=${from + 60 * minute}&tz=utc`)
  await expect(plotOf(page)).toBeVisible()
  return { service }
}

/** Selects the upper half of the values in all of the range, by keyboard. */
async function selectSlow(page: Page): Promise<void> {
  await page.keyboard.press('Home')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('Shift+End')
  for (let row = 0; row < 8; row++) await page.keyboard.press('Shift+ArrowDown')
}

test('explains a range of time and values that was selected with the keyboard', async ({ page, api }) => {
  const traces = (await api.sources()).find(({ kind }) => kind === 'trace')
  await openHeatmap(page, traces?.id ?? '')
  await fromMenu(page, 'Latency', 'Explain a range')
  await expect(page.getByText('Drag over the part to explain')).toBeVisible()
  await expect(plotOf(page)).toBeFocused()
  await selectSlow(page)
  await expect(plotOf(page).locator('rect[data-part="selected"]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(panelOf(page)).toBeFocused()
  await expect(panelOf(page)).toHaveAccessibleName(/ to 2 s$/)
  await expect(panelOf(page)).toContainText('all 180 rows in the selection')
  await expect(panelOf(page)).toContainText('all 1,620 rows in the rest of the chart, counted by the deployment')
  // The duration itself is left out; its copy in an attribute is not.
  await expect(attributesOf(page).nth(0)).toHaveText("SpanAttributes['took']")
  await expect(attributesOf(page).nth(1)).toHaveText("SpanAttributes['cache']")
  await expect(attributesOf(page).filter({ hasText: 'Duration' })).toHaveCount(0)
  await expectNoViolations(page, 'the explanation of a heatmap')
  await panelOf(page)
    .getByRole('button', { name: "Filter the dashboard by SpanAttributes['cache']: cold", exact: true })
    .click()
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === 'SpanAttributes.cache:"cold"')
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toHaveCount(0)
})

test('explains what is dragged with Shift', async ({ page, api }) => {
  const traces = (await api.sources()).find(({ kind }) => kind === 'trace')
  await openHeatmap(page, traces?.id ?? '', 'SpanAttributes.took')
  await plotOf(page).hover()
  const box = await plotOf(page).boundingBox()
  if (!box) throw new Error('the heatmap has no place on the page')
  const drag = async () => {
    await page.mouse.move(box.x + box.width * 0.25, box.y + 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.2)
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.3)
    await page.mouse.up()
  }
  await drag()
  await expect(panelOf(page)).toHaveCount(0)
  await page.keyboard.down('Shift')
  await drag()
  await page.keyboard.up('Shift')
  await expect(panelOf(page)).toContainText('counted by the deployment')
  await expect(attributesOf(page).filter({ hasText: "SpanAttributes['cache']" })).toBeVisible()
})

test('has the same rows by searches, and says what searches cannot compare', async ({ page, api }) => {
  const missing = { code: 'notOffered', status: 404, message: 'The deployment has no such route.' }
  await page.route(explanation, (route) => route.fulfill({ status: 404, json: missing }))
  const traces = (await api.sources()).find(({ kind }) => kind === 'trace')
  await openHeatmap(page, traces?.id ?? '')
  await plotOf(page).focus()
  await selectSlow(page)
  await page.keyboard.press('i')
  await expect(panelOf(page)).toContainText('all 180 rows in the selection')
  await expect(panelOf(page)).toContainText('of 1,620 rows in the rest of the chart, read by')
  await expect(attributesOf(page).nth(1)).toHaveText("SpanAttributes['cache']")
  await openHeatmap(page, traces?.id ?? '', 'SpanAttributes.took')
  await plotOf(page).focus()
  await selectSlow(page)
  await page.keyboard.press('i')
  await expect(panelOf(page)).toContainText('Write the condition in SQL, or select all values')
})

test('says that a part without rows has nothing to explain', async ({ page, api }) => {
  const traces = (await api.sources()).find(({ kind }) => kind === 'trace')
  await openHeatmap(page, traces?.id ?? '')
  await plotOf(page).focus()
  await page.keyboard.press('Home')
  for (let row = 0; row < 12; row++) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('i')
  await expect(panelOf(page)).toContainText('No rows in the selection')
})
