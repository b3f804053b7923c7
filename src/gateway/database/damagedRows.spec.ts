/** One damaged row of a table: the others are read, the damaged one is reported, and it allows nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { damagedTables } from '../testing/damage/damagedTables.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import type { Database } from './database.ts'
import { forgetDeletedRows, plainTables, storedTables, type StoredTable } from './storedRows.ts'

let folder: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-rows-'))
  database = await openTestDatabase(folder)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

test('for every table it is decided what becomes of a damaged row', async () => {
  const sql = database.isShared
    ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'console_records'"
    : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  const tables = (await database.rows(sql)).map(({ name }) => String(name))
  expect(tables.toSorted()).toEqual([...Object.keys(storedTables), ...Object.keys(plainTables)].toSorted())
})

const names = Object.keys(storedTables) as StoredTable[] // of an object that has no others

test.each(names)('a damaged row of %s', async (table) => {
  const { plant, damage, onlyInFiles, read, expected } = damagedTables(database)[table]
  await plant()
  await database.write({ sql: `UPDATE ${table} SET ${damage}` })
  if (onlyInFiles && database.isShared) {
    await read()
    expect(database.damaged.all()).toEqual([])
    return
  }
  expect(await read()).toEqual(expected)
  await read()
  expect(database.damaged.all().map((damagedRow) => damagedRow.table)).toEqual([table])
  expect(database.damaged.summary()).toMatchObject({ total: 1, records: [{ table }] })
  await forgetDeletedRows(database)
  expect(database.damaged.all()).toHaveLength(table === 'provider_sessions' ? 0 : 1)
  await database.write({ sql: `DELETE FROM ${table}` })
  await forgetDeletedRows(database)
  expect(database.damaged.summary()).toBeUndefined()
})
