import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { dashboard } from '../src/contract/stack/dashboards/dashboards.ts'
import {
  edit,
  expectSaved,
  fromMenu,
  listOf,
  read,
  rename,
  review,
  sources,
  stack,
  twoTiles,
} from './support/dashboards.ts'
import { expect, openSource, test, unique } from './support/test.ts'

test('builds a dashboard with the mouse', async ({ page }) => {
  const name = unique('By mouse')
  await page.goto(listOf(openSource))
  await page.getByRole('button', { name: 'New dashboard' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Create dashboard' }).click()
  for (const kind of ['Line', 'Number', 'Text']) {
    await page.getByRole('button', { name: 'Add tile' }).first().click()
    await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(`${kind} tile`)
    await form.getByRole('button', { name: 'Add tile' }).click()
    await expect(form).toBeHidden()
  }
  const handle = page.getByRole('button', { name: 'Move Number tile' })
  // Waits until it does not move any more.
  await handle.hover()
  const box = await handle.boundingBox()
  await page.mouse.move(box!.x + 10, box!.y + 10)
  await page.mouse.down()
  await page.mouse.move(box!.x + 300, box!.y + 20, { steps: 10 })
  await page.mouse.up()
  const dialog = await review(page)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(`Dashboard ${name} saved`)).toBeVisible()
  const id = /dashboards\/(\w+)/.exec(page.url())?.[1] ?? ''
  const saved = await read(id)
  expect(saved.tiles.map((tile) => tile.config?.displayType)).toEqual(['line', 'number', 'markdown'])
  expect(saved.tiles[1]?.x).toBeGreaterThan(12)
  await expect(page.getByText('unsaved draft')).toBeHidden()
})

test('builds a dashboard with the keyboard', async ({ page }) => {
  const name = unique('By keyboard')
  await page.goto(listOf(openSource))
  await expect(page.getByRole('button', { name: 'New dashboard' }).first()).toBeVisible()
  await page.keyboard.press('n')
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  for (const kind of ['Line', 'Number']) {
    const add = page.getByRole('button', { name: 'Add tile' }).first()
    await expect(add).toBeVisible()
    await tabTo(page, add)
    await page.keyboard.press('Enter')
    await arrowTo(page, page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }))
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog')
    await tabTo(page, form.getByRole('textbox', { name: 'Name', exact: true }))
    await page.keyboard.press('Control+a')
    await page.keyboard.type(`${kind} tile`)
    await tabTo(page, form.getByRole('button', { name: 'Add tile' }))
    await page.keyboard.press('Enter')
    await expect(form).toBeHidden()
  }
  await page.keyboard.press('Control+s')
  await expect(page.getByText(`Dashboard ${name} saved`)).toBeVisible()
  const { tiles } = await read(/dashboards\/(\w+)/.exec(page.url())?.[1] ?? '')
  expect(tiles.map((tile) => [tile.name, tile.config?.displayType])).toEqual([
    ['Line tile', 'line'],
    ['Number tile', 'number'],
  ])
})

test('arranges a dashboard with the keyboard', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  const handle = page.getByRole('button', { name: 'Move Left' })
  await handle.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Group into section' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'New section' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('region', { name: 'New section' })).toBeHidden()
  await page.keyboard.press('Control+Shift+z')
  await page.keyboard.press('Control+s')
  await expectSaved(page)
  const saved = await read(id)
  expect(saved.tiles[0]).toMatchObject({ w: 11, h: 7, containerId: saved.containers?.[0]?.id })
})

test('moves a tile by numbers, and checks them', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await fromMenu(page, 'Left', 'Move…')
  const dialog = page.getByRole('dialog', { name: 'Move Left' })
  await dialog.getByRole('textbox', { name: 'Column' }).fill('four')
  await dialog.getByRole('textbox', { name: 'Width' }).fill('8')
  await dialog.getByRole('button', { name: 'Move tile' }).click()
  await expect(dialog.getByText('Not a number')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Column' }).fill('2')
  await dialog.getByRole('button', { name: 'Move tile' }).click()
  await expect(dialog).toBeHidden()
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).tiles[0]).toMatchObject({ x: 2, w: 8 })
})

