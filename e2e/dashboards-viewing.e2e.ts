import { readFile } from 'node:fs/promises'
import { dashboard } from '../src/contract/stack/dashboards/dashboards.ts'
import { expectNoViolations } from './support/axe.ts'
import {
  alertOn,
  drawnTiles,
  edit,
  expectSaved,
  filtered,
  fromMenu,
  listOf,
  read,
  rename,
  review,
  sources,
  stack,
} from './support/dashboards.ts'
import { sendLogs } from './support/explorer.ts'
import { expect, managed, openSource, test, unique } from './support/test.ts'
import { now } from './support/now.ts'

test.use({ telemetry: true })

test('pairs a managed connection with the open-source one at its address, until it is unpaired', async ({ page }) => {
  const { id } = await drawnTiles()
  await page.goto(`${listOf(managed)}/${id}`)
  const dialog = page.getByRole('dialog')
  await expect(page.getByText('Data from Local (open source).')).toBeVisible()
  await page.getByRole('button', { name: 'Query connection' }).click()
  await dialog.getByRole('button', { name: 'Remove query connection' }).click()
  await page.reload()
  await expect(page.getByText('No data.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Choose query connection' }).click()
  await expect(dialog.getByText('the same source').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Data from Local (open source).')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
})

test('a source of the query connection that is chosen by hand stays chosen', async ({ page, api }) => {
  const { id } = await drawnTiles()
  const other = await api.createSource(unique('Other logs'))
  await page.goto(`${listOf(managed)}/${id}`)
  const dialog = page.getByRole('dialog')
  const row = dialog.getByRole('row', { name: /selected manually/ })
  const open = () => page.getByRole('button', { name: /[Qq]uery connection$/ }).click()
  await open()
  await expect(dialog.getByRole('combobox', { name: 'Query data through' })).toContainText('Local (open source)')
  await expectNoViolations(page, 'the query connection')
  await dialog.getByRole('combobox', { name: 'Use instead of Logs' }).click()
  await page.getByRole('option', { name: other.name }).click()
  await expect(row).toContainText(other.name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await open()
  await expect(row).toContainText(other.name)
  // Nothing of what is not saved stays.
  await dialog.getByRole('combobox', { name: 'Use instead of Logs' }).click()
  await page.getByRole('option', { name: 'Logs', exact: true }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await open()
  await expect(row).toContainText(other.name)
  await dialog.getByRole('button', { name: 'Remove query connection' }).click()
  await expect(dialog).toHaveCount(0)
  await api.deleteSource(other.id)
})

test('synchronizes the cursor of all tiles, and zooms all by dragging over one', async ({ page }) => {
  const { id } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}?from=now-15m`)
  const crosshair = (name: string) => page.getByRole('region', { name }).locator('path[stroke-dasharray="3 3"]')
  const chart = page.getByRole('region', { name: 'Left' }).getByRole('application')
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  // Waits until it does not move any more.
  await chart.hover()
  const box = (await chart.boundingBox())!
  const middle = box.y + box.height / 2
  await page.mouse.move(box.x + box.width - 24, middle)
  // A vertical line has no width, and so counts as hidden.
  await expect(crosshair('Left')).toBeAttached()
  await expect(crosshair('Right')).toBeAttached()
  await page.mouse.move(box.x + box.width * 0.4, middle)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, middle, { steps: 8 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d{13}&to=\d{13}/)
  await page.goBack()
  await expect(page).toHaveURL(/from=now-15m/)
})

test('suggests columns in the dashboard condition, and filters every tile by it', async ({ page }) => {
  const { id } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}`)
  const condition = page.getByRole('combobox', { name: 'Condition for all tiles' })
  await condition.pressSequentially('Severity')
  await expect(page.getByRole('option', { name: 'SeverityText:' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('nothing-is-called-so')
  await expect(page).not.toHaveURL(/nothing/)
  const query = page.waitForRequest((request) => request.postData()?.includes('nothing-is-called-so') ?? false)
  await page.keyboard.press('Enter')
  await query
  await expect(page).toHaveURL(/q=SeverityText/)
  await page.getByRole('combobox', { name: 'Condition language' }).click()
  await page.getByRole('option', { name: 'SQL' }).click()
  await expect(page).toHaveURL(/ql=sql/)
  await expect(condition).toHaveValue('SeverityText:nothing-is-called-so')
})

test('opens the events of a tile, and those of a series of its legend, in its range', async ({ page }) => {
  const { id, q, from, to } = await ordersTile()
  const address = `${listOf(openSource)}/${id}?from=${from}&to=${to}`
  const isSearch = (condition: string) => (url: URL) => {
    const [asked, ...range] = ['q', 'from', 'to'].map((name) => url.searchParams.get(name))
    return url.pathname.endsWith('/search') && asked === condition && range.join() === `${from},${to}`
  }
  const status = page.getByRole('status').filter({ hasText: 'loaded' })
  await page.goto(address)
  const legend = page.getByRole('region', { name: 'Orders' }).getByRole('group', { name: 'Legend' })
  await expect(legend).toBeVisible()
  await fromMenu(page, 'Orders', 'View events')
  await expect(page).toHaveURL(isSearch(q))
  await expect(status).toContainText('40 rows')

  await page.goto(address)
  await legend.getByRole('button', { name: 'ERROR', exact: true }).focus()
  await page.keyboard.press('Tab')
  const events = legend.getByRole('button', { name: 'View events of ERROR' })
  await expect(events).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(isSearch(`${q} AND SeverityText:"ERROR"`))
  await expect(status).toContainText('10 rows')
})

/** A dashboard with a tile about the orders of a service, which are 30 INFO and 10 ERROR, and a range around them. */
async function ordersTile() {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 40)
  const sourceId = (await sources()).find(({ kind }) => kind === 'log')?.id
  const q = `ServiceName:"${service}"`
  const select = [{ aggFn: 'count', where: q, whereLanguage: 'lucene' }]
  const config = { displayType: 'line', sourceId, select, groupBy: 'SeverityText' }
  const tiles = [{ name: 'Orders', x: 0, y: 0, w: 12, h: 6, config }]
  const { id } = await stack(dashboard, 'POST', '/dashboards', { name: unique('Orders'), tiles })
  const minute = 60_000
  const from = Math.floor(now() / minute) * minute - 20 * minute
  return { id, q, from, to: from + 30 * minute }
}

test('a tile says what it shows, and its line has steps and fits its values', async ({ page }) => {
  // One of its own: with many lines, as groups of other tests are, a chart is painted on a canvas.
  const { id } = await ordersTile()
  await edit(page, openSource, id)
  await fromMenu(page, 'Orders', 'Edit')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Rows by severity')
  await dialog.getByRole('combobox', { name: 'Line interpolation' }).click()
  await page.getByRole('option', { name: 'Steps' }).click()
  await dialog.getByRole('switch', { name: 'Fit Y axis to data' }).check()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaved(page)
  const tile = page.getByRole('region', { name: 'Orders' })
  await expect(tile.getByRole('img', { name: 'Rows by severity' })).toBeVisible()
  const config = { lineInterpolation: 'step', fitYAxisToData: true }
  expect((await read(id)).tiles[0]).toMatchObject({ description: 'Rows by severity', config })
  // Steps are straight up and across.
  const line = tile.locator('[data-part=line]').first()
  await expect(line).toHaveAttribute('d', /L/)
  const points = (await line.getAttribute('d'))!.split('Z').map((part) => part.match(/[\d.]+,[\d.]+/g) ?? [])
  for (const run of points) {
    run.forEach((point, at) => {
      const [x, y] = point.split(',')
      const [beforeX, beforeY] = run[at - 1]?.split(',') ?? [x, y]
      expect(x === beforeX || y === beforeY, point).toBe(true)
    })
  }
})

test('shows the error and the request of a failed tile, and draws the others', async ({ page }) => {
  const { id, name, tiles } = await drawnTiles()
  const [left, right] = tiles
  const broken = {
    ...right,
    config: { ...right?.config, select: [{ aggFn: 'count', where: 'nothing(', whereLanguage: 'sql' }] },
  }
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [left, broken] })
  await page.goto(`${listOf(openSource)}/${id}`)
  await expect(page.getByRole('region', { name: 'Right' }).getByRole('alert')).toContainText(/Request ID [\w-]{8}/)
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('alert')).toBeHidden()
})

