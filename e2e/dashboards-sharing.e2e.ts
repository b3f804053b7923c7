/** A dashboard outside of its page: as a link, on a screen on a wall, on paper. */
import type { Locator } from '@playwright/test'
import { drawnTiles, fromMenu, listOf } from './support/dashboards.ts'
import { responseTo } from './support/requests.ts'
import { expect, openSource, setFaults, test } from './support/test.ts'

test.use({ telemetry: true })

test('copies a link with the range as it moves, or with fixed times', async ({ page }) => {
  const { id } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}?from=now-1h`)
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  const copied = async () => new URL(await page.evaluate(() => navigator.clipboard.readText())).searchParams
  await fromMenu(page, 'this dashboard', 'Copy link')
  await expect.poll(async () => (await copied()).get('from')).toBe('now-1h')
  await fromMenu(page, 'this dashboard', 'Copy link with fixed times')
  await expect.poll(async () => (await copied()).get('from')).toMatch(/^\d{13}$/)
  const link = await copied()
  expect(Number(link.get('to')) - Number(link.get('from'))).toBe(3_600_000)
})

test('fills a screen with a dashboard, which refreshes by itself, until it is left', async ({ page }) => {
  const { id } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}`)
  await fromMenu(page, 'this dashboard', 'Full screen')
  await expect(page).toHaveURL(/wall=1/)
  await expect(page.getByText('Last 6 hours, refreshed every minute')).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Left' })).toBeVisible()
  await page.getByRole('button', { name: 'Exit full screen' }).click()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page).not.toHaveURL(/wall=1/)
  await page.goto(`${listOf(openSource)}/${id}?wall=1`)
  await expect(page.getByRole('button', { name: 'Exit full screen' })).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('banner')).toBeVisible()
  // Only a dashboard that is shown fills the window.
  await page.goto(`${listOf(openSource)}/${id}?wall=1&edit=1`)
  await expect(page.getByRole('region', { name: 'Draft' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
})

test('prints the tiles, also those out of sight, without the frame', async ({ page }) => {
  const { id } = await drawnTiles()
  // A change that the charts mark.
  await responseTo(page, 'POST', `/api/c/${openSource}/stack/dashboards`, { name: 'Marked', tags: [], tiles: [] })
  await page.setViewportSize({ width: 1280, height: 300 })
  await page.addInitScript(() => {
    window.print = () => void document.body.setAttribute('data-printed', '')
  })
  await page.goto(`${listOf(openSource)}/${id}`)
  await fromMenu(page, 'this dashboard', 'Print')
  await expect(page.locator('body[data-printed]')).toBeAttached()
  const tile = page.getByRole('region', { name: 'Right' })
  const legend = tile.getByRole('group', { name: 'Legend' })
  await expect(legend).toBeAttached()
  await expect(tile.getByRole('group', { name: /^Changes on the time axis/ })).toBeAttached()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Condition for all tiles' })).toBeHidden()
  await expect(tile).toBeVisible()
  const bottomOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().bottom)
  expect(await bottomOf(legend)).toBeLessThanOrEqual(await bottomOf(tile))
  // Controls of the screen are not printed; the range is.
  await expect(page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d.* to /)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Favorite/ })).toBeHidden()
})

test('has no notice of the sample on a wall or on paper', async ({ page }) => {
  const { id } = await drawnTiles()
  setFaults({ match: 'GET /api/v2/sample', status: 200, body: { data: { state: 'ready', progress: 1, records: 5 } } })
  try {
    await page.goto(`${listOf(openSource)}/${id}`)
    const notice = page.getByText('Seven days of a demo shop')
    await expect(notice).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(notice).toBeHidden()
    await page.emulateMedia({ media: 'screen' })
    await fromMenu(page, 'this dashboard', 'Full screen')
    await expect(page.getByRole('button', { name: 'Exit full screen' })).toBeVisible()
    await expect(notice).toBeHidden()
  } finally {
    setFaults()
  }
})

test('is recognized on Home and in the list by what it showed last', async ({ page }) => {
  const { id, name } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}`)
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  // It is taken a few seconds after the tiles were read.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('stack-console.pictures'))).toContain(id)
  const seen = page.locator('svg[data-seen="true"]')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: name }).locator(seen)).toBeVisible()

  await page.goto(`${listOf(openSource)}?view=grid`)
  await expect(page.getByRole('listitem').filter({ hasText: name }).locator(seen)).toBeVisible()
})
