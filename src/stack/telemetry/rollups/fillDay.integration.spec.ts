/** Days of a roll-up of values that are filled: with interruptions, twice, and without rows. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TaskLost } from '../../cluster/tasks.ts'
import { readableSources } from '../../testing/metricSeries.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'
import { querySeries } from '../series/seriesQuery.ts'
import type { LogRow } from '../tableRows.ts'
import { tables } from '../tables.ts'
import { dayCounts } from './completeDays.ts'
import { ensureRollups } from './ensureRollups.ts'
import { fillDay } from './fillDay.ts'
import { ownRollups, rollupOf } from './ownRollups.ts'
import { answerOf, facet, parsedQuery, start } from './testing/attributeRows.ts'

const minute = 60_000
const never = new AbortController().signal
const table = 'otel_logs_kv_rollup_15m'
const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '')
const rowCount = 480
/** With as many rows in a day, a piece has six hours. */
const rowsOfFourPieces = 1_000_000

let engine: Engine
/** The inserts that were sent. */
let loads: string[]
beforeEach(async () => {
  engine = await temporaryEngine()
  await ensureRollups(engine, ['logs.values'], 30)
  const rows = Array.from({ length: rowCount }, (_, at): LogRow => ({
    Timestamp: ((start + at * 3 * minute) / 1000).toFixed(3),
    ServiceName: ['api', 'web'][at % 2] ?? '',
    LogAttributes: { method: ['GET', 'PUT', ''][at % 3] ?? '' },
  }))
  await engine.insert(tables.logs, rows)
  loads = []
})
afterEach(() => engine.close())

interface Filling {
  rows?: number
  /** Called before each insert is sent, with the number of those before it. */
  beforeLoad?: (at: number) => void
  refuseIfLost?: () => void
}

async function fill({ rows = rowsOfFourPieces, beforeLoad, refuseIfLost = () => undefined }: Filling = {}) {
  const rollup = ownRollups.find(({ name }) => name === 'logs.values')
  if (!rollup) throw new Error('there is no such roll-up')
  const load: Engine['load'] = async (sql, options) => {
    beforeLoad?.(loads.length)
    loads.push(sql)
    await engine.load(sql, options)
  }
  await fillDay({ ...engine, load }, rollup, { day, rows, lease: { refuseIfLost }, signal: never })
}

/** Whether the counts of the day are those of its rows. */
async function isComplete(): Promise<boolean> {
  const rollup = ownRollups.find(({ name }) => name === 'logs.values')
  const counts = rollup
    ? await dayCounts(engine, rollupOf(rollup), { database: engine.database, table: tables.logs })
    : []
  return counts.every(({ stored, counted }) => stored === counted)
}

async function expectFigures(readFrom: string[]): Promise<void> {
  for (const field of ["LogAttributes['method']", 'ServiceName']) {
    const query = facet(field, '', { endTime: start + 24 * 60 * minute })
    const [answer, ofRows] = await Promise.all(
      [0, Infinity].map(async (leastRolledRows) =>
        answerOf(await querySeries(engine, parsedQuery(query), { ...readableSources(engine), leastRolledRows }, never)),
      ),
    )
    expect(answer?.points).toEqual(ofRows?.points)
    expect(answer?.readFrom).toEqual(readFrom)
  }
}

test('a day is filled in pieces, each of which has the count of its rows', async () => {
  await fill()
  expect(loads).toHaveLength(4)
  expect(await isComplete()).toBe(true)
  await expectFigures([table])
  const parts = await engine.query<{ total: string; n: string }>(
    `SELECT sumIf(count, ColumnIdentifier = '' AND Key = '') AS total, sumIf(count, Key = 'method') AS n FROM ${table} GROUP BY intDiv(toHour(Timestamp), 6)`,
  )
  expect(parts).toEqual(Array.from({ length: 4 }, () => ({ total: '120', n: '120' })))
})

test.each([0, 1, 3])(
  'one that is interrupted after %i pieces is read from the rows, and filled again',
  async (done) => {
    const beforeLoad = (at: number) => {
      if (at === done) throw new Error('killed')
    }
    await expect(fill({ beforeLoad })).rejects.toThrow('killed')
    expect(await isComplete()).toBe(false)
    await expectFigures([])
    await fill()
    expect(await isComplete()).toBe(true)
    await expectFigures([table])
  },
)

test('a piece that arrives twice is noticed', async () => {
  await fill()
  const [first = ''] = loads
  // An engine that goes on with the insert of a stack that was killed.
  await engine.load(first)
  expect(await isComplete()).toBe(false)
  await expectFigures([])
  await fill()
  await expectFigures([table])
})

test('nothing is sent after the lease is lost', async () => {
  let isLost = false
  const refuseIfLost = () => {
    if (isLost) throw new TaskLost('another stack does this now')
  }
  const beforeLoad = (at: number) => {
    isLost = at === 1
  }
  await expect(fill({ beforeLoad, refuseIfLost })).rejects.toThrow(TaskLost)
  expect(loads).toHaveLength(2)
})

test('a day without rows is dropped', async () => {
  await engine.command(`ALTER TABLE ${tables.logs} DROP PARTITION ID '${day}'`)
  await fill({ rows: 0 })
  expect(loads).toEqual([])
  expect(await engine.query(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: '0' }])
})

test('many rows are put into pieces of less than an hour', async () => {
  await fill({ rows: 10_000_000 })
  // Two steps of 15 minutes each.
  expect(loads).toHaveLength(48)
  expect(await isComplete()).toBe(true)
  await expectFigures([table])
})
