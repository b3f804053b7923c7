/** Changes of a real PostgreSQL server by logical replication: what the table holds is what the source holds. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { parseExposition } from '#domain/exposition.ts'
import { openEngine, type Engine } from '../../telemetry/engine/engine.ts'
import { managedClientOf, type ManagedClient } from '../../testing/managedClient.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'
import { keyLists } from './applyChanges.ts'
import type { RowKey } from './changedRows.ts'
import { rangesOf } from './copyRanges.ts'
import { versionOf } from './postgresReplication.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'

const postgres = ownPostgres({ settings: ['wal_level=logical', 'max_replication_slots=12'] })
const sql = (statements: string) => postgres.server.sql(statements)
const slots = async () => (await sql('SELECT slot_name FROM pg_replication_slots')).length

function input(mappings: object[], settings: object = {}, more: object = {}): PipeCreate {
  return {
    name: 'Postgres',
    source: {
      postgres: {
        host: '127.0.0.1',
        port: postgres.server.port,
        database: 'postgres',
        settings: { syncIntervalSeconds: 1, ...settings },
        tableMappings: mappings,
        credentials: { username: 'stack', password: '' },
        ...more,
      },
    },
    destination: { database: 'default' },
  } as unknown as PipeCreate // defaults are filled in by the variant
}

const mapping = (sourceTable: string, more: object = {}) => ({
  sourceSchemaName: 'public',
  sourceTable,
  targetTable: sourceTable.replaceAll(/\W/g, '_'),
  ...more,
})

describe('PostgreSQL with logical replication', () => {
  let folder: string
  let engine: Engine
  let stack: TestStack
  let control: ManagedClient
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replication-'))
    engine = await openEngine({ dataDir: folder })
    stack = await startTestStack({ engine })
    control = managedClientOf(stack)
  })
  afterAll(async () => {
    await stack.close()
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  })

  const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100 })

  async function pipe(...given: Parameters<typeof input>) {
    const { json } = await control.call('POST', '/datapipes', input(...given))
    const id: string = json.result?.id
    return { json, id, get: async () => (await control.call('GET', `/datapipes/${id}`)).json.result }
  }

  const rows = async (table: string, columns: string, final = 'FINAL') =>
    (
      await engine.query<{ row: unknown[] }>(
        `SELECT [${columns}] AS row FROM ${databaseOf(stack.identity.serviceId, 'default')}.${table} ${final} ORDER BY row`,
      )
    ).map(({ row }) => row)

  test('replicates inserts, updates, key changes and deletes with any key values', { timeout: 60_000 }, async () => {
    await sql(`CREATE SCHEMA "Odd"; CREATE TABLE "Odd"."My table" ("Key" text, number int, note text, big text, PRIMARY KEY ("Key", number));
      INSERT INTO "Odd"."My table" SELECT 'k' || g, g, 'first', repeat(md5(g::text), 500) FROM generate_series(1, 100) g`)
    const made = await pipe([{ sourceSchemaName: 'Odd', sourceTable: 'My table', targetTable: 'odd' }])
    await eventually(made.get).toMatchObject({
      state: 'Running',
      stateDetail: `logical replication of Odd.My table every 1 s, from slot stack_${made.id.replaceAll('-', '_')}`,
    })
    const all = () => rows('odd', '`Key`, toString(number), note, hex(MD5(big))')
    expect(await all()).toHaveLength(100)

    await sql(String.raw`INSERT INTO "Odd"."My table" VALUES ('it''s', 1, 'quote', ''), (E'back\\slash', 1, 'slash', ''), (E'line\nbreak', 2, 'line', ''), ('ünï ☃', -3, 'letters', ''), ('', 0, 'empty', '');
      UPDATE "Odd"."My table" SET note = 'second' WHERE number = 7 AND "Key" = 'k7';
      UPDATE "Odd"."My table" SET "Key" = 'moved''', number = 1000 WHERE "Key" = 'k8';
      DELETE FROM "Odd"."My table" WHERE "Key" IN ('k9', 'k10', 'it''s')`)
    const source = async () => {
      const [row] = await sql(
        `SELECT json_agg(json_build_array("Key", number::text, note, upper(md5(big))) ORDER BY "Key" COLLATE "C", number::text COLLATE "C") AS rows FROM "Odd"."My table"`,
      )
      return row?.['rows']
    }
    await eventually(all).toEqual(await source())
    expect(await all()).toHaveLength(102)

    await sql(String.raw`DELETE FROM "Odd"."My table" WHERE "Key" LIKE E'%\\\\%' OR "Key" LIKE E'%\n%'`)
    await eventually(all).toEqual(await source())
    await sql(`TRUNCATE "Odd"."My table"; INSERT INTO "Odd"."My table" VALUES ('k1', 1, 'after', '')`)
    await eventually(all).toEqual(await source())

    await control.call('DELETE', `/datapipes/${made.id}`)
    expect(await slots()).toBe(0)
  })

  test('fetches changes in batches, and reports the lag', { timeout: 60_000 }, async () => {
    await sql(`CREATE TABLE many (id uuid PRIMARY KEY, v int);
      INSERT INTO many SELECT gen_random_uuid(), 0 FROM generate_series(1, 500)`)
    const made = await pipe([mapping('many')], { pullBatchSize: 50, initialLoadParallelism: 2 })
    await eventually(made.get).toMatchObject({ state: 'Running' })
    for (let change = 1; change <= 10; change++) await sql(`UPDATE many SET v = v + ${change}`)
    await eventually(() => rows('many', 'v').then((all) => new Set(all.map(String)))).toEqual(new Set(['55']))
    expect(await rows('many', 'v')).toHaveLength(500)
    const { text } = await control.call('GET', '/prometheus')
    const lag = parseExposition(text).find(
      ({ name, labels }) => name === 'ClickPipes_SourceReplicationLatency_MiB' && labels['clickpipe_id'] === made.id,
    )
    expect(lag?.value).toBeLessThan(16)
    await control.call('PATCH', `/datapipes/${made.id}/state`, { command: 'resync' })
    await eventually(made.get).toMatchObject({ state: 'Running' })
    expect(await rows('many', 'v')).toHaveLength(500)
    await control.call('DELETE', `/datapipes/${made.id}`)
    expect(await slots()).toBe(0)
  })

  test('polls a table without logged changes or copies it once, and reports that', { timeout: 60_000 }, async () => {
    await sql(`CREATE TABLE keyed (id bigint PRIMARY KEY, v int); INSERT INTO keyed VALUES (1, 1);
      CREATE TABLE appended (id bigint PRIMARY KEY, v int); INSERT INTO appended VALUES (1, 1);
      CREATE TABLE keyless (v int); INSERT INTO keyless VALUES (1)`)
    const made = await pipe([mapping('keyed'), mapping('appended', { tableEngine: 'MergeTree' }), mapping('keyless')])
    await eventually(made.get).toMatchObject({
      state: 'Running',
      stateDetail: expect.stringMatching(
        /^logical replication of public.keyed every 1 s, from slot \w+\. polling public.appended .*\. copied once, .*: public.keyless$/,
      ),
    })
    await sql('INSERT INTO appended VALUES (2, 2); UPDATE keyed SET v = 2')
    await eventually(() => rows('keyed', 'v')).toEqual([[2]])
    await eventually(() => rows('appended', 'v', '')).toEqual([[1], [2]])
    await control.call('DELETE', `/datapipes/${made.id}`)
  })

  test('polls new rows if the user cannot replicate, and reports that', { timeout: 60_000 }, async () => {
    await sql(
      "CREATE TABLE seen (id bigint PRIMARY KEY); CREATE ROLE reader LOGIN PASSWORD ''; GRANT SELECT ON seen TO reader",
    )
    const made = await pipe([mapping('seen')], {}, { credentials: { username: 'reader', password: '' } })
    await eventually(made.get).toMatchObject({
      state: 'Running',
      stateDetail: expect.stringMatching(
        /^polling public.seen .*: no logical replication, the user may not replicate$/,
      ),
    })
    await control.call('DELETE', `/datapipes/${made.id}`)
  })

  test('skips existing rows if only changes are replicated, from a slot of the user', { timeout: 60_000 }, async () => {
    await sql(`CREATE TABLE later (id bigint PRIMARY KEY, v int); INSERT INTO later VALUES (1, 1), (2, 2)`)
    await sql("SELECT pg_create_logical_replication_slot('mine', 'test_decoding')")
    const made = await pipe([mapping('later')], { replicationMode: 'cdc_only', replicationSlotName: 'mine' })
    await eventually(made.get).toMatchObject({
      state: 'Running',
      stateDetail: expect.stringContaining('from slot mine'),
    })
    await sql('UPDATE later SET v = 20 WHERE id = 2; INSERT INTO later VALUES (3, 30)')
    await eventually(() => rows('later', 'v')).toEqual([[20], [30]])
    await control.call('DELETE', `/datapipes/${made.id}`)
    expect(await sql('SELECT slot_name FROM pg_replication_slots')).toEqual([{ slot_name: 'mine' }])
    await sql("SELECT pg_drop_replication_slot('mine')")
    const refused = await pipe([mapping('later')], { replicationMode: 'cdc_only', replicationSlotName: 'mine' })
    await eventually(refused.get).toMatchObject({
      state: 'Failed',
      stateDetail: expect.stringContaining('there is no slot mine'),
    })
  })
})

describe('with kill -9', () => {
  let pipes: PipeProcess
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'replicated-'))
    pipes = await startPipeProcess(dataDir, dataDir)
  })
  afterAll(async () => {
    await pipes.kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function killedAfter(ms: number): Promise<void> {
    await wait(ms)
    await pipes.kill()
    pipes = await startPipeProcess(dataDir, dataDir)
  }

  test('copy and replication end with the rows of the source, each once', { timeout: 300_000 }, async () => {
    await sql(`CREATE TABLE ledger (id bigint PRIMARY KEY, v bigint, note text);
      INSERT INTO ledger SELECT g, g, md5(g::text) FROM generate_series(1, 120000) g`)
    await pipes.create(
      input([mapping('ledger')], { snapshotNumRowsPerPartition: 5000, initialLoadParallelism: 2, pullBatchSize: 2000 }),
    )
    const sums = 'count(*) AS rows, sum(id) AS ids, sum(v) AS vs'
    const here = async () =>
      (await pipes.query<Record<string, string>>(`SELECT ${sums} FROM ${pipeDatabase}.ledger FINAL`).catch(() => []))[0]
    const there = async () => (await sql(`SELECT ${sums} FROM ledger`))[0]
    for (let kill = 0; kill < 3; kill++) {
      await sql(`UPDATE ledger SET v = v + 1 WHERE id % 100 = ${kill}; DELETE FROM ledger WHERE id % 1000 = 50${kill}`)
      await killedAfter(100 + Math.random() * 400)
    }
    await expect.poll(() => pipes.states(), { timeout: 120_000, interval: 100 }).toMatchObject([{ state: 'Running' }])
    for (let kill = 0; kill < 3; kill++) {
      await sql(`UPDATE ledger SET v = v + 7 WHERE id % 20 = ${kill}; INSERT INTO ledger SELECT 120000 + g * 10 + ${kill}, g, 'new' FROM generate_series(1, 3000) g;
        DELETE FROM ledger WHERE id % 1000 = 60${kill}`)
      await killedAfter(200 + Math.random() * 600)
    }
    await expect.poll(here, { timeout: 120_000, interval: 200 }).toEqual(await there())
    const [hashed] = await pipes.query<{ hash: string }>(
      `SELECT sum(sipHash64(id, v, note)) AS hash FROM ${pipeDatabase}.ledger FINAL`,
    )
    const [source] = await pipes.query<{ hash: string }>(
      `SELECT sum(sipHash64(id, ifNull(v, 0), ifNull(note, ''))) AS hash
       FROM postgresql('127.0.0.1:${postgres.server.port}', 'postgres', 'ledger', 'stack', '')`,
    )
    expect(hashed).toEqual(source)
    // No row of the copy is duplicated: the slot was created first, and each part is copied once.
    const [copies] = await pipes.query<{ most: string }>(
      `SELECT max(n) AS most FROM (SELECT count() AS n FROM ${pipeDatabase}.ledger WHERE _pipe_version = 0 GROUP BY id)`,
    )
    expect(copies?.most).toBe('1')
  })
})

test('converts a log position to an increasing number', () => {
  const place = fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff))
  const spelled = ([high, low]: [number, number]) =>
    `${high.toString(16).toUpperCase()}/${low.toString(16).toUpperCase()}`
  fc.assert(
    fc.property(place, ([high, low]) => {
      expect(versionOf(spelled([high, low]))).toBe(BigInt(high) * 2n ** 32n + BigInt(low))
    }),
  )
})

test('ranges contain every key once, and read keys once', () => {
  fc.assert(
    fc.property(fc.bigInt(-1000n, 1000n), fc.bigInt(1n, 5000n), fc.bigInt(1n, 700n), (from, length, step) => {
      const ranges = rangesOf({ from, to: from + length, step })
      expect(ranges[0]?.from).toBe(from)
      expect(ranges.at(-1)?.to).toBe(from + length)
      for (const [at, range] of ranges.entries()) {
        expect(range.to - range.from).toBeLessThanOrEqual(step)
        expect(range.to).toBeGreaterThan(range.from)
        if (at > 0) expect(range.from).toBe(ranges[at - 1]?.to)
      }
    }),
  )
  const keys = fc.array(fc.tuple(fc.string({ maxLength: 20, unit: 'binary' })), { maxLength: 50 })
  fc.assert(
    fc.property(keys, (list: RowKey[]) => {
      expect(keyLists(list).flat()).toEqual(list)
    }),
    { numRuns: 30 },
  )
})
