/** Postgres pipes against a real server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { databaseIn } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { parseExposition } from '#domain/exposition.ts'
import { openEngine, type Engine } from '../../telemetry/engine/engine.ts'
import { managedClientOf, type ManagedClient } from '../../testing/managedClient.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'

describe('PostgreSQL without logical replication', () => {
  let folder: string
  let sourceUrl: string
  let source: Client
  let engine: Engine
  let stack: TestStack
  let control: ManagedClient
  const sql = (statements: string) => source.query<Record<string, unknown>>(statements)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postgres-'))
    sourceUrl = await newDatabase()
    source = new Client(sourceUrl)
    await source.connect()
    engine = await openEngine({ dataDir: folder })
    stack = await startTestStack({ engine })
    control = managedClientOf(stack)
  }, 60_000)
  afterAll(async () => {
    await stack.close()
    await engine.close()
    await source.end()
    await rm(folder, { recursive: true, force: true })
  }, 30_000)

  const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100 })

  let last = 0
  const sourceOf = (mappings: object[], settings: object, more: object) => ({
    postgres: {
      host: '127.0.0.1',
      port: source.port,
      database: source.database,
      settings: { syncIntervalSeconds: 1, ...settings },
      tableMappings: mappings,
      credentials: { username: 'stack', password: 'a-secret-of-the-pipe' },
      ...more,
    },
  })
  async function pipe(mappings: object[], settings: object = {}, more: object = {}) {
    const database = `p${++last}`
    const input = {
      name: 'Postgres',
      source: sourceOf(mappings, settings, more),
      destination: { database },
    } as unknown as PipeCreate // defaults are filled in by the variant
    const made = await control.call('POST', '/datapipes', input)
    const id = made.json.result?.id
    return {
      made,
      id,
      database: databaseOf(stack.identity.serviceId, database),
      get: async () => (await control.call('GET', `/datapipes/${id}`)).json.result,
    }
  }
  const mapping = (sourceTable: string, more: object = {}) => ({
    sourceSchemaName: 'public',
    sourceTable,
    targetTable: sourceTable,
    ...more,
  })
  const rows = (text: string) => engine.query<Record<string, unknown>>(text)

  test('copies tables, then fetches new rows by key, and reports that', async () => {
    await sql(`CREATE TABLE orders (id bigserial PRIMARY KEY, amount numeric(10, 2), note text, internal text);
      INSERT INTO orders (amount, note, internal) SELECT g / 4.0, 'note ' || g, 'hidden' FROM generate_series(1, 5000) g;
      UPDATE orders SET note = NULL WHERE id = 5000`)
    const loaded = await pipe([mapping('orders', { excludedColumns: ['internal'] })], {
      snapshotNumRowsPerPartition: 1000,
    })
    expect(loaded.made).toMatchObject({
      status: 200,
      json: { result: { state: expect.stringMatching(/^(Provisioning|Setup)$/) } },
    })
    expect(loaded.made.text).not.toContain('a-secret-of-the-pipe')
    await eventually(loaded.get).toMatchObject({
      state: 'Running',
      stateDetail:
        'polling public.orders for new rows every 1 s by its key; changed and deleted rows are not followed: no logical replication, wal_level of the server is not logical',
    })
    const sums = () =>
      rows(
        `SELECT count() AS rows, sum(id) AS ids, sum(amount) AS amount, countIf(note = '') AS blank FROM ${loaded.database}.orders`,
      )
    expect(await sums()).toEqual([{ rows: '5000', ids: '12502500', amount: '3125625', blank: '1' }])
    const columns = await rows(
      `SELECT name FROM system.columns WHERE database = '${loaded.database}' AND default_kind = ''`,
    )
    expect(columns.map((column) => column['name'])).toEqual(['id', 'amount', 'note'])

    await sql("INSERT INTO orders (amount, note) SELECT 1, 'new' FROM generate_series(1, 10)")
    await eventually(sums).toMatchObject([{ rows: '5010' }])
    const mine = async () => {
      const { text } = await control.call('GET', '/prometheus')
      return parseExposition(text).filter((sample) => sample.labels['clickpipe_id'] === loaded.id)
    }
    // Rows are visible a moment before their load is written down as done.
    await eventually(async () => (await mine()).find((sample) => sample.name.includes('SentEvents'))?.value).toBe(5010)
    expect((await mine()).find((sample) => sample.name === 'ClickPipes_Info')?.labels).toMatchObject({
      clickpipe_source: 'postgres',
      clickpipe_state: 'Running',
    })
  })

  test('does not lose a row that commits after one with a higher key', async () => {
    await sql('CREATE TABLE late (id bigserial PRIMARY KEY, at int); INSERT INTO late (at) VALUES (0)')
    const loaded = await pipe([mapping('late')])
    await eventually(loaded.get).toMatchObject({ state: 'Running' })
    // The first of the two takes its key, and keeps its transaction open while the second commits.
    const slow = new Client(sourceUrl)
    await slow.connect()
    await slow.query('BEGIN; INSERT INTO late (at) VALUES (1)')
    await sql('INSERT INTO late (at) VALUES (2)')
    const ids = async () =>
      (await rows(`SELECT groupArray(id) AS ids FROM (SELECT id FROM ${loaded.database}.late ORDER BY id)`))[0]
    await new Promise((wake) => setTimeout(wake, 2500))
    expect(await ids()).toEqual({ ids: ['1'] })
    await slow.query('COMMIT')
    await slow.end()
    await eventually(ids).toEqual({ ids: ['1', '2', '3'] })
  })

  test('copies a table without an increasing key once, and reports that', async () => {
    await sql("CREATE TABLE plain (name text, value int); INSERT INTO plain VALUES ('a', 1), ('b', NULL)")
    const loaded = await pipe([mapping('plain', { useCustomSortingKey: true, sortingKeys: ['name'] })], {
      allowNullableColumns: true,
    })
    await eventually(loaded.get).toMatchObject({
      state: 'Running',
      stateDetail: expect.stringContaining('copied once, having no key that could be followed: public.plain'),
    })
    expect(await rows(`SELECT name, value FROM ${loaded.database}.plain ORDER BY name`)).toEqual([
      { name: 'a', value: 1 },
      { name: 'b', value: null },
    ])
  })

  test('completes a snapshot; fetches nothing while paused; copies again on resync', async () => {
    await sql('CREATE TABLE changing (id int PRIMARY KEY, v int); INSERT INTO changing VALUES (1, 1), (2, 2)')
    const snapshot = await pipe([mapping('changing')], { replicationMode: 'snapshot' })
    await eventually(snapshot.get).toMatchObject({ state: 'Completed' })

    const followed = await pipe([mapping('changing')])
    const values = () =>
      rows(`SELECT groupArray(v) AS v FROM (SELECT v FROM ${followed.database}.changing FINAL ORDER BY id)`)
    await eventually(followed.get).toMatchObject({ state: 'Running' })
    const command = (name: string) => control.call('PATCH', `/datapipes/${followed.id}/state`, { command: name })
    await command('stop')
    await eventually(followed.get).toMatchObject({ state: 'Paused' })
    await sql(
      'UPDATE changing SET v = 10 WHERE id = 1; DELETE FROM changing WHERE id = 2; INSERT INTO changing VALUES (3, 3)',
    )
    await command('start')
    await eventually(values).toEqual([{ v: [1, 2, 3] }])
    await command('resync')
    await eventually(values).toEqual([{ v: [10, 3] }])
    await eventually(followed.get).toMatchObject({ state: 'Running' })
  })

  test('is created without connecting, and its state says what is wrong with the server', async () => {
    await sql('CREATE TABLE reached (id int PRIMARY KEY); INSERT INTO reached VALUES (1)')
    const away = await pipe([mapping('reached')], {}, { port: 1 })
    const other = await pipe([mapping('reached')], {}, { database: 'no_such_database' })
    for (const { made } of [away, other]) expect(made).toMatchObject({ status: 200 })
    await eventually(away.get).toMatchObject({
      state: 'Degraded',
      stateDetail: '127.0.0.1:1 was not reached (ECONNREFUSED); trying again',
    })
    await eventually(other.get).toMatchObject({
      state: 'Degraded',
      stateDetail: `127.0.0.1:${source.port} refused the connection: database "no_such_database" does not exist; trying again`,
    })
    // A sample connects, and says the same before there is a pipe.
    const sample = await control.call('POST', '/datapipes/schemaDiscovery', {
      source: sourceOf([mapping('reached')], {}, { port: 1 }),
    })
    expect(sample).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('The source cannot be read: 127.0.0.1:1 was not reached (ECONNREFUSED)') },
    })
    expect(sample.text).not.toContain('a-secret-of-the-pipe')
  })

  test('without tables, a test of the source tells which there are, with their columns, keys and what follows the copy', async () => {
    await sql(`CREATE TABLE found_keyed (id int PRIMARY KEY, note text); INSERT INTO found_keyed VALUES (1, 'a'), (2, 'b');
      CREATE TABLE found_plain (name varchar(20) NOT NULL); CREATE TABLE found_parts (id int PRIMARY KEY) PARTITION BY RANGE (id);
      CREATE TABLE found_part PARTITION OF found_parts FOR VALUES FROM (0) TO (10); ANALYZE found_keyed`)
    const asked = await control.call('POST', '/datapipes/schemaDiscovery', { source: sourceOf([], {}, {}) })
    expect(asked).toMatchObject({ status: 200, json: { result: { fields: [] } } })
    const database = databaseIn(Object(asked.json).result.meta)
    expect(database?.server).toMatchObject({ walLevel: 'replica', canReplicate: true })
    const found = new Map(database?.tables.map((table) => [table.name, table]))
    expect(found.get('found_keyed')).toMatchObject({
      schema: 'public',
      rows: 2,
      primaryKey: ['id'],
      follows: 'newRows',
      columns: [
        { name: 'id', type: 'Int32' },
        { name: 'note', type: 'Nullable(String)' },
      ],
    })
    expect(found.get('found_plain')).toMatchObject({ primaryKey: [], follows: 'nothing' })
    // A partitioned table is one table; how large it is together is not known here.
    expect(found.get('found_parts')).toMatchObject({ rows: null, bytes: null })
    expect(found.has('found_part')).toBe(false)
    expect(asked.text).not.toContain('a-secret-of-the-pipe')
  })

  test.each<[string, object, string]>([
    [
      'a sorting key that is not there',
      { useCustomSortingKey: true, sortingKeys: ['nope'] },
      'public.usable has no column nope, which is in its sorting key',
    ],
    [
      'no column that is not excluded',
      { excludedColumns: ['id', 'v'] },
      'all columns of public.usable are excluded: map one of them, or remove the table from the pipe',
    ],
    [
      'a partition key over a column that is not there',
      { partitionByExpr: 'toYYYYMM(nope)' },
      'the table for public.usable cannot be created: destination.tableDefinition.partitionBy: ',
    ],
    ['a name that no table has', { sourceTable: 'later' }, 'public.later does not exist at the source'],
  ])('loads the other tables beside one with %s, and says what is wrong', async (_, more, words) => {
    await sql(`CREATE TABLE IF NOT EXISTS usable (id int PRIMARY KEY, v int); CREATE TABLE IF NOT EXISTS sound (id int PRIMARY KEY);
      INSERT INTO sound VALUES (1) ON CONFLICT DO NOTHING`)
    const loaded = await pipe([mapping('usable', { targetTable: 'target', ...more }), mapping('sound')])
    expect(loaded.made).toMatchObject({ status: 200 })
    await eventually(loaded.get).toMatchObject({ state: 'Degraded', stateDetail: expect.stringContaining(words) })
    await eventually(() => rows(`SELECT id FROM ${loaded.database}.sound`)).toEqual([{ id: 1 }])
  })

  test('loads a table that is created at the source later', async () => {
    const loaded = await pipe([mapping('coming')])
    await eventually(loaded.get).toMatchObject({
      state: 'Degraded',
      stateDetail: 'public.coming does not exist at the source',
    })
    await sql('CREATE TABLE coming (id int PRIMARY KEY); INSERT INTO coming VALUES (7)')
    await eventually(() => loaded.get()).toMatchObject({ state: 'Running' })
    expect(await rows(`SELECT id FROM ${loaded.database}.coming`)).toEqual([{ id: 7 }])
  })

  test.each<[string, object[], object, string]>([
    [
      'two tables into one',
      [mapping('orders'), mapping('late', { targetTable: 'orders' })],
      {},
      'targetTable must be unique',
    ],
    ['one table twice', [mapping('orders'), mapping('orders', { targetTable: 'others' })], {}, 'can be mapped once'],
    ['an address that pipes may not reach', [mapping('orders')], { host: '10.1.2.3' }, 'PIPE_HOSTNAME_ALLOWLIST'],
    ['a certificate', [mapping('orders')], { tlsHost: 'db.example' }, 'does not verify certificates'],
  ])('refuses %s', async (_, mappings, more, words) => {
    const { made } = await pipe(mappings, {}, more)
    expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining(words) } })
    expect(made.text).not.toContain('a-secret-of-the-pipe')
  })
})
