/** Changes of a real PostgreSQL server while a table is copied, which is held at one of its rows. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { pipeDatabase, startPipeProcess } from '../../testing/pipeProcess.ts'
import { differences, heldCopies, threeParts, visitor } from '../../testing/postgres/heldCopies.ts'
import {
  postgresPipeInput,
  postgresPipes,
  tableMapping,
  type PostgresPipe,
} from '../../testing/postgres/postgresPipes.ts'

const postgres = ownPostgres({ settings: ['wal_level=logical', 'max_replication_slots=12'] })
const sql = (statements: string) => postgres.server.sql(statements)
const pipes = postgresPipes(postgres)
const { rows } = pipes
const { hold, held, release, gatedTable, plainTable, changeRows, betweenParts, sourceRows } = heldCopies(postgres)
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100, timeout: 60_000 })
/** `eventually` of what is compared row by row: thousands of rows each time. */
const eventuallyAll = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 400, timeout: 60_000 })
const running = (pipe: PostgresPipe) => eventually(pipe.get).toMatchObject({ state: 'Running' })
const copyingOf = (name: string) => `copying public.${name} again, beside the table that it replaces: 1 of 3 parts`

describe('while a table is copied', () => {
  const made: PostgresPipe[] = []
  async function create(...names: string[]): Promise<PostgresPipe> {
    const settings = { ...threeParts, snapshotNumberOfParallelTables: names.length }
    const mappings = names.map((name) => tableMapping(name))
    const pipe = await pipes.create(mappings, settings, visitor)
    made.push(pipe)
    await running(pipe)
    return pipe
  }
  async function pause(pipe: PostgresPipe): Promise<void> {
    await pipe.command('stop')
    await eventually(pipe.get).toMatchObject({ state: 'Paused' })
  }
  /** Makes a table load again, and waits until it is held. */
  async function reload(pipe: PostgresPipe, name: string): Promise<void> {
    await hold()
    await sql(`ALTER TABLE ${name} ALTER v TYPE bigint; UPDATE ${name} SET v = 5000000000 WHERE id = 10`)
    await eventually(pipe.get).toMatchObject({ state: 'Snapshot', stateDetail: copyingOf(name) })
    await held()
  }
  let last = 10
  /** Waits until a change of a table that is not held is there: all changes that were committed before it are applied. */
  async function caughtUp(table: string): Promise<void> {
    await sql(`UPDATE ${table} SET v = ${++last} WHERE id = 1`)
    await eventually(() => rows(table, 'id, v')).toContain(`[1,${last}]`)
  }
  const expectEqual = (name: string, columns = 'id, v, note') =>
    eventuallyAll(async () => {
      const there = await sourceRows(name, columns)
      return differences(there, await rows(name, columns.replace('v', 'toInt64(v)::Float64 AS w')).catch(() => []))
    }).toEqual([])
  const newTables = (name: string) =>
    pipes.engine.query('SELECT name FROM system.tables WHERE name LIKE {name:String}', {
      params: { name: `${name}%reload` },
    })
  afterEach(async () => {
    vi.restoreAllMocks()
    await release()
    for (const pipe of made.splice(0)) await pipe.remove()
  })

  test('again, the others are followed, and none of its own changes is missed', { timeout: 120_000 }, async () => {
    await gatedTable('slow')
    await plainTable('quick')
    const pipe = await create('slow', 'quick')
    const before = await rows('slow', 'id, v, note')
    await reload(pipe, 'slow')
    await sql('INSERT INTO quick VALUES (3, 3); DELETE FROM quick WHERE id = 2')
    await eventually(() => rows('quick', 'id, v')).toEqual(['[1,1]', '[3,3]'])
    await changeRows('slow')
    await caughtUp('quick')
    // Until it is complete, people see what was there before.
    expect(await rows('slow', 'id, v, note')).toEqual(before)
    expect(await pipe.get()).toMatchObject({ state: 'Snapshot', stateDetail: copyingOf('slow') })
    await release()
    await expectEqual('slow')
    await running(pipe)
    expect(await rows('slow', 'id, v')).toContain('[10,"5000000000"]')
    await sql('DELETE FROM slow WHERE id IN (1, 5000)')
    await expectEqual('slow')
    expect(await pipe.badRecords()).toEqual([])
    expect(await newTables('slow')).toEqual([])
  })

  test('for the first time, it is the same', { timeout: 120_000 }, async () => {
    await gatedTable('added')
    await plainTable('already')
    const pipe = await create('already')
    await pause(pipe)
    const change = { source: { postgres: { tableMappingsToAdd: [tableMapping('added')] } } }
    expect(await pipe.change(change)).toMatchObject({ status: 200 })
    await hold()
    await pipe.command('start')
    await eventually(pipe.get).toMatchObject({ state: 'Snapshot', stateDetail: 'copying public.added: 1 of 3 parts' })
    await changeRows('added')
    await caughtUp('already')
    await release()
    await running(pipe)
    await expectEqual('added')
  })

  test('in the order of a text, what was read before a change does not replace it', { timeout: 120_000 }, async () => {
    await gatedTable('texts', 'text')
    await plainTable('numbers')
    const pipe = await create('texts', 'numbers')
    await hold()
    await sql('ALTER TABLE texts ALTER v TYPE bigint')
    await held()
    await changeRows('texts')
    await caughtUp('numbers')
    await release()
    await running(pipe)
    await expectEqual('texts')
  })

  test('another one that is complete takes its place', { timeout: 120_000 }, async () => {
    await gatedTable('longer')
    await plainTable('shorter')
    const pipe = await create('longer', 'shorter')
    await pause(pipe)
    await sql('DELETE FROM shorter WHERE id = 2; DELETE FROM longer WHERE id = 2')
    await hold()
    await pipe.command('resync')
    await eventually(() => rows('shorter', 'id')).toEqual(['[1]'])
    await changeRows('longer')
    await caughtUp('shorter')
    await eventually(pipe.get).toMatchObject({ state: 'Snapshot', stateDetail: copyingOf('longer') })
    await release()
    await running(pipe)
    await expectEqual('longer')
  })

  test('it may be truncated', { timeout: 120_000 }, async () => {
    await gatedTable('emptied')
    const pipe = await create('emptied')
    await reload(pipe, 'emptied')
    // Rows that the copy read before are loaded when the rows of the table are gone, unless the copy is stopped.
    const { command, loadRows } = pipes.engine
    const gone = new AbortController()
    vi.spyOn(pipes.engine, 'command').mockImplementation(async (statement, options) => {
      await command(statement, options)
      if (/DELETE WHERE/.test(statement)) gone.abort()
    })
    vi.spyOn(pipes.engine, 'loadRows').mockImplementation(async (sent, statement, options) => {
      const either = AbortSignal.any([gone.signal, options?.signal ?? gone.signal])
      if (!either.aborted) await once(either, 'abort')
      return loadRows(sent, statement, options)
    })
    await betweenParts("TRUNCATE emptied; INSERT INTO emptied VALUES (1, 8, 'after'), (2600, 9, 'after')")
    await running(pipe)
    await expectEqual('emptied')
    await sql('UPDATE emptied SET v = 10 WHERE id = 1')
    await expectEqual('emptied')
  })

  test('its new table goes with its mapping', { timeout: 120_000 }, async () => {
    await gatedTable('removed')
    await plainTable('stays')
    const pipe = await create('removed', 'stays')
    await reload(pipe, 'removed')
    expect(await newTables('removed')).toHaveLength(1)
    await pause(pipe)
    const changes = { tableMappingsToRemove: [tableMapping('removed')] }
    expect(await pipe.change({ source: { postgres: changes } })).toMatchObject({ status: 200 })
    await pipe.command('start')
    await running(pipe)
    await eventually(() => newTables('removed')).toEqual([])
    await caughtUp('stays')
  })

  test('its columns may change', { timeout: 120_000 }, async () => {
    await gatedTable('shaped')
    const pipe = await create('shaped')
    await reload(pipe, 'shaped')
    await betweenParts("ALTER TABLE shaped ADD extra text; UPDATE shaped SET extra = 'e' WHERE id IN (1, 1600, 2900)")
    await running(pipe)
    await expectEqual('shaped', "id, v, note, coalesce(extra, '')")
    await hold()
    await sql('ALTER TABLE shaped ALTER v TYPE numeric(20,0)')
    await held()
    await betweenParts('ALTER TABLE shaped RENAME note TO remark')
    await running(pipe)
    await expectEqual('shaped', "id, v, remark, coalesce(extra, '')")
  })

  test.each(['before', 'after'])(
    'it takes its place once, also if that fails %s it',
    { timeout: 120_000 },
    async (when) => {
      const name = `exchanged_${when}`
      await gatedTable(name)
      const pipe = await create(name)
      await reload(pipe, name)
      const { command } = pipes.engine
      let isInterrupted = false
      const failing = vi.spyOn(pipes.engine, 'command').mockImplementation(async (statement, options) => {
        const isExchange = statement.startsWith('EXCHANGE')
        if (!isExchange || when === 'after') await command(statement, options)
        if (!isExchange) return
        failing.mockRestore()
        await changeRows(name)
        isInterrupted = true
        throw new Error('the engine was lost')
      })
      await release()
      await eventually(async () => isInterrupted).toBe(true)
      await expectEqual(name)
      await running(pipe)
      expect(await newTables(name)).toEqual([])
    },
  )
})

