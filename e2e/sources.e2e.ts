import type { Page } from '@playwright/test'
import { names } from './support/environment.ts'
import { chooseAction, expect, managed, openSource, setFaults, test, unique, withTransitions } from './support/test.ts'

withTransitions()

const list = `/c/${openSource}/sources`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const send = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save source' }).click()

test('creates, edits, deletes and restores a source', async ({ page, api }) => {
  const name = unique('Night logs')
  await page.goto(list)
  await page.getByRole('link', { name: 'New source' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create source' }).click()
  await expect(page.getByRole('textbox', { name: 'Table', exact: true })).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Use OpenTelemetry column names' }).click()
  await page.getByRole('button', { name: 'Create source' }).click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Nothing uses it.')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Body', exact: true }).fill('lower(Body)')
  await page.getByRole('button', { name: /^Review/ }).click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /Body.*lower\(Body\)/ })).toBeVisible()
  await send(page)
  // The form shows it before it is saved.
  await expect(page).not.toHaveURL(/\/edit$/)
  await expect(page.getByRole('main')).toContainText('lower(Body)')
  const made = (await api.sources()).find((source) => source.name === name)
  expect(made).toMatchObject({ kind: 'log', bodyExpression: 'lower(Body)', serviceNameExpression: 'ServiceName' })

  await chooseAction(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete source' }).click()
  await expect(heading(page, 'Sources')).toBeVisible()
  await expect(page.getByRole('link', { name })).toHaveCount(0)
  // The save before it has one too.
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('link', { name })).toBeVisible()
})

test('shows what uses a source, asks before deleting it, and marks dangling references', async ({ page, api }) => {
  const source = await api.createSource(unique('Used'))
  const board = await api.createDashboard(unique('Reads it'), source.id)
  await page.goto(`${list}/${source.id}`)
  await expect(page.getByRole('main').getByRole('link', { name: board.name })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('tile “Lines”')

  await chooseAction(page, 'Delete')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('link', { name: board.name })).toBeVisible()
  const yes = dialog.getByRole('button', { name: 'Delete source' })
  await expect(yes).toBeDisabled()
  await dialog.getByRole('textbox').fill(source.name)
  await yes.click()
  await expect(heading(page, 'Sources')).toBeVisible()
  await expect(page.getByText(/refers? to sources that do not exist/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: board.name })).toBeVisible()
  await api.deleteDashboard(board.id)
})

test('keeps unknown fields and changes by others in an edit', async ({ page, api }) => {
  const querySettings = [{ setting: 'max_threads', value: '2' }]
  const source = await api.createSource(unique('Shared'), { querySettings })
  await page.goto(`${list}/${source.id}/edit`)
  await expect(page.getByText('No changes')).toBeVisible()
  await page.getByRole('textbox', { name: 'Section' }).fill('mine')
  await api.updateSource(source.id, { ...source, bodyExpression: 'upper(Body)' })
  await page.getByRole('button', { name: /^Review/ }).click()
  await send(page)
  await expect(page.getByRole('heading', { name: 'Changed by somebody else' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue with these values' }).click()
  await page.getByRole('button', { name: /^Review/ }).click()
  await send(page)
  await expect(heading(page, source.name)).toBeVisible()
  expect(await api.source(source.id)).toMatchObject({ section: 'mine', bodyExpression: 'upper(Body)', querySettings })
})

test('names the data connection of a source, and offers those of the deployment', async ({ page, api }) => {
  const source = await api.createSource(unique('Connected'))
  await page.goto(`${list}/${source.id}`)
  await expect(page.getByRole('main')).toContainText('Local ClickHouse')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const connection = page.getByRole('combobox', { name: 'Data connection' })
  await expect(connection).toHaveText('Local ClickHouse')
  await connection.click()
  await expect(page.getByRole('option')).toHaveText(['Local ClickHouse'])
})

test('shows a rejected value at its field, where data connections are not listed', async ({ page }) => {
  setFaults({ match: 'GET /api/v2/connections', status: 404, contentType: 'text/html', body: '<html></html>' })
  await page.goto(`${list}/new`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(unique('Elsewhere'))
  await page.getByRole('button', { name: 'Use OpenTelemetry column names' }).click()
  const connection = page.getByRole('combobox', { name: 'Data connection' })
  // A choice until it is known that the connections are not listed.
  await expect(connection).toHaveJSProperty('tagName', 'INPUT')
  await connection.fill('a'.repeat(24))
  await page.getByRole('button', { name: 'Create source' }).click()
  await expect(page.getByText('connection must be an existing connection id')).toBeVisible()
  await expect(connection).toHaveAttribute('aria-invalid', 'true')
  setFaults()
})

test('edits sources through the managed variant where the deployment supports it', async ({ page, api }) => {
  const source = await api.createSource(unique('Managed'))
  await page.goto(`/c/${managed}/sources/${source.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Body', exact: true }).fill('upper(Body)')
  await page.getByRole('button', { name: /^Review/ }).click()
  await send(page)
  await expect(page.getByRole('main')).toContainText('upper(Body)')
})

test('detects a managed deployment that can only list sources', async ({ page, api }) => {
  const logs = (await api.sources()).find((source) => source.kind === 'log')
  const noRoute = { status: 404, contentType: 'text/html', body: '<html></html>' }
  setFaults({ match: `GET /v1/*/${names.stack}/sources/`, ...noRoute })
  await page.goto(`/c/${managed}/sources`)
  await expect(page.getByText('List only', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'New source' })).toBeDisabled()
  await page.getByRole('link', { name: logs?.name ?? '', exact: true }).click()
  await expect(heading(page, logs?.name ?? '')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeDisabled()
  setFaults()
})

test('deletes sources in bulk, except those in use, and restores them', async ({ page, api }) => {
  const stem = unique('Bulk')
  const [free, alsoFree, used] = [
    await api.createSource(`${stem} one`),
    await api.createSource(`${stem} two`),
    await api.createSource(`${stem} used`),
  ]
  const board = await api.createDashboard(unique('Reads it'), used.id)
  setFaults({ match: 'GET /api/v2/sources', hold: true })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${list}?q=${encodeURIComponent(stem)}`, { waitUntil: 'commit' })
  const all = page.getByRole('checkbox', { name: 'Select all sources' })
  // A click before the rows are loaded would select nothing, which looks like a lost click.
  await expect(all).toBeDisabled()
  // Not even the skeleton, and no transition that ends at once, which costs as much.
  expect(await page.evaluate(() => document.getAnimations().length), 'animations with reduced motion').toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  setFaults()
  await all.check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('link', { name: board.name })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete 2 sources' }).click()
  await expect(dialog.getByText('2 of 3 done, 1 not')).toBeVisible()
  const kept = dialog.getByRole('list', { name: 'Outcomes' }).getByRole('listitem').filter({ hasText: used.name })
  await expect(kept.first()).toContainText('used by 1 dashboard')
  await expect(kept.getByRole('link', { name: board.name })).toHaveAttribute('href', new RegExp(board.id))
  const ids = async () => (await api.sources()).map(({ id }) => id)
  expect(await ids()).not.toContain(free.id)
  expect(await ids()).not.toContain(alsoFree.id)
  expect(await ids()).toContain(used.id)

  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('link', { name: used.name, exact: true })).toBeVisible()
  for (const { name } of [free, alsoFree]) await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  for (const { name } of [free, alsoFree]) await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  const names = (await api.sources()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([free.name, alsoFree.name, used.name]))
  await api.deleteDashboard(board.id)
})
