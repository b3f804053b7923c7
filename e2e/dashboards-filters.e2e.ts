import type { Page } from '@playwright/test'
import { dashboard, type Dashboard } from '../src/contract/stack/dashboards/dashboards.ts'
import { edit, expectSaved, filtered, listOf, read, review, sources, stack, twoTiles } from './support/dashboards.ts'
import { expect, openSource, test } from './support/test.ts'

test.use({ telemetry: true })

const at = ({ id }: Pick<Dashboard, 'id'>) => `${listOf(openSource)}/${id}`
const filters = (page: Page) => page.getByRole('group', { name: 'Filters' })

/** Selects the first suggested value, and returns it. */
async function chooseFirst(page: Page, of = 'Service'): Promise<string> {
  await page.getByRole('combobox', { name: of }).click()
  const chosen = (await page.getByRole('option').first().textContent()) ?? ''
  // By its name: another one may be the first by now.
  await page.getByRole('option', { name: chosen, exact: true }).click()
  await page.keyboard.press('Escape')
  return chosen
}

/** Opens the settings of a dashboard in its editor. */
async function openSettings(page: Page, id: string) {
  await edit(page, openSource, id)
  await page.getByRole('button', { name: 'Settings', exact: true }).first().click()
  return page.getByRole('dialog', { name: 'Dashboard settings' })
}

/** Waits for a chart query with this text. */
const queryWith = (page: Page, text: string) =>
  page.waitForRequest((request) => request.url().endsWith('/charts/series') && !!request.postData()?.includes(text))

test('offers the existing values, and applies the selected ones to every tile', async ({ page }) => {
  await page.goto(at(await filtered()))
  const query = queryWith(page, 'ServiceName:\\"')
  const chosen = await chooseFirst(page)
  expect((await query).postData()).toContain(`ServiceName:\\"${chosen}\\"`)
  await page.reload()
  await expect(filters(page).getByText(chosen, { exact: true })).toBeVisible()
})

test('fills a variable into queries, and does not filter without a selected value', async ({ page }) => {
  const variable = { isBroadcastEnabled: false, isVariableEnabled: true, variableName: 'svc' }
  const select = [{ aggFn: 'count', where: '$__filter($svc)', whereLanguage: 'sql' }]
  const unchosen = queryWith(page, '"where":"(1=1)"')
  await page.goto(at(await filtered(variable, { select })))
  await unchosen
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  await expect(filters(page)).toContainText('Tiles that use $svc')
  const query = queryWith(page, 'toString(ServiceName) IN')
  const chosen = await chooseFirst(page)
  expect((await query).postData()).toContain(`(toString(ServiceName) IN ('${chosen}'))`)
})

test('a static list offers its values, fills its variable, and keeps its default', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  const select = [{ aggFn: 'count', where: '$__filter(ServiceName, $env)', whereLanguage: 'sql' }]
  const changed = tiles.map((tile) => ({ ...tile, config: { ...tile.config, select } }))
  const list = { id: 'f1', type: 'STATIC_LIST', name: 'env', options: ['prod', 'test'] }
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: changed, filters: [list] })
  await page.goto(at({ id }))
  const query = queryWith(page, 'prod')
  const chosen = await chooseFirst(page, 'env')
  expect(chosen).toBe('prod')
  expect((await query).postData()).toContain("(ServiceName IN ('prod'))")
  await page.getByRole('button', { name: 'Save as default' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).savedFilterValues).toEqual([{ type: 'variable', name: 'env', values: ['prod'] }])
})