test.describe('with a fake clock', () => {
  test.use({ ownContext: true })

  test('pauses auto refresh while the page is hidden', async ({ page }) => {
    const { id } = await drawnTiles()
    await page.addInitScript(() => {
      Object.defineProperty(document, 'hidden', { get: () => document.documentElement.dataset.hidden === 'yes' })
    })
    await page.clock.install()
    let queries = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/charts/series')) queries++
    })
    await page.goto(`${listOf(openSource)}/${id}?refresh=10s`)
    await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
    const first = queries
    // Both tiles need the same query, which is sent before the page is drawn, and not again.
    expect(first).toBe(1)
    await page.clock.runFor(11_000)
    await expect.poll(() => queries).toBeGreaterThan(first)
    await page.evaluate(() => (document.documentElement.dataset.hidden = 'yes'))
    await page.clock.runFor(2_000)
    const hidden = queries
    await page.clock.runFor(60_000)
    expect(queries).toBe(hidden)
    await page.evaluate(() => {
      document.documentElement.dataset.hidden = 'no'
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(() => queries).toBeGreaterThan(hidden)
  })
})

test('dashboard cards and the dashboard page have no accessibility violations', async ({ page, api }) => {
  const health = (await api.dashboards()).find(({ name }) => name === 'Stack health')
  await page.goto(`${listOf(openSource)}?view=grid`)
  await expect(page.getByRole('list', { name: 'Without a tag' })).toBeVisible()
  await expectNoViolations(page, 'cards')
  await page.goto(`${listOf(openSource)}/${health?.id}`)
  await expect(page.getByRole('region', { name: 'Latency', exact: true })).toBeVisible()
  await expectNoViolations(page, 'view')
})

