/** Reads that take long: how far they are is shown, and nothing moves when that appears and when it goes. */
import type { Page } from '@playwright/test'
import { listOf, twoTiles } from './support/dashboards.ts'
import { legendOf, openOrders } from './support/explorer.ts'
import { hold } from './support/requests.ts'
import { layoutShift } from './support/stillPages.ts'
import { expect, openSource, test } from './support/test.ts'
import { openSearch, rowsOf } from './search/searchPage.ts'

test.use({ telemetry: true })

/** Less than one row of a table that moves by a pixel. */
const nothing = 0.0005

const stopOf = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Stop', exact: true })

/** Reads something slowly: nothing moves until Stop is there, nor when the response arrives. */
async function readSlowly(page: Page, reads: RegExp, read: () => Promise<unknown>, stops = 1): Promise<void> {
  const release = await hold(page, reads)
  const before = await layoutShift(page)
  await read()
  await expect(stopOf(page)).toHaveCount(stops)
  expect((await layoutShift(page)) - before, 'when Stop appears').toBeLessThan(nothing)
  release()
  await expect(stopOf(page)).toHaveCount(0)
  expect((await layoutShift(page)) - before, 'when the result arrives').toBeLessThan(nothing)
}

test('the explorer does not move', async ({ page }) => {
  await openOrders(page)
  await readSlowly(page, /\/charts\//, () => page.getByRole('button', { name: 'Run', exact: true }).click())
  await expect(legendOf(page)).toBeVisible()
})

test('a search does not move', async ({ page }) => {
  await openSearch(page)
  await readSlowly(page, /\/charts\/|\/search$/, () => page.getByRole('button', { name: 'Run', exact: true }).click())
  await expect(rowsOf(page)).toBeVisible()
})

test('a tile does not move', async ({ page }) => {
  const { id } = await twoTiles()
  await page.goto(`${listOf(openSource)}/${id}`)
  const left = page.getByRole('region', { name: 'Left' })
  await expect(left.getByRole('group', { name: 'Legend' })).toBeVisible()
  await readSlowly(page, /\/charts\//, () => page.getByRole('button', { name: 'Refresh', exact: true }).click(), 2)
})
