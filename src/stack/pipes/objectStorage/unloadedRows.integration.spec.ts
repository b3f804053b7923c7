/** Bad rows of a file whose load was not completed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore, type Store } from '../../store/store.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { intoEvents, pipeInputs } from '../../testing/managedClient.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { destinationTableOf } from '../loads/destinationTable.ts'
import { discardUnfinished } from '../loads/loads.ts'
import { newPipe } from '../model/newPipe.ts'
import { UsageMeter } from '../model/pipeUsage.ts'
import { loadBatch } from './fileLoads.ts'
import { loadRecords } from './fileRecords.ts'
import { fileStatements } from './objectStorageStatement.ts'
import { requestRows, resendRows } from './resendRows.ts'

let folder: string
let store: Store
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unloaded-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  engine = await temporaryEngine()
})
afterAll(async () => {
  await engine.close()
  store.close()
  await rm(folder, { recursive: true, force: true })
})

const signal = AbortSignal.timeout(100_000)
const lines = (...values: unknown[]) =>
  values.map((id) => (id === 'oops' ? 'oops\n' : `{"id":${String(id)}}\n`)).join('')

/** A file of which a first load was killed after its bad rows were stored. */
async function killedLoad(name: string, content: string) {
  const path = join(folder, `${name}.jsonl`)
  await writeFile(path, content)
  const into = intoEvents([{ name: 'id', type: 'UInt64' }])
  const input = { ...pipeInputs.objectStorage, ...into, destination: { ...into.destination, table: name } }
  const pipe = newPipe('service', input, '2026-01-02T03:04:05Z')
  const { database, table } = destinationTableOf(pipe)
  const read = async (sql: string) => (await engine.query<{ found: string }>(sql)).map(({ found }) => Number(found))
  const location = { call: 'file({url:String}', params: { url: path }, isLocal: true }
  const file = { location, path, compression: 'none' }
  const parts = { store, engine, meter: new UsageMeter(engine), pipeWord: 'datapipes' }
  const killed: Engine = { ...engine, loadRows: () => Promise.reject(new Error('killed')) }
  await expect(loadRecords({ ...parts, engine: killed }, pipe, file, 0, signal)).rejects.toThrow('killed')
  await discardUnfinished(store, engine, pipe.id)
  return {
    parts,
    pipe,
    file,
    ids: () => read(`SELECT id AS found FROM \`${database}\`.${table} ORDER BY found`),
    listed: () => read(`SELECT offset AS found FROM \`${database}\`.${table}_datapipes_error FINAL ORDER BY found`),
  }
}

test('are not listed any more once they are good, and are loaded once', async () => {
  const { parts, pipe, file, ids, listed } = await killedLoad('rows', lines(0, 'oops', 2, 'oops', 4, 'oops'))
  expect(await listed()).toEqual([1, 3, 5])
  await writeFile(file.path, lines(0, 1, 2, 'oops', 4))
  await loadRecords(parts, pipe, file, 0, signal)
  expect(await listed()).toEqual([3, 5])
  await requestRows(store, pipe)
  await resendRows({ ...parts, fileOf: async () => file }, pipe, signal)
  expect(await ids()).toEqual([0, 1, 2, 4])
  expect(await listed()).toEqual([3, 5])
})

test('are not listed any more once their file was loaded as a whole', async () => {
  const { parts, pipe, file, ids, listed } = await killedLoad('whole', lines(0, 'oops', 2))
  await writeFile(file.path, lines(0, 1, 2))
  const statements = fileStatements(pipe, file.location, [{ name: 'id', type: 'UInt64' }])
  const source = { location: file.location, statements, hasNulls: false, isListed: async () => true }
  await loadBatch(parts, pipe, [{ path: file.path, bytes: null }], source, signal)
  expect(await ids()).toEqual([0, 1, 2])
  expect(await listed()).toEqual([])
})
