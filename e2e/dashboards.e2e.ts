import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { alert } from '../src/contract/alerts.ts'
import { dashboard, type Dashboard } from '../src/contract/dashboards.ts'
import { violations } from './axe.ts'
import { apiURL, credentials } from './environment.ts'
import { expect, managed, openSource, setFaults, test, unique } from './support.ts'

const listOf = (connectionId: string) => `/c/${connectionId}/dashboards`

/** Straight to the stack: what another person does, and what is really there. */
async function stack<S extends z.ZodType>(
  schema: S,
  method: string,
  path: string,
  body?: unknown,
): Promise<z.output<S>> {
  const answer = await fetch(`${apiURL}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${credentials().personalAccessKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true)
  return schema.parse(z.object({ data: z.unknown() }).parse(JSON.parse(text)).data)
}

const read = (id: string) => stack(dashboard, 'GET', `/dashboards/${id}`)
const sources = () => stack(z.array(z.object({ id: z.string(), kind: z.string() })), 'GET', '/sources')

const line = (name: string, x: number, sourceId: string) => ({
  name,
  x,
  y: 0,
  w: 12,
  h: 6,
  config: { displayType: 'line', sourceId, select: [{ aggFn: 'count' }], groupBy: 'ServiceName' },
})

/** A dashboard of two line tiles, "Left" and "Right". */
async function twoTiles(): Promise<Dashboard> {
  const [source] = await sources()
  const tiles = [line('Left', 0, source?.id ?? ''), line('Right', 12, source?.id ?? '')]
  return stack(dashboard, 'POST', '/dashboards', { name: unique('Two tiles'), tiles })
}

const edit = async (page: Page, connectionId: string, id: string) => {
  await page.goto(`${listOf(connectionId)}/${id}?edit=1`)
  await expect(page.getByRole('region', { name: 'Draft' })).toBeVisible()
}

async function fromMenu(page: Page, of: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${of}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function rename(page: Page, tile: string, name: string): Promise<void> {
  await fromMenu(page, tile, 'Edit')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Apply' }).click()
}

async function review(page: Page) {
  await page.getByRole('button', { name: 'Review and save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this dashboard?' })
  await expect(dialog.getByRole('heading', { name: 'What changes' })).toBeVisible()
  return dialog
}

test('a dashboard is built from nothing with the mouse', async ({ page }) => {
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
  const box = await handle.boundingBox()
  await page.mouse.move(box!.x + 10, box!.y + 10)
  await page.mouse.down()
  await page.mouse.move(box!.x + 300, box!.y + 20, { steps: 10 })
  await page.mouse.up()
  const dialog = await review(page)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(`Saved “${name}”`)).toBeVisible()
  const id = /dashboards\/(\w+)/.exec(page.url())?.[1] ?? ''
  const saved = await read(id)
  expect(saved.tiles.map((tile) => tile.config?.displayType)).toEqual(['line', 'number', 'markdown'])
  expect(saved.tiles[1]?.x).toBeGreaterThan(12)
  await expect(page.getByText('unsaved draft')).toBeHidden()
})

test('a dashboard is arranged with the keyboard alone', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  const handle = page.getByRole('button', { name: 'Move Left' })
  await handle.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Group', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'New group' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('region', { name: 'New group' })).toBeHidden()
  await page.keyboard.press('Control+Shift+z')
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Saved/)).toBeVisible()
  const saved = await read(id)
  expect(saved.tiles[0]).toMatchObject({ w: 11, h: 7, containerId: saved.containers?.[0]?.id })
})

test('a draft outlives a reload, and discarding it leaves the dashboard as it was', async ({ page }) => {
  const before = await twoTiles()
  await edit(page, openSource, before.id)
  await rename(page, 'Left', 'Renamed')
  await expect(page.getByText('draft kept')).toBeVisible()
  await page.waitForFunction((id) => JSON.stringify(localStorage).includes(id), before.id)
  await page.goto(`${listOf(openSource)}/${before.id}`)
  await page.getByRole('button', { name: 'Go on editing' }).click()
  await expect(page.getByRole('region', { name: 'Renamed' })).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('region', { name: 'Left' })).toBeVisible()
  expect(await read(before.id)).toEqual(before)
})

test('the plan names the alert that a save deletes', async ({ page, api }) => {
  const { id, tiles } = await twoTiles()
  const [hook] = await api.webhooks()
  const name = unique('On the left')
  await stack(alert, 'POST', '/alerts', {
    source: 'tile',
    dashboardId: id,
    tileId: tiles[0]?.id,
    name,
    threshold: 1,
    thresholdType: 'above',
    interval: '5m',
    channel: { type: 'webhook', webhookId: hook?.id },
  })
  await edit(page, openSource, id)
  await fromMenu(page, 'Left', 'Remove')
  const dialog = await review(page)
  await expect(dialog.getByRole('link', { name })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save and lose 1 alert' }).click()
  await expect(page.getByText(/^Saved/)).toBeVisible()
  expect((await api.alerts()).some((one) => one.name === name)).toBe(false)
})

test('what two people changed is put together, and what both changed is asked', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Left by me')
  const [left, right] = tiles
  await stack(dashboard, 'PUT', `/dashboards/${id}`, {
    name,
    tiles: [
      { ...left, name: 'Left by them' },
      { ...right, name: 'Right by them' },
    ],
  })
  const dialog = await review(page)
  await expect(dialog.getByText('Somebody else changed this dashboard')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await dialog.getByRole('radio', { name: 'Mine' }).check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^Saved/)).toBeVisible()
  expect((await read(id)).tiles.map((tile) => tile.name)).toEqual(['Left by me', 'Right by them'])
})

test('a save whose answer is lost is found out by reading', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Written all the same')
  const dialog = await review(page)
  setFaults({ match: `PUT /api/v2/dashboards/${id}`, reset: 'after', times: 1 })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^Saved/)).toBeVisible()
  expect((await read(id)).tiles[0]?.name).toBe('Written all the same')
})

test('an export comes back as the same dashboard', async ({ page }) => {
  const original = await twoTiles()
  await page.goto(`${listOf(openSource)}/${original.id}`)
  await page.getByRole('button', { name: 'Actions of this dashboard' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as JSON' }).click(),
  ])
  await page.goto(listOf(openSource))
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByLabel('Dashboard file').setInputFiles({
    name: file.suggestedFilename(),
    mimeType: 'application/json',
    buffer: readFileSync(await file.path()),
  })
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('the same source').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText(/^Imported/)).toBeVisible()
  const id = /dashboards\/(\w+)/.exec(page.url())?.[1] ?? ''
  expect(id).not.toBe(original.id)
  const withoutIds = ({ id: _id, tiles, ...rest }: Dashboard) => ({
    ...rest,
    tiles: tiles.map(({ id: _tileId, ...tile }) => tile),
  })
  expect(withoutIds(await read(id))).toEqual(withoutIds(original))
})

test('a managed connection shows data once it is paired', async ({ page }) => {
  const { id } = await twoTiles()
  await page.goto(`${listOf(managed)}/${id}`)
  await expect(page.getByText('No data.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Pair for data' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('the same source').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Pair', exact: true }).click()
  await expect(page.getByText('Data from Local (open source).')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
})

test('many dashboards are tagged and deleted at once', async ({ page, api }) => {
  const [one, two] = [await twoTiles(), await twoTiles()]
  await page.goto(`${listOf(openSource)}?q=Two tiles`)
  const box = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('checkbox')
  for (const { name } of [one, two]) await box(name).check()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('combobox', { name: 'Add tags' }).fill('together')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Change tags' }).click()
  await expect(page.getByText('2 of 2 done')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).last().click()
  expect((await read(one.id)).tags).toEqual(['together'])
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('2 of 2 done')).toBeVisible()
  const left = (await api.dashboards()).map(({ id }) => id)
  expect(left).not.toContain(one.id)
  expect(left).not.toContain(two.id)
})

test('somebody who saves while the plan is read is not overwritten', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Left by me')
  const dialog = await review(page)
  await expect(dialog.getByText('The deployment has checked it')).toBeVisible()
  const [left, right] = tiles
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [left, { ...right, name: 'Right by them' }] })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText('It was changed by somebody else just now')).toBeVisible()
  expect((await read(id)).tiles.map((tile) => tile.name)).toEqual(['Left', 'Right by them'])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^Saved/)).toBeVisible()
  expect((await read(id)).tiles.map((tile) => tile.name)).toEqual(['Left by me', 'Right by them'])
})

test('what the deployment finds wrong is said before the save', async ({ page }) => {
  const { id } = await twoTiles()
  await edit(page, openSource, id)
  await rename(page, 'Left', 'Renamed')
  const finding = { data: { valid: false, errors: [{ path: 'tiles.0', message: 'too wide' }], normalized: null } }
  setFaults({ match: 'POST /api/v2/dashboards/validate', status: 200, body: finding })
  const dialog = await review(page)
  await expect(dialog.getByText('tiles.0: too wide')).toBeVisible()
  setFaults({ match: 'POST /api/v2/dashboards/validate', status: 404, contentType: 'text/html', body: '<html></html>' })
  await dialog.getByRole('button', { name: 'Back to editing' }).click()
  await rename(page, 'Renamed', 'Renamed again')
  await expect((await review(page)).getByText('This deployment offers no check before saving.')).toBeVisible()
  setFaults()
})

test('tiles share the time that is pointed at, and dragging over one sets the range of all', async ({ page }) => {
  const { id } = await twoTiles()
  await page.goto(`${listOf(openSource)}/${id}?from=now-15m`)
  const crosshair = (name: string) => page.getByRole('region', { name }).locator('path[stroke-dasharray="3 3"]')
  const chart = page.getByRole('region', { name: 'Left' }).locator('canvas').first()
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
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

test('a tile that fails says why and with which request, and the others are drawn', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  const [left, right] = tiles
  const broken = {
    ...right,
    config: { ...right?.config, select: [{ aggFn: 'count', where: 'nothing(', whereLanguage: 'sql' }] },
  }
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [left, broken] })
  await page.goto(`${listOf(openSource)}/${id}`)
  await expect(page.getByRole('region', { name: 'Right' }).getByRole('alert')).toContainText(/Request [\w-]{8}/)
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('alert')).toBeHidden()
})

test('a filter offers the values that are there, and its choice is asked of every tile', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  const sourceId = tiles[0]?.config?.sourceId
  const filter = { id: 'f1', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId }
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles, filters: [filter] })
  await page.goto(`${listOf(openSource)}/${id}`)
  const asked = page.waitForRequest((request) => (request.postData() ?? '').includes('ServiceName:\\"'))
  await page.getByRole('combobox', { name: 'Service' }).click()
  const value = page.getByRole('option').first()
  const chosen = await value.textContent()
  await value.click()
  expect((await asked).postData()).toContain(`ServiceName:\\"${chosen}\\"`)
  await page.reload()
  await expect(page.getByRole('group', { name: 'Filters' }).getByText(chosen ?? '', { exact: true })).toBeVisible()
})

test('refreshing rests while the page is hidden', async ({ page }) => {
  const { id } = await twoTiles()
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => document.documentElement.dataset.hidden === 'yes' })
  })
  await page.clock.install()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/charts/series')) asked++
  })
  await page.goto(`${listOf(openSource)}/${id}?refresh=10s`)
  await expect(page.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  const first = asked
  await page.clock.runFor(11_000)
  await expect.poll(() => asked).toBeGreaterThan(first)
  await page.evaluate(() => (document.documentElement.dataset.hidden = 'yes'))
  await page.clock.runFor(2_000)
  const hidden = asked
  await page.clock.runFor(60_000)
  expect(asked).toBe(hidden)
  await page.evaluate(() => {
    document.documentElement.dataset.hidden = 'no'
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect.poll(() => asked).toBeGreaterThan(hidden)
})

test('a tile of raw SQL is edited in a form, and says why it has no data', async ({ page }) => {
  const { id, name, tiles } = await twoTiles()
  const [source] = await stack(z.array(z.object({ connection: z.string() })), 'GET', '/sources')
  const config = { configType: 'sql', displayType: 'table', connectionId: source?.connection, sqlTemplate: 'SELECT 1' }
  const byHand = { name: 'By hand', x: 0, y: 6, w: 12, h: 6, config }
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [...tiles, byHand] })
  await edit(page, openSource, id)
  await expect(page.getByRole('region', { name: 'By hand' })).toContainText('Raw SQL')
  await fromMenu(page, 'By hand', 'Edit')
  await page.getByRole('textbox', { name: 'SQL statement' }).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' + 41 AS answer')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('region', { name: 'By hand' })).toContainText('SELECT 1 + 41 AS answer')
  await (await review(page)).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/^Saved/)).toBeVisible()
  expect((await read(id)).tiles[2]?.config).toEqual({ ...config, sqlTemplate: 'SELECT 1 + 41 AS answer' })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme })

    test('a dashboard has no violation in any of its states', async ({ page, api }) => {
      const health = (await api.dashboards()).find(({ name }) => name === 'Stack health')
      const at = `${listOf(openSource)}/${health?.id}`
      const check = async (state: string) => {
        await page.waitForLoadState('networkidle')
        expect(await violations(page), state).toEqual([])
      }
      await page.goto(`${listOf(openSource)}?view=grid`)
      await expect(page.getByRole('list', { name: 'Dashboards' })).toBeVisible()
      await check('cards')
      await page.goto(at)
      await expect(page.getByRole('region', { name: 'Latency', exact: true })).toBeVisible()
      await check('view')
      await edit(page, openSource, health?.id ?? '')
      await check('edit')
      await fromMenu(page, 'Latency', 'Edit')
      await check('tile form')
      await page.getByRole('tab', { name: 'JSON' }).click()
      await expect(page.getByRole('textbox', { name: 'Configuration as JSON' })).toBeVisible()
      await check('tile JSON')
      await page.getByRole('button', { name: 'Close' }).first().click()
      await rename(page, 'Latency', 'Latency, renamed')
      await review(page)
      await check('save plan')
    })
  })
}
