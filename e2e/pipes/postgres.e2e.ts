/** Postgres pipes with a real server: created through the form, replicating its changes, with rows that do not fit. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type PostgresProcess } from '#node/testing/postgresProcess.ts'
import { pipeAt, test } from '../support/cloud.ts'
import { expect, managed, unique } from '../support/test.ts'

test.use({ telemetry: true })

let folder: string
let server: PostgresProcess
test.beforeAll(async () => {
  // Beside the data directory: the server's own user must reach it.
  folder = mkdtempSync(join(tmpdir(), 'stack-console-postgres-'))
  chmodSync(folder, 0o700)
  server = await startPostgres(folder, { settings: ['wal_level=logical'] })
  await server.sql(
    `CREATE TABLE customers (id int PRIMARY KEY, name text); INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo');
     CREATE TABLE payments (shop text, id int, amount numeric, PRIMARY KEY (shop, id));
     INSERT INTO payments VALUES ('north', 1, 12.5), ('north', 2, 'NaN'), ('south', 1, 7)`,
  )
})
test.afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('loads and replicates tables of a database, with one size for all database pipes', async ({ page, cloud }) => {
  const name = unique('Customers')
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
  await page.goto(`/c/${managed}/pipes/new`)
  await page.getByRole('radio', { name: /Postgres/ }).check()
  await field('Name').fill(name)
  await field('Host').fill('127.0.0.1')
  await field('Port').fill(String(server.port))
  await field('Source database').fill('no_such_database')
  await field('Username').fill('stack')

  // The connection is tested before tables are asked for. No input is lost.
  const next = page.getByRole('button', { name: /^Next: / })
  await next.click()
  await expect(page.getByText(/"no_such_database" does not exist/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(field('Host')).toHaveValue('127.0.0.1')
  await field('Source database').fill('postgres')
  await next.click()
  await expect(page.getByRole('list', { name: 'Result of the test' })).toContainText('wal_level logical')
  const tables = page.getByRole('table', { name: 'Tables of the source' })
  await expect(tables.getByRole('row', { name: /public\.payments/ })).toContainText('shop, id')
  await next.click()
  await expect(page.getByText('Choose at least one table.')).toBeVisible()
  await tables.getByRole('checkbox', { name: 'Load public.customers' }).press('Space')
  await tables.getByRole('button', { name: /public\.customers/ }).press('Enter')
  const columns = page.getByRole('region', { name: 'Columns of public.customers' })
  await expect(columns.getByRole('checkbox', { name: 'Keep id' })).toBeDisabled()
  await columns.getByRole('button', { name: 'Preview rows' }).click()
  await expect(columns.getByRole('row').nth(1)).toHaveText('1Ada')
  await columns.getByRole('checkbox', { name: 'Keep name' }).uncheck()
  await expect(tables.getByRole('row', { name: /public\.customers/ })).toContainText('1 of 2')
  await columns.getByRole('checkbox', { name: 'Keep name' }).check()
  await page.getByText('Names, engines and sorting keys').click()
  await field('Target table').fill(name.replaceAll(/\W/g, '_'))
  await page.getByText('Replication settings').click()
  await field('Sync interval').fill('1')
  await next.click()
  await next.click()
  await expect(page.getByRole('region', { name: 'Will be created' })).toContainText('public.customers')
  await page.getByRole('button', { name: 'Create pipe' }).click()

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const made = (await cloud.pipes()).find((pipe) => pipe.name === name)
  cloud.deleteLater(made?.id)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(/logical replication/i).first()).toBeVisible()
  await expect.poll(() => cloud.written(made?.id ?? '')).toBe(2)
  await server.sql("INSERT INTO customers VALUES (3, 'Cy')")
  await expect.poll(() => cloud.written(made?.id ?? '')).toBe(3)

  await page.getByRole('button', { name: 'Scale' }).click()
  await page.getByRole('link', { name: 'Scale database pipes' }).click()
  await page.getByRole('slider', { name: 'CPU' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Scale database pipes' }).click()
  await expect(page.getByText(/Change applied/)).toBeVisible()
  await page.getByRole('button', { name: 'Revert' }).click()
  await expect(page.getByText(/Change applied: CPU 4 vCPU → 2 vCPU/)).toBeVisible()
})

test('is created for a server that is not reached, and says so', async ({ page, cloud }) => {
  const pipe = await cloud.createPostgresPipe({ port: 1, tables: ['customers'], state: 'Degraded' })
  await page.goto(pipeAt(pipe))
  await expect(page.getByText('127.0.0.1:1 was not reached (ECONNREFUSED)').first()).toBeVisible()
})

test('lists the rows that do not fit, with their table and key, and what to do about them', async ({ page, cloud }) => {
  const pipe = await cloud.createPostgresPipe({ port: server.port, tables: ['payments'], state: 'Running' })
  await page.goto(pipeAt(pipe))
  const bad = page.getByRole('table', { name: 'Bad records' })
  const row = bad.getByRole('row', { name: /public\.payments: shop, id = \["north", 2\]/ })
  await expect(row).toContainText('amount')
  await expect(row).toContainText('NaN')
  await row.getByRole('button', { name: /^Copy record/ }).click()
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toMatchObject({ shop: 'north', id: 2 })
  const panel = page.getByRole('region', { name: 'Bad records', exact: true }).first()
  await expect(panel.getByText(/Correct these rows at the source/)).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Load again' })).toHaveCount(0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('bad-records.jsonl')
  expect(
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ topic: 'public.payments', partition: 'shop, id', offset: '["north", 2]' }])

  // Its corrected row is loaded with its change.
  await server.sql("UPDATE payments SET amount = 9 WHERE shop = 'north' AND id = 2")
  await expect.poll(() => cloud.written(pipe.id)).toBe(3)
})
