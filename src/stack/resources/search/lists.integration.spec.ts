/** Sources and queries whose expressions are lists, as deployments read them: `Body, ServiceName`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { defaultSources } from '../../telemetry/defaultSources.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { tables } from '../../telemetry/tables.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'

let stack: TestStack
let engine: Engine
/** Yesterday at 12:00: the engine drops rows after 30 days. */
const start = Math.floor(currentTime() / 86_400_000 - 1) * 86_400_000 + 12 * 3_600_000
const iso = (milliseconds: number) => new Date(start + milliseconds).toISOString()

beforeAll(async () => {
  engine = await temporaryEngine()
  stack = await startTestStack({ engine })
  const lines = ['started', 'payment declined', 'payment accepted', 'done']
  await engine.insert(
    tables.logs,
    lines.map((Body, at) => ({
      Timestamp: `${start / 1000 + at * 60}.723456789`,
      Body,
      ServiceName: at % 2 ? 'payment' : 'web',
      SeverityText: at === 1 ? 'error' : 'info',
    })),
  )
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

let made = 0
async function sourceWith(changes: object): Promise<string> {
  const [logs] = defaultSources(engine.kind === 'remote' ? engine.database : undefined)
  const body = { ...logs, connection: stack.identity.connectionId, name: `Lists ${made++}`, ...changes }
  const { status, json, text } = await stack.openSource('POST', '/sources', body)
  expect(status, text).toBe(200)
  return json.data.id
}

async function bodies(sourceId: string, changes: object = {}): Promise<string[]> {
  const body = { sourceId, startTime: iso(-1), endTime: iso(3_600_000), select: 'Body, ServiceName', ...changes }
  const { status, json, text } = await stack.openSource('POST', '/search', body)
  expect(status, text).toBe(200)
  return json.data.map((row: { Body: string }) => row.Body)
}

async function counts(sourceId: string, series: object = {}, range: object = {}): Promise<unknown[]> {
  const { status, json, text } = await stack.openSource('POST', '/charts/series', {
    startTime: start - 1000,
    endTime: start + 3_600_000,
    granularity: '1h',
    series: [{ sourceId, aggFn: 'count', where: '', groupBy: [], ...series }],
    ...range,
  })
  expect(status, text).toBe(200)
  return json.data.map((point: Record<string, unknown>) => [...(point['group'] as unknown[]), point['series_0.data']])
}

describe('text without a field', () => {
  test.each(['implicitColumnExpression', 'bodyExpression'])('is searched in each column of %s', async (field) => {
    const id = await sourceWith({ implicitColumnExpression: undefined, [field]: "Body, concat(ServiceName, '-eu')" })
    const found = (where: string) => bodies(id, { where, whereLanguage: 'lucene' })
    expect(await found('web')).toEqual(['payment accepted', 'started'])
    expect(await found('-payment')).toEqual(['started'])
    expect(await found('payment AND web')).toEqual(['payment accepted'])
    expect(await found('web*eu')).toEqual(['payment accepted', 'started'])
    expect(await counts(id, { where: 'payment' })).toEqual([['3']])
  })
})

describe('several times of a source', () => {
  test.each([
    'TimestampTime, Timestamp',
    'toDate(Timestamp), Timestamp',
    'toStartOfMonth(Timestamp), Timestamp',
    'Timestamp, TimestampTime',
  ])('%s: rows are found and sorted by the most exact one', async (timestampValueExpression) => {
    const id = await sourceWith({ timestampValueExpression, displayedTimestampValueExpression: undefined })
    expect(await bodies(id)).toEqual(['done', 'payment accepted', 'payment declined', 'started'])
    // Within a second: its start is before the range, its row is not.
    expect(await bodies(id, { startTime: iso(700), endTime: iso(800) })).toEqual(['started'])
    expect(await bodies(id, { startTime: iso(724), endTime: iso(60_723) })).toEqual([])
    expect(await counts(id)).toEqual([['4']])
    expect(await counts(id, {}, { startTime: start + 700, endTime: start + 800 })).toEqual([['1']])
  })

  test('a date beside the time may be that of another time zone', async () => {
    const table = `other_days_${currentTime()}`
    await engine.command(
      `CREATE TABLE ${table} (Day Date, At DateTime64(3), Body String) ENGINE = MergeTree ORDER BY (Day, At)`,
    )
    await engine.insert(table, [
      { Day: iso(86_400_000).slice(0, 10), At: `${start / 1000}.000`, Body: 'tomorrow elsewhere' },
    ])
    const id = await sourceWith({
      from: { databaseName: engine.kind === 'remote' ? engine.database : 'default', tableName: table },
      timestampValueExpression: 'Day, At',
      displayedTimestampValueExpression: undefined,
    })
    expect(await bodies(id, { select: 'Body' })).toEqual(['tomorrow elsewhere'])
    expect(await counts(id)).toEqual([['1']])
  })
})

test('a group by of a chart may be a list in one entry', async () => {
  const id = await sourceWith({})
  const series = { groupBy: ['ServiceName, SeverityText'] }
  expect((await counts(id, series)).toSorted()).toEqual([
    ['payment', 'error', '1'],
    ['payment', 'info', '1'],
    ['web', 'info', '2'],
  ])
})
