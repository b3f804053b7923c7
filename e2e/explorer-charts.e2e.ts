/** The chart of the explorer: zoom by keyboard and mouse, and what it exports. */
import type { Page } from '@playwright/test'
import { chartOf, exported, legendOf, openOrders } from './support/explorer.ts'
import { expect, openSource, test } from './support/test.ts'
import { now } from './support/now.ts'

test.use({ telemetry: true })

test('selects a time range, zooms in and goes back with the keyboard', async ({ page }) => {
  await openOrders(page)
  await chartOf(page).focus()
  await page.keyboard.press('End')
  for (let step = 0; step < 10; step++) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=\d{13}&to=\d{13}/)
  await expect(page.getByRole('button', { name: 'Reset zoom' })).toBeVisible()
  await chartOf(page).focus()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/from=\d/)
})

test('chooses any quick range by one click, on wide and on narrow screens', async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/c/${openSource}/explorer`)
    await page.getByRole('button', { name: 'Last hour' }).click()
    const ranges = page.getByRole('list', { name: 'Quick ranges' }).getByRole('button')
    await expect(ranges.first()).toBeVisible()
    // A trial fails where something else is on top.
    for (const range of await ranges.all()) await range.click({ trial: true })
    await ranges.getByText('Last 7 days', { exact: true }).click()
    await expect(page).toHaveURL(/now-7d/)
  }
})

test('zooms into the dragged range, and zooms out with a button', async ({ page }) => {
  await openOrders(page)
  // Waits until it does not move any more.
  await chartOf(page).hover()
  const box = await chartOf(page).boundingBox()
  if (!box) throw new Error('the chart has no place on the page')
  const y = box.y + box.height / 2
  const hour = 3_600_000
  await page.mouse.move(box.x + box.width * 0.5, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, y)
  await page.mouse.move(box.x + box.width * 0.75, y)
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d{13}&to=\d{13}/)
  const address = new URL(page.url()).searchParams
  const length = Number(address.get('to')) - Number(address.get('from'))
  // A quarter of the hour, in whole buckets.
  expect(length).toBeGreaterThan(hour * 0.2)
  expect(length).toBeLessThan(hour * 0.33)
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await expect(page).not.toHaveURL(/from=\d/)
})

test('compares with an earlier range, also with any offset, and draws the largest groups', async ({ page }) => {
  await openOrders(page)
  const compare = page.getByRole('combobox', { name: 'Compare' })
  await compare.click()
  await page.getByRole('option', { name: 'Previous week' }).click()
  await expect(page).toHaveURL(/compare=1w/)
  await expect(compare).toHaveText('Compare: Previous week')
  await compare.click()
  await page.getByRole('option', { name: 'Another offset…' }).click()
  const offset = page.getByRole('textbox', { name: 'Offset of the comparison' })
  await expect(offset).toBeFocused()
  await page.keyboard.type('2 months')
  await page.keyboard.press('Enter')
  await expect(offset).toHaveAccessibleDescription(/Not an offset/)
  await expect(offset).toHaveAttribute('aria-invalid', 'true')
  await offset.fill('3h')
  await expect(offset).toHaveAccessibleDescription('')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/compare=3h/)
  await expect(compare).toHaveText('Compare: 3 hours before')
  await compare.click()
  await page.getByRole('option', { name: 'Another offset…' }).click()
  await expect(offset).toBeFocused()
  await expect(offset).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(compare).toHaveText('Compare: 3 hours before')
  await page.getByRole('combobox', { name: 'Groups' }).click()
  await page.getByRole('option', { name: 'Top 5', exact: true }).click()
  await expect(page).toHaveURL(/top=5/)
  await expect(chartOf(page)).toBeVisible()
})

test('opens the events of a series of the legend, in the range of the chart', async ({ page }) => {
  const minute = 60_000
  const from = Math.floor(now() / minute) * minute - 20 * minute
  const service = await openOrders(page, `from=${from}&to=${from + 30 * minute}`)
  await legendOf(page)
    .getByRole('button', { name: /ERROR$/ })
    .first()
    .hover()
  await legendOf(page)
    .getByRole('button', { name: /^View events of .*ERROR$/ })
    .click()
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(
    `ServiceName:"${service}" AND SeverityText:"ERROR"`,
  )
  const range = ['from', 'to'].map((name) => Number(new URL(page.url()).searchParams.get(name)))
  expect(range).toEqual([from, from + 30 * minute])
  await expect(page.getByRole('status').filter({ hasText: 'loaded' })).toContainText('100 rows')
})

/** The content of a picture: its size, and how many of its pixels have each colour. */
async function pixelsOf(page: Page, png: Buffer) {
  const counted: { width: number; height: number; colors: [string, number][] } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    const colors = new Map<string, number>()
    for (let at = 0; at < data.length; at += 4) {
      const color = data.slice(at, at + 4).join()
      colors.set(color, (colors.get(color) ?? 0) + 1)
    }
    return { width: image.width, height: image.height, colors: [...colors] }
  }, png.toString('base64'))
  return { ...counted, colors: new Map(counted.colors) }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`exports the chart as it is drawn, in the ${colorScheme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await openOrders(page, 'chart=stackedBar')
    const { name, content } = await exported(page, 'Chart as PNG')
    expect(name).toBe('count-by-SeverityText.png')
    const { width, height, colors } = await pixelsOf(page, content)
    expect(width).toBeGreaterThan(1200)
    expect(height).toBeGreaterThan(600)
    const area = width * height
    // On white in either theme, and both series painted in the colours of the light one.
    expect(colors.get('255,255,255,255') ?? 0).toBeGreaterThan(area * 0.5)
    const inked = [...colors].filter(([color]) => color !== '255,255,255,255').map(([, count]) => count)
    expect(inked.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(area * 0.02)
    expect(inked.filter((count) => count > area * 0.002).length).toBeGreaterThanOrEqual(2)

    const svg = await exported(page, 'Chart as SVG')
    expect(svg.name).toBe('count-by-SeverityText.svg')
    const text = svg.content.toString()
    for (const said of ['count by SeverityText', 'ERROR', 'INFO', 'one point is 1 minute']) expect(text).toContain(said)

    await legendOf(page).getByRole('button', { name: 'ERROR', exact: true }).click()
    const drawn = (await exported(page, 'Visible series as CSV')).content.toString()
    const all = (await exported(page, 'All data as CSV')).content.toString()
    expect(drawn.split('\r\n')[0]).toBe('time,ERROR')
    expect(all.split('\r\n')[0]).toBe('time,INFO,ERROR')
    expect(sumOf(drawn)).toBe(100)
    expect(sumOf(all)).toBe(400)
    const isolated = (await exported(page, 'Chart as SVG')).content.toString()
    expect(isolated).not.toContain('INFO')
  })
}

function sumOf(csv: string): number {
  const rows = csv.trim().split('\r\n').slice(1)
  return rows.flatMap((row) => row.split(',').slice(1)).reduce((sum, value) => sum + Number(value), 0)
}
