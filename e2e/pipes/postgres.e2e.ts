/** A Postgres pipe is created through the form, with a real server, and replicates its changes. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type PostgresProcess } from '#node/testing/postgresProcess.ts'
import { test } from '../support/cloud.ts'
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
    "CREATE TABLE customers (id int PRIMARY KEY, name text); INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo')",
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
  await field('Sync interval').fill('1')
  await field('Source table').fill('customers')
  await field('Target table').fill(name.replaceAll(/\W/g, '_'))

  // The error of the server is shown, and no input is lost.
  const create = async () => {
    await page.getByRole('button', { name: 'Review and create' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create pipe' }).click()
  }
  await create()
  await expect(page.getByText(/"no_such_database" does not exist/).first()).toBeVisible({ timeout: 20_000 })
  await expect(field('Source table')).toHaveValue('customers')
  await field('Source database').fill('postgres')
  await create()

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible({ timeout: 20_000 })
  const made = (await cloud.pipes()).find((one) => one.name === name)
  cloud.deleteLater(made?.id)
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/logical replication/i).first()).toBeVisible()
  await expect.poll(() => cloud.written(made?.id ?? ''), { timeout: 20_000 }).toBe(2)
  await server.sql("INSERT INTO customers VALUES (3, 'Cy')")
  await expect.poll(() => cloud.written(made?.id ?? ''), { timeout: 20_000 }).toBe(3)

  await page.getByRole('button', { name: 'Scale' }).click()
  await page.getByRole('link', { name: 'Scale database pipes' }).click()
  await page.getByRole('slider', { name: 'CPU' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Scale database pipes' }).click()
  await expect(page.getByText(/Change applied/)).toBeVisible({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Revert' }).click()
  await expect(page.getByText(/Change applied: CPU 4000 m → 2000 m/)).toBeVisible({
    timeout: 20_000,
  })
})
