/** Bad records of loads that were not completed, in the table of a real engine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../store/store.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { loadedPlaces } from '../kafka/resend.ts'
import { passedPlaces, shardOrder } from '../kinesis/resend.ts'
import { emptyBatch } from '../kinesis/shardBatches.ts'
import { cursorsOf } from '../loads/pipeCursors.ts'
import { ensureErrorTable } from './errorTable.ts'
import { RecordBuffer } from './recordBuffer.ts'
import { byOffset, markUnloaded, type UnloadedRecords } from './unloadedRecords.ts'

const database = 'marked'
const note = '. Its load was not completed, so the pipe reads it again'
const row = Buffer.from('{"id":1}')
let folder: string
let store: Store
let engine: Engine
let tables = 0
let table: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marked-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  engine = await temporaryEngine()
})
afterAll(async () => {
  await engine.close()
  store.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  table = `t${++tables}`
})

const parts = () => ({ engine, store, pipeId: table, topic: 'topic', errorTable: { database, table } })
const listed = () => engine.query(`SELECT partition, offset, reason FROM ${database}.${table} FINAL ORDER BY offset`)
const add = (rows: object[]) =>
  engine.insert(
    `${database}.${table}`,
    rows.map((one) => ({ pipe_id: table, topic: 'topic', reason: 'bad', ...one })),
  )
/** Loads a batch that the test has filled. @param afterwards what happens once the load is complete */
const load = (records: UnloadedRecords, batch: RecordBuffer, afterwards = () => 0) =>
  records.load(
    batch,
    async () => undefined,
    async (whenDone) => {
      await store.write(whenDone)
      return afterwards()
    },
  )

describe('of a topic', () => {
  const start = (loadedTo: number) => markUnloaded({ ...parts(), ...byOffset }, loadedPlaces([[0, loadedTo]]))
  const batchOf = (...offsets: number[]) => {
    const batch = new RecordBuffer()
    for (const offset of offsets) batch.addJson(0, offset, row, 0, row.length)
    return batch
  }
  beforeEach(async () => {
    await ensureErrorTable({ database, table }, engine, { partition: 'UInt32', offset: 'UInt64' })
    await add([3, 5, 6, 8].map((offset) => ({ partition: 0, offset })))
  })

  test('stay listed with a note, once, until they are read again', async () => {
    for (let starts = 0; starts < 2; starts++) {
      await start(5)
      expect(await listed()).toEqual([
        { partition: 0, offset: '3', reason: 'bad' },
        ...['5', '6', '8'].map((offset) => ({ partition: 0, offset, reason: `bad${note}` })),
      ])
    }
  })

  test('are not listed any more once they are good, and replaced if they are bad again', async () => {
    const records = await start(5)
    await add([{ partition: 0, offset: 6, reason: 'bad again' }])
    await load(records, batchOf(4, 5, 7))
    expect(await listed()).toEqual([
      { partition: 0, offset: '3', reason: 'bad' },
      { partition: 0, offset: '6', reason: 'bad again' },
      { partition: 0, offset: '8', reason: `bad${note}` },
    ])
    await load(records, batchOf(8))
    expect(await listed()).toMatchObject([{ offset: '3' }, { offset: '6', reason: 'bad again' }])
  })

  test('are not listed any more if the process died when their load was complete', async () => {
    const records = await start(5)
    const dies = () => {
      throw new Error('killed')
    }
    await expect(load(records, batchOf(5, 6), dies)).rejects.toThrow('killed')
    await start(7)
    expect(await listed()).toMatchObject([{ offset: '3' }, { offset: '8', reason: `bad${note}` }])
    expect([...(await cursorsOf(table).below(store, '')).keys()]).toEqual([])
  })

  test('are as before if the pipe has passed them without reading them', async () => {
    await load(await start(5), batchOf(6))
    await start(100)
    expect(await listed()).toEqual(['3', '5', '8'].map((offset) => ({ partition: 0, offset, reason: 'bad' })))
  })
})

test('of a stream: lines of a record are told apart, and those of an expired shard are passed', async () => {
  await ensureErrorTable({ database, table }, engine, { partition: 'String', offset: 'String' })
  const sequence = (last: number) => `4967${'0'.repeat(50)}${last}`
  await add([
    { partition: 'a', offset: sequence(1) },
    { partition: 'a', offset: `${sequence(2)}/0:1` },
    { partition: 'a', offset: `${sequence(2)}/0:2` },
    { partition: 'b', offset: sequence(3) },
    { partition: 'expired', offset: sequence(4) },
  ])
  const shards = ['a', 'b'].map((id) => ({ ShardId: id, HashKeyRange: undefined, SequenceNumberRange: undefined }))
  const passed = passedPlaces([['a', sequence(1)]], shards)
  const records = await markUnloaded({ ...parts(), ...shardOrder }, passed)
  const batch = emptyBatch()
  const addRow = (shard: string, place: string) => {
    const partition = batch.shardIds.push(shard) - 1
    batch.buffer.addJson(partition, batch.sequences.push(place) - 1, row, 0, row.length)
  }
  addRow('a', `${sequence(2)}/0:2`)
  addRow('b', sequence(3))
  await load(records, batch.buffer)
  expect(await listed()).toEqual([
    { partition: 'a', offset: sequence(1), reason: 'bad' },
    { partition: 'a', offset: `${sequence(2)}/0:1`, reason: `bad${note}` },
    { partition: 'expired', offset: sequence(4), reason: 'bad' },
  ])
})
