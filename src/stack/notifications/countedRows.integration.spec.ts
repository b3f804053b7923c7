import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { dashboardRows, type StoredTile } from '../documents/dashboardRows.ts'
import { newSavedSearch, savedSearchRows } from '../documents/savedSearchRows.ts'
import { openStore, type Store } from '../store/store.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { readableDatabases } from '../telemetry/readableTables.ts'
import { tables } from '../telemetry/tables.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { countedRows } from './countedRows.ts'
import { watchedOf } from './notifier.ts'

const start = Date.UTC(2026, 10, 5, 13)
let dataDir: string
let store: Store
let engine: Engine
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rows-'))
  store = await openStore({ file: join(dataDir, 'stack.db') })
  engine = await temporaryEngine()
  const log = (second: number, ServiceName: string, Body: string, LogAttributes: object = {}) => ({
    Timestamp: `${start / 1000 + second}.000000000`,
    ServiceName,
    SeverityText: 'error',
    Body,
    LogAttributes,
  })
  await engine.insert(tables.logs, [
    log(-1, 'cart', 'before'),
    ...Array.from({ length: 7 }, (_, at) => log(at, 'cart', `failed ${at}`, { 'k8s.pod': 'p1' })),
    log(10, 'shop', 'failed "too", here', { 'k8s.pod': 'p2' }),
    log(20, 'shop', 'fine'),
    log(60, 'cart', 'failed after'),
  ])
})
afterAll(async () => {
  await engine.close()
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function rowsOf(config: object, event: Partial<NotifiedEvent> = {}): Promise<unknown[]> {
  const dashboard = {
    id: crypto.randomUUID(),
    name: 'd',
    tiles: [{ id: 't', config } as StoredTile], // only what the tile of the test needs
    tags: [],
    filters: [],
    savedQuery: null,
    savedQueryLanguage: null,
    savedFilterValues: [],
  }
  await dashboardRows.insert(store, dashboard)
  return countedBy({ source: 'tile', dashboardId: dashboard.id, tileId: 't' }, event)
}

/** The last columns of the rows that an alert counted. */
async function countedBy(watching: Partial<AlertDocument>, event: Partial<NotifiedEvent> = {}): Promise<unknown[]> {
  const sources = defaultSources().map((source) => ({ ...source, id: source.kind }))
  const databases = readableDatabases({ engine, services: [], named: [] })
  const read = countedRows(engine, store, async () => ({ sources, databases }))
  const window = { value: 1, start, end: start + 60_000 }
  const fired = { alertId: 'a', state: 'ALERT' as const, groupKey: '', group: null, ...window, ...event }
  const rows = await read(watching as AlertDocument, fired) // nothing else is read
  return rows.map((row) => row.at(-1))
}

const tile = (...wheres: string[]) => ({
  displayType: 'line',
  sourceId: 'log',
  select: wheres.map((where) => ({ aggFn: 'count', where, whereLanguage: 'lucene' })),
})

describe('sample rows', () => {
  test('are the newest five of the window that match', async () => {
    expect(await rowsOf(tile('failed'))).toEqual(['failed "too", here', 'failed 6', 'failed 5', 'failed 4', 'failed 3'])
  })

  test.each([
    [{ ServiceName: 'shop' }, ['failed "too", here']],
    [{ "LogAttributes['k8s.pod']": 'p2' }, ['failed "too", here']],
    [{ ServiceName: 'shop', "LogAttributes['k8s.pod']": 'p1' }, []],
    [{ ServiceName: "' OR 1=1 --" }, []],
  ])('are of the group that fired: %j', async (group, bodies) => {
    expect(await rowsOf(tile('failed'), { group })).toEqual(bodies)
  })

  test('are those of any series', async () => {
    expect(await rowsOf(tile('fine', 'Body:"failed 6"'))).toEqual(['fine', 'failed 6'])
    expect(await rowsOf(tile('fine', ''))).toHaveLength(5)
  })

  test.each([
    { configType: 'sql', displayType: 'line', sqlTemplate: 'SELECT 1' },
    { displayType: 'line', sourceId: 'metric', select: [{ aggFn: 'avg', where: '' }] },
    { displayType: 'line', sourceId: 'missing', select: [{ aggFn: 'count', where: '' }] },
  ])('do not exist for %j', async (config) => {
    expect(await rowsOf(config)).toEqual([])
  })

  test('of a saved search match its condition and its pinned filters', async () => {
    const search = newSavedSearch(
      {
        name: 'Failures',
        sourceId: 'log',
        select: '',
        where: 'failed',
        whereLanguage: 'lucene',
        orderBy: '',
        tags: [],
        filters: [{ type: 'sql', condition: "ServiceName = 'shop'" }],
      },
      'team',
    )
    await savedSearchRows.insert(store, search)
    const watching = { source: 'saved_search' as const, savedSearchId: search.id }
    expect(await countedBy(watching)).toEqual(['failed "too", here'])
    expect(
      await watchedOf(store, { ...watching, id: 'a', threshold: 1, thresholdType: 'above', interval: '1m' }),
    ).toEqual({
      name: 'Failures',
      query: 'failed',
    })
    expect(await countedBy({ ...watching, savedSearchId: 'deleted' })).toEqual([])
  })

  test('of a trace have the columns of its source', async () => {
    await engine.insert(tables.traces, [
      { Timestamp: `${start / 1000}.000000000`, ServiceName: 'cart', SpanName: 'GET /', Duration: '2000000' },
    ])
    expect(await rowsOf({ ...tile(''), sourceId: 'trace' })).toEqual(['GET /'])
  })
})
