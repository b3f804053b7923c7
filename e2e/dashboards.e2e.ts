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
