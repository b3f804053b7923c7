/** Reads that take long: nothing moves when their progress appears, nor when their results arrive. */
import type { Page } from '@playwright/test'
import { drawnTiles, listOf } from './support/dashboards.ts'
import { legendOf, openOrders } from './support/explorer.ts'
import { hold } from './support/requests.ts'
import { layoutShift, loaded } from './support/stillPages.ts'
import { expect, openSource, test, unique } from './support/test.ts'
import { openSearch, rowsOf } from './search/searchPage.ts'

test.use({ telemetry: true })

/** Less than one row of a table that moves by a pixel. */
const nothing = 0.0005

const stopOf = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Stop', exact: true })

const openTiles = async (page: Page) => {
  const { id } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}`)
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
}

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
  await openTiles(page)
  await readSlowly(page, /\/charts\//, () => page.getByRole('button', { name: 'Refresh', exact: true }).click(), 2)
})

for (const { of, open, button } of [
  { of: 'tiles', open: openTiles, button: 'Refresh' },
  { of: 'the explorer', open: openOrders, button: 'Run' },
]) {
  test(`the words of the progress of ${of} change in their place`, async ({ page }) => {
    await open(page)
    const release = await hold(page, /\/charts\/(?!progress)/)
    const tell = await answerProgress(page)
    const main = page.getByRole('main')
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(main.getByText('Still loading', { exact: true }).first()).toBeVisible()
    const before = await layoutShift(page)
    const place = await stopOf(page).first().boundingBox()
    tell()
    await expect(main.getByText(/^Reading \d+ of \d+ million rows$/).first()).toBeVisible()
    expect(await stopOf(page).first().boundingBox()).toEqual(place)
    expect((await layoutShift(page)) - before).toBeLessThan(nothing)
    release()
    await expect(stopOf(page)).toHaveCount(0)
  })
}

/** Answers how far queries are, as a deployment with many rows would. @returns lets it answer */
async function answerProgress(page: Page): Promise<() => void> {
  let tell = () => {}
  const told = new Promise<void>((resolve) => (tell = resolve))
  await page.route(/\/charts\/progress\?/, async (route) => {
    await told
    const ids = new URL(route.request().url()).searchParams.get('ids')?.split(',') ?? []
    const result = ids.map((id) => ({ id, state: 'running', rowsRead: 12_000_000, rowsTotal: 40_000_000 }))
    await route.fulfill({ json: { result } })
  })
  return tell
}

test('the page of an alert keeps room for what it reads last', async ({ page, api }) => {
  const { id } = await api.createAlert(unique('Slow'))
  const release = await hold(page, /\/charts\/|\/evaluations|\/notification-preview/)
  await page.goto(`/c/${openSource}/alerts/${id}`)
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible()
  const before = await layoutShift(page)
  release()
  await expect(page.getByText(/^as rendered/)).toBeVisible()
  await loaded(page)
  // A window that was evaluated by now is a row, which moves what is below it.
  expect((await layoutShift(page)) - before).toBeLessThan(0.02)
})

test('the backtest of an alert keeps room for its result', async ({ page, api }) => {
  const { id } = await api.createAlert(unique('Slow'))
  const release = await hold(page, /\/charts\//)
  await page.goto(`/c/${openSource}/alerts/${id}/edit`)
  await expect(page.getByRole('status', { name: 'Reading the backtest' })).toBeVisible()
  const before = await layoutShift(page)
  release()
  await expect(page.getByTestId('backtest-sentence')).toBeVisible()
  await loaded(page)
  // Without firings and other thresholds to choose from, what is below it moves up by their height.
  expect((await layoutShift(page)) - before).toBeLessThan(0.03)
})

test('the editor of SQL does not move when it is loaded', async ({ page }) => {
  const release = await hold(page, /\/assets\/sqlExtensions/)
  await page.goto(`/c/${openSource}/explorer/sql`)
  await expect(page.getByText('Run a statement to see its rows here.')).toBeVisible()
  const before = await layoutShift(page)
  release()
  await expect(page.getByRole('textbox', { name: 'SQL statement' })).toBeVisible()
  expect((await layoutShift(page)) - before).toBeLessThan(nothing)
})
