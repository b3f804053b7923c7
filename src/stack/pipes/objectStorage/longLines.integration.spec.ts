/** Files of long lines are loaded in batches that fit into memory. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../store/store.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { intoEvents, pipeInputs } from '../../testing/managedClient.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { destinationTableOf } from '../loads/destinationTable.ts'
import { newPipe } from '../model/newPipe.ts'
import { UsageMeter } from '../model/pipeUsage.ts'
import { loadRecords } from './fileRecords.ts'

const megabyte = 1024 ** 2
let folder: string
let store: Store
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'long-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  engine = await temporaryEngine()
})
afterAll(async () => {
  await engine.close()
  store.close()
  await rm(folder, { recursive: true, force: true })
})

/** @returns the bytes of each load, and what became of the lines */
async function load(name: string, lines: readonly string[]) {
  const path = join(folder, `${name}.jsonl`)
  await writeFile(path, lines.map((line) => `${line}\n`).join(''))
  const columns = ['id UInt64', 'text String'].map((column) => {
    const [columnName = '', type = ''] = column.split(' ')
    return { name: columnName, type }
  })
  const into = intoEvents(columns)
  const input = { ...pipeInputs.objectStorage, ...into, destination: { ...into.destination, table: name } }
  const pipe = newPipe('service', input, '2026-01-02T03:04:05Z')
  const loads: number[] = []
  const counted: Engine = {
    ...engine,
    loadRows: (rows, ...rest) => {
      loads.push(rows.lines.reduce((sum, line) => sum + line.length, 0))
      return engine.loadRows(rows, ...rest)
    },
  }
  const parts = { store, engine: counted, meter: new UsageMeter(engine), pipeWord: 'datapipes' }
  const location = { call: 'file({url:String}', params: { url: path }, isLocal: true }
  await loadRecords(parts, pipe, { location, path, compression: 'none' }, 0, AbortSignal.timeout(100_000))
  const { database, table } = destinationTableOf(pipe)
  const rows = await engine.query(`SELECT id, length(text) AS size FROM \`${database}\`.${table} ORDER BY id`)
  const bad = () =>
    engine.query(
      `SELECT offset, reason, length(raw) AS kept, raw_bytes FROM \`${database}\`.${table}_datapipes_error FINAL`,
    )
  return { loads, rows, bad }
}

const lineOf = (id: number, bytes: number) => `{"id":${id},"text":"${'x'.repeat(bytes)}"}`

test('a batch ends by its bytes', { timeout: 120_000 }, async () => {
  const lines = Array.from({ length: 300 }, (_, id) => lineOf(id, megabyte))
  const { loads, rows } = await load('many', lines)
  expect(rows).toEqual(lines.map((_, id) => ({ id: String(id), size: String(megabyte) })))
  expect(Math.max(...loads)).toBeLessThan(140 * megabyte)
})

test('a line that is too long is a bad row, and the others are loaded', { timeout: 120_000 }, async () => {
  const { rows, bad } = await load('one', [lineOf(0, 10), lineOf(1, 70 * megabyte), lineOf(2, 10)])
  expect(rows).toEqual([
    { id: '0', size: '10' },
    { id: '2', size: '10' },
  ])
  expect(await bad()).toEqual([
    {
      offset: '1',
      reason: 'the line has 73,400,338 bytes, which is more than can be read',
      kept: '8192',
      raw_bytes: '73400338',
    },
  ])
})
