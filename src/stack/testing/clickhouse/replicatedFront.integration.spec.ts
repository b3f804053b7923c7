/** The stack on a service or a cluster of two replicas, of which each request reaches the other one. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { startCollector } from '../../collector/collector.ts'
import { onlyKey } from '../../collector/ingestionKey.ts'
import { leasedEngine } from '../../pipes/loads/leasedEngine.ts'
import { runLoad } from '../../pipes/loads/loads.ts'
import { newPipe } from '../../pipes/model/newPipe.ts'
import { UsageMeter } from '../../pipes/model/pipeUsage.ts'
import { badRecordsOf } from '../../pipes/records/errorTable.ts'
import { RecordBuffer } from '../../pipes/records/recordBuffer.ts'
import { recordLoader } from '../../pipes/records/recordLoad.ts'
import { openStore, type Store } from '../../store/store.ts'
import { defaultSources } from '../../telemetry/defaultSources.ts'
import { systemTable } from '../../telemetry/engine/dialect.ts'
import { openEngine, type Engine } from '../../telemetry/engine/engine.ts'
import { EngineAborted } from '../../telemetry/engine/engineError.ts'
import { mutateRows, untilReplicated } from '../../telemetry/engine/storedRows.ts'
import {
  alterColumns,
  alterStorage,
  completeExchange,
  createDatabase,
  createTable,
  dropTable,
  exchangeTables,
  tableIds,
} from '../../telemetry/engine/tableChanges.ts'
import { engineId } from '../../telemetry/engineId.ts'
import { readableDatabases } from '../../telemetry/readableTables.ts'
import { layoutOf } from '../../telemetry/tableLayout.ts'
import { ensureTables, tables } from '../../telemetry/tables.ts'
import { alertScene, shownEvents, sourceIds } from '../alertScene.ts'
import { intoEvents, pipeInputs } from '../managedClient.ts'
import { startReplicatedFront, type ReplicatedFront } from './replicatedFront.ts'

const serviceId = '00000000-0000-4000-8000-000000000001'
const never = new AbortController().signal

describe.each(['cloud', 'cluster'] as const)('a %s of two replicas', { timeout: 120_000 }, (kind) => {
  let folder: string
  let front: ReplicatedFront
  let engine: Engine
  let store: Store
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replicas-'))
    front = await startReplicatedFront({ folder, kind, repeatsInserts: true })
    engine = await openEngine({ url: front.url, ...(kind === 'cluster' && { cluster: front.cluster }) })
    await ensureTables(engine)
    store = await openStore({ file: join(folder, 'stack.db') })
  }, 120_000)
  afterAll(async () => {
    await engine.close()
    store.close()
    await front.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** The result of a query at each replica: two in turn reach both. */
  const atBoth = async (sql: string) => [await engine.query(sql), await engine.query(sql)]

  test('is recognized, and both replicas are the same engine', async () => {
    expect(engine.dialect).toEqual({ kind, cluster: front.cluster })
    await ensureTables(engine, 7)
    const ids = [await engineId(engine), await engineId(engine), await engineId(engine)]
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).not.toBe('none')
    expect(Math.min(...front.requests)).toBeGreaterThan(10)
    // Conditions and buckets use the key and the indexes of what stores the rows.
    const index = 'ADD INDEX words lower(Body) TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 8'
    await alterStorage(engine, { database: '', table: tables.logs }, index)
    const { columns, timeKeys } = await layoutOf(engine, { database: '', table: tables.logs })
    expect(timeKeys).toHaveLength(1)
    expect(columns.get('Body')).toMatchObject({ words: expect.any(String) })
  })

  test('stores telemetry once, also equal batches and inserts that are sent twice', async () => {
    const collector = await startCollector({
      host: '127.0.0.1',
      httpPort: 0,
      grpcPort: 0,
      acceptedKeys: onlyKey('key'),
      engine,
      retentionDays: () => 30,
      logger: pino({ level: 'silent' }),
    })
    const logRecords = Array.from({ length: 10 }, (_, at) => ({
      timeUnixNano: `${BigInt(currentTime()) * 1_000_000n}`,
      body: { stringValue: `record ${at}` },
    }))
    const body = JSON.stringify({ resourceLogs: [{ resource: {}, scopeLogs: [{ scope: {}, logRecords }] }] })
    for (let request = 0; request < 12; request++) {
      const { status } = await fetch(`http://127.0.0.1:${collector.httpPort}/v1/logs`, {
        method: 'POST',
        headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
        body,
      })
      expect(status).toBe(200)
    }
    await collector.close()
    if (kind === 'cluster') await front.settled()
    const count = `SELECT count() AS rows, uniqExact(Body) AS texts FROM ${tables.logs}`
    for (let time = 0; time < 4; time++) {
      expect(await engine.query(count, { sequential: true })).toEqual([{ rows: '120', texts: '10' }])
    }
  })

  test('evaluates alerts over what was stored before, whichever replica answers', async () => {
    const idOf = (source: string) => source.padEnd(12, '0')
    const sources = defaultSources(engine.database).map((source) => ({ ...source, id: idOf(source.kind) }))
    const databases = readableDatabases({ engine, services: [], named: [] })
    const scene = await alertScene(engine, { readable: async () => ({ sources, databases }) })
    const config = { displayType: 'line', sourceId: sourceIds.log, select: [{ aggFn: 'count' }] }
    await scene.alert(config, { threshold: 2 })
    const counts = [1, 3, 0, 2, 2, 1, 4, 0]
    for (const [at, count] of counts.entries()) {
      if (count > 0)
        await scene.logs(
          at + 0.5,
          Array.from({ length: count }, () => ({ ServiceName: 'api' })),
        )
      // A cluster has nothing that orders reads.
      if (kind === 'cluster') await front.settled()
      await scene.pass(at + 1)
    }
    expect(shownEvents(scene.sent)).toEqual(['2 ALERT 3', '3 OK 0', '4 ALERT 2', '6 OK 1', '7 ALERT 4', '8 OK 0'])
    await scene.close()
  })

  test('loads the records of a pipe once, and keeps those that do not fit', async () => {
    const columns = [
      { name: 'id', type: 'UInt64' },
      { name: 'text', type: 'String' },
    ]
    const pipe = newPipe(serviceId, { ...pipeInputs.kafka, ...intoEvents(columns) }, '2026-01-02T03:04:05Z')
    const leased = leasedEngine(engine, { refuseIfLost: () => undefined })
    const parts = { store, engine: leased, meter: new UsageMeter(engine) }
    const loader = await recordLoader(parts, pipe, 'topic', 'datapipes')
    const batches = 8
    const each = 50
    for (let at = 0; at < batches; at++) {
      const batch = new RecordBuffer()
      for (let offset = at * each; offset < (at + 1) * each; offset++) {
        const text = offset % each === 7 ? `{"id":"no number","text":"a"}` : `{"id":${offset},"text":"a"}`
        const bytes = Buffer.from(text)
        batch.addJson(0, offset, bytes, 0, bytes.length)
      }
      batch.advance(0, 0, (at + 1) * each)
      await loader.load(batch, async () => undefined, never)
    }
    const database = databaseOf(serviceId, 'default')
    const table = pipe.destination?.table ?? ''
    const errors = { database, table: `${table}_datapipes_error` }
    expect(await badRecordsOf(leased, [errors], pipe.id, never)).toHaveLength(batches)
    const good = batches * (each - 1)
    await front.settled()
    const rows = `SELECT count() AS rows, uniqExact(id) AS ids FROM ${database}.${table}`
    const found = [{ rows: String(good), ids: String(good) }]
    expect(await atBoth(rows)).toEqual([found, found])

    // A load that may not be completed leaves nothing, wherever its rows are.
    const plan = {
      pipeId: pipe.id,
      target: { database, table },
      bytes: 0,
      rows: { structure: 'id UInt64, text String', lines: [Buffer.from('{"id":1,"text":"b"}\n')] },
      statement: (load: number, source: string) => ({
        sql: `INSERT INTO ${database}.${table} (id, text, _pipe_load) SELECT id, text, ${load} FROM ${source} SETTINGS insert_allow_materialized_columns = 1`,
        params: {},
      }),
      turn: () => Promise.reject(new Error('not now')),
    }
    await expect(runLoad(parts, plan, never)).rejects.toThrow('not now')
    await front.settled()
    expect(await atBoth(rows)).toEqual([found, found])
  })

  test('stops a query wherever it runs', async () => {
    // Would take minutes.
    const heavy = 'SELECT sum(sipHash64(number)) AS sum FROM numbers(100000000000)'
    const processes = systemTable(engine.dialect, 'processes')
    const running = async () =>
      (await engine.query(`SELECT query FROM ${processes} WHERE position(query, concat('sip', 'Hash64')) > 0`)).length
    for (let time = 0; time < 2; time++) {
      const gone = new AbortController()
      const answer = engine.query(heavy, { signal: gone.signal }).catch((error: unknown) => error)
      await expect.poll(running).toBe(1)
      gone.abort()
      expect(await answer).toBeInstanceOf(EngineAborted)
      await expect.poll(running).toBe(0)
    }
  })

  test('puts a table in the place of another', async () => {
    const name = { database: 'places', table: 'orders' }
    const beside = { database: 'places', table: 'orders_reload' }
    const table = { columns: 'id UInt64', engine: 'MergeTree', clauses: 'ORDER BY id' }
    await createDatabase(engine, name.database)
    await createTable(engine, { ...table, name })
    await createTable(engine, { ...table, name: beside })
    await alterColumns(engine, beside, 'ADD COLUMN text String')
    await engine.insert('places.orders', [{ id: 1 }])
    await engine.insert('places.orders_reload', [{ id: 2, text: 'new' }])
    const [id] = await tableIds(engine, beside)
    await exchangeTables(engine, name, beside)
    await completeExchange(engine, name, beside)
    expect(await tableIds(engine, name)).toContain(id)
    await dropTable(engine, beside)
    await front.settled()
    const found = [{ id: '2', text: 'new' }]
    expect(await atBoth('SELECT * FROM places.orders')).toEqual([found, found])
    expect(await engine.query("SELECT name FROM system.tables WHERE name LIKE 'orders_reload%'")).toEqual([])
  })

  test('goes on while a replica is away, which catches up', async () => {
    const name = { database: 'places', table: 'lines' }
    await createDatabase(engine, name.database)
    front.away(1, true)
    await createTable(engine, { name, columns: 'id UInt64', engine: 'MergeTree', clauses: 'ORDER BY id' })
    await engine.insert('places.lines', [{ id: 1 }, { id: 2 }])
    await untilReplicated(engine, name, '1')
    await mutateRows(engine, name, 'DELETE', 'id = 1')
    expect(await engine.query('SELECT id FROM places.lines')).toEqual([{ id: '2' }])
    front.away(1, false)
    await front.settled()
    expect(await atBoth('SELECT id FROM places.lines')).toEqual([[{ id: '2' }], [{ id: '2' }]])
  })
})