test('the dashboard editor has no accessibility violations in any state', async ({ page, api }) => {
  const health = (await api.dashboards()).find(({ name }) => name === 'Stack health')
  await edit(page, openSource, health?.id ?? '')
  await expectNoViolations(page, 'edit')
  await fromMenu(page, 'Latency', 'Edit')
  await expectNoViolations(page, 'tile form')
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect(page.getByRole('textbox', { name: 'Configuration as JSON' })).toBeVisible()
  await expectNoViolations(page, 'tile JSON')
  await page.getByRole('button', { name: 'Close' }).first().click()
  await rename(page, 'Latency', 'Latency, renamed')
  await review(page)
  await expectNoViolations(page, 'save plan')
})

test('filters, their settings and the delete dialog have no accessibility violations', async ({ page, api }) => {
  const made = await filtered({ isVariableEnabled: true })
  await alertOn(made, unique('Goes along'), (await api.webhooks())[0]?.id)
  const choice = `f.${made.filters[0]?.id}=${encodeURIComponent('["api"]')}`
  await page.goto(`${listOf(openSource)}/${made.id}?${choice}&f.gone=1`)
  await expect(page.getByRole('button', { name: 'Save as default' })).toBeVisible()
  await expectNoViolations(page, 'chosen values')
  await fromMenu(page, 'this dashboard', 'Delete')
  await expect(page.getByRole('dialog').getByText('on its tiles will also be deleted')).toBeVisible()
  await expectNoViolations(page, 'delete')
  await edit(page, openSource, made.id)
  await page.getByRole('button', { name: 'Settings', exact: true }).first().click()
  await expect(page.getByRole('group', { name: 'Filter 1' })).toBeVisible()
  await expectNoViolations(page, 'settings')
})

test('the menu of a tile leads to its editor, the explorer and a new alert, by the mouse and by its keys', async ({
  page,
}) => {
  const { id, tiles } = await drawnTiles()
  const address = `${listOf(openSource)}/${id}`
  const open = async () => {
    await page.goto(address)
    const tile = page.getByRole('region', { name: 'Left', exact: true })
    await expect(tile.getByRole('group', { name: 'Legend' })).toBeVisible()
    return tile
  }
  await open()
  await fromMenu(page, 'Left', 'Edit')
  const editor = page.getByRole('dialog')
  await expect(editor.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Left')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()

  await (await open()).getByRole('button', { name: 'Actions of Left' }).focus()
  await page.keyboard.press('x')
  await expect(page).toHaveURL(/\/explorer\?/)
  await expect(page.getByText('count by ServiceName')).toBeVisible()
  await expect(page.getByText('checkout', { exact: true }).first()).toBeVisible()

  await (await open()).getByRole('button', { name: 'Actions of Left' }).focus()
  await page.keyboard.press('a')
  await expect(page).toHaveURL((url) => url.searchParams.get('tileId') === tiles[0]?.id)
  await expect(page.getByRole('heading', { level: 1, name: 'New alert' })).toBeVisible()

  // The second key of a chord is the page's.
  await (await open()).getByRole('button', { name: 'Actions of Left' }).focus()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible()

  await (await open()).getByRole('button', { name: 'Actions of Left' }).focus()
  await page.keyboard.press('d')
  await expect(page.getByRole('region', { name: 'Left (copy)' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Draft' })).toContainText('1 tile added')
})

test('what a tile shows is saved as a file, and a link opens it in full screen', async ({ page }) => {
  const { id } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}`)
  const tile = page.getByRole('region', { name: 'Left', exact: true })
  await expect(tile.getByRole('group', { name: 'Legend' })).toBeVisible()
  const saved = async (item: string) => {
    const download = page.waitForEvent('download')
    await fromMenu(page, 'Left', item)
    return download
  }
  const csv = await saved('Download CSV')
  expect(csv.suggestedFilename()).toBe('Left.csv')
  const text = await readFile(await csv.path(), 'utf8')
  expect(text.split('\r\n')[0]).toMatch(/^time,.*checkout/)
  expect((await saved('Download PNG')).suggestedFilename()).toBe('Left.png')

  await fromMenu(page, 'Left', 'Copy link')
  await expect(page.getByText('Link copied')).toBeVisible()
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()))
  await expect(page.getByRole('dialog', { name: 'Left' })).toBeVisible()
  await page.getByRole('button', { name: 'Exit full screen' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