test('with kill -9 in the middle of a copy, all tables end as the source', { timeout: 240_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'reloaded-'))
  let killed = await startPipeProcess(dataDir, dataDir)
  const restart = async () => {
    await killed.kill()
    killed = await startPipeProcess(dataDir, dataDir)
  }
  const states = () => eventually(() => killed.states())
  const expectEqual = (table: string) =>
    eventuallyAll(async () => {
      const select = `SELECT toJSONString([id, toInt64(v)]) AS row FROM ${pipeDatabase}.${table} FINAL`
      const there = await sourceRows(table, 'id, v')
      const here = await killed.query<{ row: string }>(select).catch(() => [])
      return differences(
        there,
        here.map(({ row }) => row.replaceAll('"', '')),
      )
    }).toEqual([])
  try {
    await gatedTable('large')
    await plainTable('small')
    const mappings = [tableMapping('large'), tableMapping('small')]
    await killed.create(postgresPipeInput(postgres.server.port, mappings, threeParts, visitor))
    await states().toMatchObject([{ state: 'Running' }])
    await hold()
    await sql('ALTER TABLE large ALTER v TYPE bigint')
    await states().toMatchObject([{ state: 'Snapshot', stateDetail: copyingOf('large') }])
    await changeRows('large')
    await sql('UPDATE small SET v = 2 WHERE id = 1')
    await expectEqual('small')
    await restart()
    await sql('DELETE FROM large WHERE id IN (7, 2600); UPDATE large SET v = 5000000000 WHERE id IN (8, 2601)')
    await sql('DELETE FROM small WHERE id = 2')
    await expectEqual('small')
    await restart()
    await release()
    await expectEqual('large')
    await states().toMatchObject([{ state: 'Running' }])
    await sql('UPDATE large SET v = 3 WHERE id = 9')
    await expectEqual('large')
  } finally {
    await release()
    await killed.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
})
