/** Copies of several tables of a real PostgreSQL server, and what becomes of one that is interrupted. */
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { heldCopies, threeParts, visitor } from '../../testing/postgres/heldCopies.ts'
import { postgresPipes, tableMapping, type PostgresPipe } from '../../testing/postgres/postgresPipes.ts'

const postgres = ownPostgres({ settings: ['wal_level=logical', 'max_replication_slots=12'] })
const sql = (statements: string) => postgres.server.sql(statements)
const pipes = postgresPipes(postgres)
const { rows } = pipes
const { hold, held, release, gatedTable, plainTable } = heldCopies(postgres)
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100, timeout: 60_000 })
const running = (pipe: PostgresPipe) => eventually(pipe.get).toMatchObject({ state: 'Running' })

let locking: Client
beforeAll(async () => {
  locking = new Client(postgres.server.url('postgres'))
  await locking.connect()
})
afterAll(() => locking.end())
const made: PostgresPipe[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  await release()
  await locking.query('ROLLBACK')
  for (const pipe of made.splice(0)) await pipe.remove()
})

test(
  'the next table is copied as soon as there is room, also while changes are applied',
  { timeout: 120_000 },
  async () => {
    await gatedTable('first')
    for (const name of ['second', 'third', 'followed']) await plainTable(name)
    const names = ['first', 'second', 'third', 'followed']
    // The interval does not end during the test.
    const settings = { ...threeParts, syncIntervalSeconds: 3600 }
    const pipe = await pipes.create(
      names.map((name) => tableMapping(name)),
      settings,
      visitor,
    )
    made.push(pipe)
    await running(pipe)
    await pipe.command('stop')
    await eventually(pipe.get).toMatchObject({ state: 'Paused' })
    for (const name of ['first', 'second', 'third']) await sql(`ALTER TABLE ${name} ALTER v TYPE bigint`)
    await hold()
    await pipe.command('start')
    await held()
    await sql('UPDATE followed SET v = 10 WHERE id = 1')
    // Its changes cannot be applied.
    await locking.query('BEGIN; LOCK TABLE followed IN ACCESS EXCLUSIVE MODE')
    await release()
    for (const name of ['second', 'third']) {
      await eventually(() => rows(`${name}_datapipes_reload`, 'id').catch(() => [])).toEqual(['[1]', '[2]'])
    }
    await locking.query('ROLLBACK')
    await running(pipe)
    expect(await rows('first', 'count(), max(id)')).toEqual(['["3000",3000]'])
    for (const name of ['second', 'third']) expect(await rows(name, 'id, toTypeName(v)')).toContain('[2,"Int64"]')
    await eventually(() => rows('followed', 'id, v')).toEqual(['[1,10]', '[2,2]'])
  },
)

test(
  'a table that needs another key gets it, also if it changes while it takes its place',
  { timeout: 120_000 },
  async () => {
    await plainTable('rekeyed')
    const pipe = await pipes.create([tableMapping('rekeyed')])
    made.push(pipe)
    await running(pipe)
    const { command } = pipes.engine
    const failing = vi.spyOn(pipes.engine, 'command').mockImplementation(async (statement, options) => {
      if (!statement.startsWith('EXCHANGE')) return command(statement, options)
      failing.mockRestore()
      await sql('ALTER TABLE rekeyed ALTER v TYPE bigint')
      throw new Error('the engine was lost')
    })
    await sql(`ALTER TABLE rekeyed DROP CONSTRAINT rekeyed_pkey; ALTER TABLE rekeyed ADD PRIMARY KEY (id, v);
    INSERT INTO rekeyed VALUES (1, 5000)`)
    await eventually(() => rows('rekeyed', 'id, toTypeName(v)')).toContain('[1,"Int64"]')
    await running(pipe)
    await sql('INSERT INTO rekeyed VALUES (2, 5000000000); DELETE FROM rekeyed WHERE id = 1 AND v = 1')
    await eventually(() => rows('rekeyed', 'id, toString(v)')).toEqual(['[1,"5000"]', '[2,"2"]', '[2,"5000000000"]'])
    expect(await pipe.get()).toMatchObject({
      stateDetail: expect.stringContaining('logical replication of public.rekeyed'),
    })
  },
)

test('a pipe that is deleted while a table is loaded again leaves no new table', { timeout: 120_000 }, async () => {
  await gatedTable('parting')
  const pipe = await pipes.create([tableMapping('parting')], threeParts, visitor)
  await running(pipe)
  await hold()
  await sql('ALTER TABLE parting ALTER v TYPE bigint')
  await held()
  const tables = () => pipes.engine.query("SELECT name FROM system.tables WHERE name LIKE 'parting%' ORDER BY name")
  expect(await tables()).toEqual([{ name: 'parting' }, { name: 'parting_datapipes_reload' }])
  await pipe.remove()
  expect(await tables()).toEqual([{ name: 'parting' }])
})

test('keys that are far apart do not make more parts than the rows need', { timeout: 120_000 }, async () => {
  await gatedTable('apart')
  await sql('UPDATE apart SET id = (id - 1500) * 600000 + 1500; ANALYZE apart')
  await hold()
  const pipe = await pipes.create([tableMapping('apart')], threeParts, visitor)
  await held()
  const detail = async () => String((await pipe.get())?.['stateDetail'])
  await eventually(detail).toMatch(/^copying public\.apart: \d of \d parts$/)
  await release()
  await eventually(pipe.get).toMatchObject({ state: 'Running' })
  expect(await pipes.rows('apart', 'id')).toHaveLength(3000)
})
