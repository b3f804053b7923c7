/** The list of alerts: search, order, filters, focus and names. */
import { listOf, rowOf, searchAlerts } from './alertPages.ts'
import { expectNoViolations } from '../support/axe.ts'
import { expect, openSource, test, typeDateTime, unique } from '../support/test.ts'

test('the list has the threshold in the number format of the tile', async ({ page, api }) => {
  const name = unique('Large')
  const numberFormat = { output: 'byte', numericUnit: 'gibibytes' }
  const [source] = await api.sources()
  const { id, tiles, ...board } = await api.createDashboard(name, source?.id ?? '')
  const [tile] = tiles
  const config = { ...tile?.config, numberFormat }
  await api.updateDashboard(id, { ...board, tiles: [{ ...tile, config }] })
  await api.createAlert(name, undefined, { dashboardId: id, tileId: tile?.id, threshold: 1536 })
  await page.goto(listOf(openSource))
  await searchAlerts(page, name)
  await expect(rowOf(page, name)).toContainText('value at least 1536 GiB over 5m')
})

test('moves the focus to the next row when the focused row is deleted', async ({ page, api }) => {
  const shared = unique('Keys')
  const [first, second, third] = [`${shared} a`, `${shared} b`, `${shared} c`] as const
  for (const name of [first, second, third]) await api.createAlert(name)
  await page.goto(`${listOf(openSource)}?sort=name&q=${encodeURIComponent(shared)}`)
  await page.getByRole('button', { name: `Actions of ${first}` }).press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, first)).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Actions of ${second}` })).toBeFocused()

  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.keyboard.press('u')
  await expect(rowOf(page, first)).toBeVisible()

  for (const name of [second, third]) await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space')
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Delete 2 alerts' }).press('Enter')
  await expect(rowOf(page, second)).toHaveCount(0)
  await expect(page.getByRole('searchbox', { name: 'Search alerts' })).toBeFocused()

  await page.getByRole('link', { name: first }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('keeps sort, search and columns in the URL', async ({ page, api }) => {
  const stem = unique('Sorted')
  for (const at of ['b', 'a', 'c']) await api.createAlert(`${stem} ${at}`)
  await page.goto(listOf(openSource))
  await searchAlerts(page, stem)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  const names = () => page.getByRole('rowheader').getByRole('link').allInnerTexts()
  await expect.poll(names).toEqual([`${stem} a`, `${stem} b`, `${stem} c`])
  // Rows follow each key, the address a pause.
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === stem)
  await page.reload()
  await expect.poll(names).toEqual([`${stem} a`, `${stem} b`, `${stem} c`])
})

test('filters the list by a moment, which its address has in UTC', async ({ page, api }) => {
  const name = unique('Dated')
  await api.createAlert(name)
  await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('rowheader').getByRole('link', { name })
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Column of filter 1' }).click()
  await page.getByRole('option', { name: 'Created' }).click()
  await typeDateTime(page, 'Value of filter 1', '2999-01-02 03:04')
  await expect(row).toHaveCount(0)
  await expect(page).toHaveURL((url) => url.href.endsWith(`.after.${new Date(2999, 0, 2, 3, 4).toISOString()}`))
  await page.getByRole('combobox', { name: 'Comparison of filter 1' }).click()
  await page.getByRole('option', { name: 'before' }).click()
  await expectNoViolations(page, 'a filter by time')
  await page.keyboard.press('Escape')
  await expect(row).toBeVisible()
  await expect(page.getByText('Created before 2 Jan 2999 03:04')).toBeVisible()
})

for (const width of [1440, 390]) {
  test(`shows the whole name of an alert in the list at ${width} pixels`, async ({ page, api }) => {
    const alert = await api.createAlert(unique('Share of failed checkouts by service of the payments team'))
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(alert.name ?? '')}`)
    const link = rowOf(page, alert.name ?? '').getByRole('link', { name: alert.name ?? '' })
    await expect(link).toBeVisible()
    await expect
      .poll(() =>
        link.evaluate((name) => {
          const cell = name.closest('th')
          const cut = (box: Element | null) =>
            box === null || box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1
          return cut(cell) || cut(name)
        }),
      )
      .toBe(false)
    await api.deleteAlert(alert.id)
  })
}
