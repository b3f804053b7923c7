import type { Page } from '@playwright/test'
import { expectNoViolations, violations } from './support/axe.ts'
import { drawnTiles, fromMenu } from './support/dashboards.ts'
import { choose, exported, openOrders, sendLogs } from './support/explorer.ts'
import { expect, managed, openSource, test, unique } from './support/test.ts'

test.use({ telemetry: true })

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'SQL statement' })

async function write(page: Page, statement: string): Promise<void> {
  await editorOf(page).press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(statement)
}

test('runs a statement, shows and exports its rows, and draws them', async ({ page }) => {
  const service = unique('sql').replace(' ', '-')
  await sendLogs(service, 40)
  await page.goto(`/c/${openSource}/explorer`)
  await page.getByRole('navigation', { name: 'Explorer' }).getByRole('link', { name: 'SQL' }).click()
  const tables = page.getByRole('region', { name: 'Tables' })
  await tables.getByRole('button', { name: 'Columns of otel_logs', exact: true }).click()
  await expect(tables.getByRole('button', { name: 'SeverityText', exact: true })).toBeVisible()

  const editor = editorOf(page)
  const run = async (statement: string) => {
    await write(page, statement)
    await editor.press('ControlOrMeta+Enter')
  }
  await run(
    `SELECT toStartOfMinute(Timestamp) AS minute, count() AS records, NULL AS nothing FROM otel_logs WHERE ServiceName = '${service}' GROUP BY minute ORDER BY minute`,
  )
  const grid = page.getByRole('grid', { name: 'Rows' })
  await expect(grid.getByRole('columnheader', { name: /records/ })).toBeVisible()
  await expect(grid.getByText('NULL').first()).toBeVisible()
  await expect(page.getByText(/Read [\d,]+ rows/)).toBeVisible()
  const sum = await grid.getByRole('gridcell').allTextContents()
  expect(sum.length).toBeGreaterThan(3)
  await grid.press('ArrowDown')
  await grid.press('ArrowRight')
  await expect(page.getByText('records of row 1')).toBeVisible()
  expect((await exported(page, 'Rows as CSV')).content.toString()).toContain('minute,records,nothing')
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  await expect(page.getByRole('application')).toBeVisible()
  await expect(page).toHaveURL(/view=chart/)
  // The statement is in no address, and is there again after a reload.
  expect(page.url()).not.toContain(service)
  await page.reload()
  await expect(editor).toContainText(service)
})

