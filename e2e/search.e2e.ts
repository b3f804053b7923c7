/** Lists and the palette search displayed text, and find a record by its typed ID. */
import { expect, openSource, test, unique } from './support/test.ts'

test('searches a list by its visible text and by a typed ID', async ({ page, api }) => {
  const [source] = await api.sources()
  const name = unique('Payments')
  const { id } = await api.createDashboard(name, source?.id ?? '')
  await page.goto(`/c/${openSource}/dashboards`)
  const row = page.getByRole('rowheader', { name })
  await expect(row).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search dashboards' })
  await search.fill(`${name} ${id.slice(10, 18)}`)
  await expect(page.getByText('No matches')).toBeVisible()
  await search.fill(`${name} ${id.slice(0, 8)}`)
  await expect(row).toBeVisible()
  await search.fill(`${name} 1`)
  await expect(row).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill(id)
  await expect(page.getByRole('option', { name })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await api.deleteDashboard(id)
})
