/** A dashboard outside of its page: as a link, on a screen on a wall, on paper. */
import type { Locator } from '@playwright/test'
import { drawnTiles, fromMenu, listOf, twoTiles } from './support/dashboards.ts'
import { apiURL, credentials } from './support/environment.ts'
import { responseTo, send } from './support/requests.ts'
import { expect, openSource, setFaults, test, unique } from './support/test.ts'

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

test.describe('public links in a product of its own, whose production connection affects no other test', () => {
  test.use({ telemetry: false })

  test('are refused on a production deployment until an administrator allows them', async ({ page }) => {
    const { id } = await twoTiles()
    const name = unique('Shop EU')
    const { personalAccessKey: accessKey } = credentials()
    const input = { name, variant: 'openSource', baseUrl: apiURL, allowPrivate: true, stage: 'production', accessKey }
    const production = String((await send(page, 'POST', '/api/connections', input)).id)
    const dialog = page.getByRole('dialog', { name: 'Public link' })
    const create = dialog.getByRole('button', { name: 'Create link' })
    const openDialog = async (connectionId: string) => {
      await page.goto(`${listOf(connectionId)}/${id}`)
      await fromMenu(page, 'this dashboard', 'Public link…')
    }
    await openDialog(production)
    await expect(dialog).toContainText('Shared links are off on production connections')
    await expect(create).toBeDisabled()
    // The other connection has the same data.
    await openDialog(openSource)
    await expect(dialog).toContainText(`${name} is a production connection to the same deployment.`)
    await expect(create).toBeDisabled()

    await page.goto(`/connections/${production}/edit`)
    await page.getByRole('switch', { name: 'Shared links' }).check()
    await page.getByRole('button', { name: 'Save connection' }).click()
    await expect(page).toHaveURL(/\/connections$/)
    // On a phone as well, the address is in sight: it is shown only once.
    await page.setViewportSize({ width: 390, height: 560 })
    for (const connectionId of [openSource, production]) {
      await openDialog(connectionId)
      await expect(dialog.getByText(/off on production/)).toHaveCount(0)
      await expect(create).toBeInViewport({ ratio: 1 })
      await create.click()
      const created = page.getByRole('dialog', { name: 'Public link created' })
      await expect(created.getByText(/\/shared#scl_/)).toBeInViewport({ ratio: 1 })
      await expect(created.getByRole('button', { name: 'Copy link' })).toBeInViewport({ ratio: 1 })
    }
  })
})
