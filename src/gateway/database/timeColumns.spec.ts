/** A time that is stored must be corrected when the clock is set back, or it must be harmless that it lies ahead. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { timeColumns } from '#node/testing/timeColumns.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { correctedPeriods, correctedTimes, stayingTimes } from './futureTimes.ts'

test('every column with a time is corrected, or named with the reason why it stays', async () => {
  const database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'time-columns-')))
  try {
    const columns = await timeColumns((sql) => database.rows(sql), database.isShared ? 'server' : 'file')
    const known = [
      ...correctedTimes.map(({ table, column }) => `${table}.${column}`),
      ...correctedPeriods.flatMap(({ table, from, to }) => [`${table}.${from}`, `${table}.${to}`]),
      ...Object.keys(stayingTimes),
    ]
    expect(columns).toEqual([...new Set(known)].toSorted())
  } finally {
    await database.close()
  }
})