test('Escape does not discard what was entered for a tile, and another source keeps what it has', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await fromMenu(page, 'Left', 'Edit')
  const editor = page.getByRole('dialog', { name: 'Left' })
  await page.keyboard.press('Escape')
  await expect(editor).toBeHidden()
  await fromMenu(page, 'Left', 'Edit')
  const description = editor.getByRole('textbox', { name: 'Description' })
  await description.fill('Rows of a tenant')
  await description.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).press('Enter')
  await expect(question).toBeHidden()
  await expect(description).toHaveValue('Rows of a tenant')

  const condition = editor.getByRole('combobox', { name: 'Condition' }).first()
  await condition.fill('SeverityText:error tenant:x')
  await editor.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name: /^Traces/ }).click()
  await expect(condition).toHaveValue('tenant:x')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(condition).toHaveValue('SeverityText:error tenant:x')
  await description.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await fromMenu(page, 'Left', 'Edit')
  await editor.getByRole('tab', { name: 'JSON' }).click()
  await editor.getByRole('textbox', { name: 'Configuration as JSON' }).fill('{ not yet')
  await editor.getByRole('button', { name: 'Close' }).click()
  await expect(question).toBeVisible()
})

test('keeps a draft over a reload, and discards it without changing the dashboard', async ({ page }) => {
  const before = await twoTiles()
  await edit(page, openSource, before.id)
  await rename(page, 'Left', 'Renamed')
  await expect(page.getByText('draft saved')).toBeVisible()
  await page.waitForFunction((id) => JSON.stringify(localStorage).includes(id), before.id)
  await page.goto(`${listOf(openSource)}/${before.id}`)
  await page.getByRole('button', { name: 'Continue editing' }).click()
  await expect(page.getByRole('region', { name: 'Renamed' })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('region', { name: 'Left' })).toBeVisible()
  expect(await read(before.id)).toEqual(before)
})

test('edits a Raw SQL tile in a form, and says why it has no data', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  const [source] = await stack(z.array(z.object({ connection: z.string() })), 'GET', '/sources')
  const config = { configType: 'sql', displayType: 'table', connectionId: source?.connection, sqlTemplate: 'SELECT 1' }
  const byHand = { name: 'By hand', x: 0, y: 6, w: 12, h: 6, config }
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [...tiles, byHand] })
  await edit(page, openSource, id)
  await expect(page.getByRole('region', { name: 'By hand' })).toContainText('This stack has no telemetry engine')
  await fromMenu(page, 'By hand', 'Edit')
  await page.getByRole('textbox', { name: 'SQL statement' }).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' + 41 AS answer')
  await page.getByRole('button', { name: 'Apply' }).click()
  const draft = page.getByRole('region', { name: 'By hand' })
  await expect(draft).toContainText('A Raw SQL tile is run as it is saved: save the dashboard to see it.')
  await expect(draft).toContainText('SELECT 1 + 41 AS answer')
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  expect((await read(id)).tiles[2]?.config).toEqual({ ...config, sqlTemplate: 'SELECT 1 + 41 AS answer' })
})