test('a tile shows that a filter for another source does not apply', async ({ page }) => {
  // The tiles read the first one.
  const [, other] = await sources()
  const made = await filtered({ appliesToSourceIds: [other?.id] })
  await page.goto(`${at(made)}?f.${made.filters[0]?.id}=${encodeURIComponent('["api"]')}`)
  await expect(page.getByRole('img', { name: /Not filtered by the filter Service/ }).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
})

test('saves selected values as the default, and overrides them by another selection', async ({ page }) => {
  const { id } = await filtered()
  await page.goto(at({ id }))
  const chosen = await chooseFirst(page)
  await page.getByRole('button', { name: 'Save as default' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).savedFilterValues).toEqual([{ type: 'sql', condition: `ServiceName IN ('${chosen}')` }])
  const query = queryWith(page, `ServiceName:\\"${chosen}\\"`)
  await page.goto(at({ id }))
  await query
  await expect(filters(page).getByText(chosen, { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Service' }).fill('another')
  const other = queryWith(page, '"where":"ServiceName:\\"another\\""')
  await page.keyboard.press('Enter')
  await filters(page)
    .getByRole('button', { name: `Remove ${chosen}`, exact: true })
    .click()
  await other
  await page.getByRole('button', { name: 'Reset to defaults' }).click()
  await expect(filters(page).getByText('another')).toBeHidden()
  await expect(filters(page).getByText(chosen, { exact: true })).toBeVisible()
})

test('reports an unknown filter in the URL', async ({ page }) => {
  await page.goto(`${at(await filtered())}?f.gone=${encodeURIComponent('["api"]')}`)
  await expect(page.getByText('a filter that this dashboard does not have')).toBeVisible()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page).not.toHaveURL(/f\.gone/)
})

test('creates a filter in the settings, with errors at its fields', async ({ page }) => {
  const { id } = await twoTiles()
  const form = await openSettings(page, id)
  await form.getByRole('button', { name: 'Add filter' }).click()
  const filter = form.getByRole('group', { name: 'Filter 1' })
  await filter.getByRole('textbox', { name: 'Name', exact: true }).fill('Service')
  await filter.getByRole('combobox', { name: 'Expression' }).pressSequentially('Service')
  await page.getByRole('option', { name: 'ServiceName' }).click()
  await filter.getByRole('switch', { name: 'Apply to tiles' }).uncheck()
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(filter.getByText('Apply the filter to tiles, use it as a variable, or both')).toBeVisible()
  await filter.getByRole('switch', { name: 'Apply to tiles' }).check()
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Service' })).toBeVisible()
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).filters).toMatchObject([{ name: 'Service', expression: 'ServiceName' }])
})

test('a new filter reads its values from a source of the tiles', async ({ page, api }) => {
  const traces = (await api.sources()).find(({ kind }) => kind === 'trace')
  const { id } = await filtered({}, { sourceId: traces?.id })
  const form = await openSettings(page, id)
  await form.getByRole('button', { name: 'Add filter' }).click()
  const source = form.getByRole('group', { name: 'Filter 2' }).getByRole('combobox', { name: 'Source of values' })
  await expect(source).toHaveText(traces?.name ?? '')
})

test('adds a static list in the settings, of which one value is chosen at a time', async ({ page }) => {
  const { id } = await twoTiles()
  const form = await openSettings(page, id)
  await form.getByRole('button', { name: 'Add static list' }).click()
  const list = form.getByRole('group', { name: 'Static list 1' })
  await list.getByRole('textbox', { name: 'Name', exact: true }).fill('env')
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(list.getByText('Enter at least one value')).toBeVisible()
  await list.getByRole('textbox', { name: 'Name', exact: true }).fill('')
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(list.getByText('Enter a name')).toBeVisible()
  await list.getByRole('textbox', { name: 'Name', exact: true }).fill('env')
  await list.getByRole('textbox', { name: 'Values' }).fill('prod\ntest')
  await list.getByRole('switch', { name: 'Only one value at a time' }).check()
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(form).toBeHidden()
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  const saved = { type: 'STATIC_LIST', name: 'env', options: ['prod', 'test'], maxSelections: 1 }
  expect((await read(id)).filters).toMatchObject([saved])
  await page.goto(at({ id }))
  await page.getByRole('combobox', { name: 'env' }).click()
  for (const value of ['prod', 'test']) {
    await page.getByRole('option', { name: value }).click()
    await expect(filters(page).getByRole('button', { name: /^Remove/ })).toHaveAccessibleName(`Remove ${value}`)
  }
})

test('tiles wait for a required filter, and say which', async ({ page }) => {
  const made = await filtered({ minSelections: 1 })
  await page.goto(at(made))
  const left = page.getByRole('region', { name: 'Left' })
  await expect(left.getByText('Choose a value of the filter Service.')).toBeVisible()
  await expect(filters(page)).toContainText('until a value is chosen')
  const chosen = await chooseFirst(page)
  await expect(left.getByRole('application', { name: 'Left' })).toBeVisible()
  await filters(page)
    .getByRole('button', { name: `Remove ${chosen}`, exact: true })
    .click()
  await expect(left.getByText('Choose a value of the filter Service.')).toBeVisible()
})
