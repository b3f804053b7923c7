import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { Matches } from './matches.ts'

let dataDir: string
let database: Database

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'matches-'))
  database = await openTestDatabase(dataDir)
})
afterEach(() => database.close())

const at = (connectionId: string, id: string) => ({ connectionId, id })
const recordsOf = (matches: Matches) => matches.all().map(({ records }) => records)

test('the matches of an earlier version are taken over once, and the file is kept aside', async () => {
  const path = join(dataDir, 'environments.json')
  const one = { kind: 'dashboards', name: 'Shop', records: [at('a', '1'), at('b', '2')] }
  writeFileSync(path, JSON.stringify({ matches: [one] }))
  const matches = await Matches.open(database, dataDir)
  expect(recordsOf(matches)).toEqual([one.records])
  expect(existsSync(path)).toBe(false)
  // As if it had been killed before it put the file aside.
  writeFileSync(path, readFileSync(`${path}.migrated`))
  expect(recordsOf(await Matches.open(database, dataDir))).toEqual([one.records])
})

test('what two consoles match at the same time is kept, and each sees what the other did', async () => {
  const [one, other] = [await Matches.open(database, dataDir), await Matches.open(database, dataDir)]
  await Promise.all([
    one.set({ kind: 'dashboards', name: 'Shop', records: [at('a', '1'), at('b', '2')] }),
    other.set({ kind: 'dashboards', name: 'Shop', records: [at('b', '2'), at('c', '3')] }),
  ])
  await Promise.all([one.refresh(), other.refresh()])
  for (const matches of [one, other]) {
    const [records = [], ...more] = recordsOf(matches)
    expect(more).toEqual([])
    expect(records).toHaveLength(3)
    expect(records).toEqual(expect.arrayContaining([at('a', '1'), at('b', '2'), at('c', '3')]))
  }
  await one.remove('dashboards', at('a', '1'))
  await other.keepOnly((id) => id === 'b')
  await one.refresh()
  expect(recordsOf(one)).toEqual([])
})