test('adds tabs, a statement and a tile of an unknown type from one menu', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  const add = async (within: Page | Locator, item: RegExp) => {
    await within.getByRole('button', { name: 'Add tile' }).first().click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await add(page, /^Section with tabs/)
  const group = page.getByRole('region', { name: 'New section' })
  await group.getByRole('tab', { name: 'Tab 2' }).click()
  await add(group, /^Raw SQL/)
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('By hand')
  await form.getByRole('button', { name: 'Add tile' }).click()
  await expect(group.getByRole('region', { name: 'By hand' })).toContainText('$__sourceTable')
  await add(page, /^Custom JSON/)
  await expect(form.getByText(/^Known types/)).toBeVisible()
  await form.getByRole('textbox', { name: 'Configuration as JSON' }).focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText('{ "displayType": "markdown", "markdown": "By JSON" }')
  await expect(form.getByRole('region', { name: 'Known fields' })).toContainText('markdown')
  await form.getByRole('button', { name: 'Add tile' }).click()
  await expect(page.getByText('By JSON')).toBeVisible()
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  const { tiles, containers = [] } = await read(id)
  expect(tiles[2]).toMatchObject({ name: 'By hand', containerId: containers[0]?.id, config: { configType: 'sql' } })
  expect(containers[0]).toMatchObject({ tabs: [{ title: 'Tab 1' }, { id: tiles[2]?.tabId, title: 'Tab 2' }] })
  expect(tiles[3]?.config).toMatchObject({ displayType: 'markdown', markdown: 'By JSON' })
})

/** Tab until this has the focus: farther than a page is long it is out of reach. */
const tabTo = (page: Page, target: Locator) => pressUntil(page, 'Tab', target)
const arrowTo = (page: Page, target: Locator) => pressUntil(page, 'ArrowDown', target)

async function pressUntil(page: Page, key: string, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let step = 0; step < 60; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${String(target)}`)
}

test('creates a metric tile with the aggregations of its type', async ({ page }) => {
  const { id } = await twoTiles()
  const metric = (await sources()).find(({ kind }) => kind === 'metric')
  await edit(page, openSource, id)
  await fromMenu(page, 'Left', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Left' })
  const choose = async (field: string, option: string | RegExp) => {
    await dialog.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose('Source', /metric$/)
  await dialog.getByRole('combobox', { name: 'Metric', exact: true }).fill('shop.orders')
  await choose('Metric type', 'sum')
  await choose('Aggregate', 'increase (counter)')
  await choose('Metric type', 'histogram')
  await dialog.getByRole('combobox', { name: 'Aggregate' }).click()
  const offered = ['count', 'sum', 'avg', 'p50', 'p90', 'p95', 'p99', 'increase (counter)']
  await expect(page.getByRole('option')).toHaveText(offered)
  await page.getByRole('option', { name: 'avg' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  const series = { aggFn: 'avg', metricName: 'shop.orders', metricType: 'histogram', valueExpression: 'Value' }
  expect((await read(id)).tiles[0]?.config).toMatchObject({ sourceId: metric?.id, select: [series] })
})

test('the chart of a tile, its query and its unit are in sight at once', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await fromMenu(page, 'Left', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Left' })
  const { clientHeight, scrollTop } = await dialog.evaluate(({ clientHeight, scrollTop }) => ({
    clientHeight,
    scrollTop,
  }))
  expect({ clientHeight, scrollTop }).toEqual({ clientHeight: 900, scrollTop: 0 })
  await expect(dialog.getByRole('region', { name: 'Preview' })).toBeInViewport({ ratio: 1 })
  for (const field of ['Aggregate', 'Group by', 'Number format']) {
    await expect(dialog.getByRole('combobox', { name: field })).toBeInViewport({ ratio: 1 })
  }
})

test('suggests the columns of the tile’s source in a condition', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await fromMenu(page, 'Left', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Left' })
  await dialog.getByLabel('Condition', { exact: true }).pressSequentially('Severity')
  await expect(page.getByRole('option', { name: 'SeverityText:' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('error')
  await expect(dialog.getByLabel('Condition', { exact: true })).toHaveValue('SeverityText:error')
  const groupBy = dialog.getByRole('combobox', { name: 'Group by' })
  await groupBy.fill('ServiceName, ScopeName')
  await page.keyboard.press('Enter')
  await groupBy.pressSequentially('Sev')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  for (const name of ['ServiceName', 'ScopeName', 'SeverityText']) {
    await expect(dialog.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  }
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const plan = await review(page)
  await expect(plan.getByRole('row', { name: 'series A › condition' })).toContainText('SeverityText:error')
  await expect(plan.getByRole('row', { name: 'group by' })).toContainText('ServiceName, ScopeName, SeverityText')
})