test('says where a statement is wrong, explains one, and stops one that takes long', async ({ page }) => {
  await page.goto(`/c/${openSource}/explorer/sql`)
  await write(page, 'SELECT Bdy FROM otel_logs')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Line 1, column 8')
  await write(page, "SELECT * FROM url('http://127.0.0.1/')")
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('the table function url is not allowed')
  await write(page, 'DROP TABLE otel_logs')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Only SELECT is allowed')

  await write(page, "SELECT Body FROM otel_logs WHERE ServiceName = 'x'")
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('ServiceName')

  await write(
    page,
    'SELECT sum(sipHash64(a.number, b.number)) FROM system.numbers AS a CROSS JOIN (SELECT number FROM system.numbers LIMIT 1000) AS b',
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  // How far it is, and one button that stops it.
  await expect(page.getByRole('progressbar', { name: 'Rows read' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('Stopped')).toBeVisible()
})

test('shares saved statements, which are found, changed, and brought back', async ({ page, otherBrowser }) => {
  await page.goto(`/c/${openSource}/explorer/sql`)
  const editor = editorOf(page)
  await write(page, "SELECT count() AS n FROM otel_logs WHERE LogAttributes['password'] = 'hunter2'")
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('grid', { name: 'Rows' })).toBeVisible()
  await choose(page, 'Saved', /Save statement/)
  const name = unique('Logins')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save statement' }).click()
  await expect(page).toHaveURL(/saved=/)
  const address = page.url()
  await write(page, 'SELECT 1')
  await choose(page, name, new RegExp(`^${name}`))
  await expect(editor).toContainText('hunter2')
  // Nobody asked for those that were run to be kept as they are.
  await choose(page, 'Recent', /LogAttributes/)
  await expect(editor).toContainText("'…'")

  // Another person's browser has it by its address, changes it, and finds it by its name.
  const other = await (await otherBrowser({ storageState: await page.context().storageState() })).newPage()
  await other.goto(address)
  await expect(editorOf(other)).toContainText('hunter2')
  await write(other, 'SELECT 2')
  await choose(other, name, `Save changes to “${name}”`)
  await expect(other.getByText(`Statement ${name} saved`)).toBeVisible()
  await other.goto(`/c/${openSource}/sources`)
  await other.keyboard.press('ControlOrMeta+k')
  await other.getByRole('combobox').fill(name)
  await other
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click()
  await expect(editorOf(other)).toContainText('SELECT 2')

  // A browser that read it before overwrites nothing.
  await choose(page, 'Saved', new RegExp(`^${name}`))
  await choose(page, name, `Rename “${name}”`)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await dialog.getByRole('button', { name: 'Rename statement' }).click()
  await expect(dialog.getByRole('alert')).toContainText('changed this statement meanwhile')
  // The focus is where it was before the request.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await choose(page, name, `Delete “${name}”`)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Statement ${name} saved again`)).toBeVisible()
  // The editor has another text than the deleted statement had, and keeps it.
  await expect(editor).toContainText('hunter2')
  await choose(page, 'Saved', new RegExp(`^${name}`))
  await expect(editor).toContainText('SELECT 2')
  await other.goto(address)
  await expect(other.getByText('This saved statement does not exist any more.')).toBeVisible()
})

test('saves a statement as a tile', async ({ page }) => {
  await page.goto(`/c/${openSource}/explorer/sql`)
  await write(page, 'SELECT count() AS n FROM otel_logs')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('button', { name: 'Save as tile' }).click()
  const name = unique('Logs')
  await page.getByRole('dialog').getByRole('textbox', { name: 'New dashboard name' }).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Save tile' }).click()
  await expect(page.getByText(`Tile saved to dashboard ${name}`)).toBeVisible()
})

test('runs on the managed variant too', async ({ page }) => {
  await page.goto(`/c/${managed}/explorer/sql`)
  await write(page, 'SELECT 41 + 1 AS answer')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('gridcell', { name: '42' })).toBeVisible()
})

test('charts, searches and tiles show their SQL, which runs as it is told', async ({ page }) => {
  const service = await openOrders(page, 'g=1m')
  await choose(page, 'Share', /Show SQL/)
  const dialog = page.getByRole('dialog', { name: 'SQL' })
  await expect(dialog.getByRole('textbox', { name: 'Statement of this chart' })).toContainText(service)
  await expectNoViolations(page, 'the SQL of a chart')
  // By keyboard: the focus is in the dialog, and Escape gives it back.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await choose(page, 'Share', /Show SQL/)
  await dialog.getByRole('button', { name: 'Open in SQL' }).click()
  await expect(page).toHaveURL(/explorer\/sql/)
  await expect(editorOf(page)).toContainText(service)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const grid = page.getByRole('grid', { name: 'Rows' })
  await expect(grid.getByRole('columnheader', { name: 'time' })).toBeVisible()
  await expect(grid.getByRole('gridcell', { name: 'ERROR' }).first()).toBeVisible()

  await page.goto(`/c/${openSource}/search?q=${encodeURIComponent(`ServiceName:"${service}"`)}`)
  await choose(page, 'Export', /Show SQL/)
  await expect(dialog.getByRole('textbox', { name: 'Statement of this search' })).toContainText(service)
  await dialog.getByRole('button', { name: 'Open in SQL' }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(grid.getByRole('gridcell', { name: service }).first()).toBeVisible()

  const { id } = await drawnTiles()
  await page.goto(`/c/${openSource}/dashboards/${id}`)
  await fromMenu(page, 'Left', 'Show SQL')
  await expect(dialog.getByRole('textbox', { name: 'Statement of this chart' })).toContainText('otel_logs')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})
