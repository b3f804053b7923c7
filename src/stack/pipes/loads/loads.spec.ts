/** The stored data about loads: sums and ranges of numbers, however many loads there were. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileSteps } from '#node/database/migrations.ts'
import { migrations } from '../../store/migrations.ts'
import { openStore, type Store } from '../../store/store.ts'
import { embeddedDialect, type Dialect } from '../../telemetry/engine/dialect.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import { nextLoadNumber, rowsOfPipe } from './loadNumbers.ts'
import {
  deletePipeLoads,
  RowCountMismatch,
  runLoad,
  type LoadEngine,
  type LoadDependencies,
  type LoadPlan,
} from './loads.ts'
import { addToTotals, targetsOf, totalsOf } from './loadTotals.ts'

let folder: string
let store: Store | undefined
const file = () => join(folder, 'stack.db')
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loads-'))
})
afterEach(async () => {
  store?.close()
  store = undefined
  await rm(folder, { recursive: true, force: true })
})

const table = { database: 'd', table: 't' }

test('sums match the loads, with one row for each table', async () => {
  const open = (store = await openStore({ file: file() }))
  const moved = fc.record({ rows: fc.nat(), bytes: fc.nat(), other: fc.boolean() })
  let pipe = 0
  await fc.assert(
    fc.asyncProperty(fc.array(moved, { maxLength: 30 }), async (loads) => {
      const pipeId = `p${++pipe}`
      for (const { other, ...one } of loads) {
        const target = other ? { ...table, table: 'other' } : table
        await open.write((transaction) => addToTotals(transaction, pipeId, target, one))
      }
      const sum = (key: 'rows' | 'bytes') => loads.reduce((total, load) => total + load[key], 0)
      expect(await totalsOf(open, pipeId)).toMatchObject({ rows: sum('rows'), bytes: sum('bytes'), errors: 0 })
      expect((await targetsOf(open, pipeId)).length).toBe(new Set(loads.map(({ other }) => other)).size)
    }),
    { numRuns: 20 },
  )
})

/** An engine that keeps what it is asked to do. */
function recordingEngine(loadRows: (sql: string) => void, dialect: Dialect = embeddedDialect, rowsInTable = 0) {
  const queries: string[] = []
  const engine: LoadEngine = {
    identity: {},
    kind: dialect.kind === 'embedded' ? 'embedded' : 'remote',
    dialect,
    database: 'd',
    query: async <Row>(sql: string) => {
      queries.push(sql)
      return [{ rows: String(rowsInTable) }] as Row[] // of the one query that counts
    },
    command: async () => undefined,
    load: async () => undefined,
    insert: async () => undefined,
    loadRows: async (_rows, statement) => {
      loadRows(statement('file()'))
      return 5
    },
  }
  return { engine, queries }
}

const plan: LoadPlan = {
  pipeId: 'p',
  target: table,
  bytes: 10,
  rows: { structure: 'id UInt64', lines: [] },
  expectedRows: 3,
  statement: (load, source) => ({ sql: `INSERT INTO d.t SELECT id, ${load} FROM ${source}`, params: {} }),
}
const meter = { begin: () => ({ end: () => undefined }) } as unknown as LoadDependencies['meter'] // only this is used

test('the embedded engine counts the rows of records in the statement', async () => {
  const open = (store = await openStore({ file: file() }))
  let sent = ''
  const { engine, queries } = recordingEngine((sql) => (sent = sql))
  const result = await runLoad({ store: open, engine, meter }, plan, new AbortController().signal)
  expect(result).toEqual({ rows: 3, engineMs: 5 })
  expect(sent).toContain('!= 3')
  expect(queries).toEqual([])
  expect(await totalsOf(open, 'p')).toMatchObject({ rows: 3, bytes: 10 })
})

test.each([3, 0, 4])('the rows of a server are counted in its table: %i of 3', async (rowsInTable) => {
  const open = (store = await openStore({ file: file() }))
  let sent = ''
  const { engine } = recordingEngine((sql) => (sent = sql), { kind: 'server', cluster: null }, rowsInTable)
  const load = runLoad({ store: open, engine, meter }, plan, new AbortController().signal)
  if (rowsInTable === 3) expect(await load).toEqual({ rows: 3, engineMs: 5 })
  else await expect(load).rejects.toBeInstanceOf(RowCountMismatch)
  expect(sent).toMatch(/FROM file\(\)$/)
  expect(await totalsOf(open, 'p')).toMatchObject({ rows: rowsInTable === 3 ? 3 : 0 })
})

test('another number of rows leaves nothing of the load', async () => {
  const open = (store = await openStore({ file: file() }))
  const { engine } = recordingEngine((sql) => {
    const text = /'([^']+)'/.exec(sql)?.[1] ?? ''
    throw new EngineError(395, 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO', `${text}: while executing throwIf`)
  })
  const load = runLoad({ store: open, engine, meter }, plan, new AbortController().signal)
  await expect(load).rejects.toBeInstanceOf(RowCountMismatch)
  expect(await open.rows('SELECT id FROM pipe_loads')).toEqual([])
  expect(await totalsOf(open, 'p')).toMatchObject({ rows: 0 })
})

test('pipe numbers are unique, and few conditions select them', async () => {
  const open = (store = await openStore({ file: file() }))
  const taken: Record<string, number[]> = { a: [], b: [] }
  for (let load = 0; load < 50; load++) {
    const pipeId = load % 3 === 0 ? 'a' : 'b'
    taken[pipeId]?.push(await open.write((transaction) => nextLoadNumber(transaction, pipeId)))
  }
  const [first = 0, ...others] = taken['a'] ?? []
  expect(others.map((number, at) => number - first - at)).toEqual(others.map(() => 1))
  expect(await rowsOfPipe(open, 'a')).toEqual([`_pipe_load BETWEEN ${first} AND ${others.at(-1)}`])
  expect(new Set(Object.values(taken).flat()).size).toBe(50)
  expect(Object.values(taken).flat().every(Number.isSafeInteger)).toBe(true)
})

test('a used-up range is followed by another', async () => {
  const open = (store = await openStore({ file: file() }))
  const first = await open.write((transaction) => nextLoadNumber(transaction, 'a'))
  await open.run('UPDATE pipe_load_ranges SET used = size')
  const next = await open.write((transaction) => nextLoadNumber(transaction, 'a'))
  expect(Math.abs(next - first)).toBeGreaterThanOrEqual(2 ** 20)
  expect((await rowsOfPipe(open, 'a'))[0]?.split(' OR ')).toHaveLength(2)
})

test('a store with every load is compacted once, without changing loads in progress', async () => {
  const client = createClient({ url: pathToFileURL(file()).href })
  await client.execute('CREATE TABLE migrations (version INTEGER PRIMARY KEY)')
  for (const [at, sql] of fileSteps(migrations).slice(0, 2).entries()) {
    await client.executeMultiple(sql)
    await client.execute({ sql: 'INSERT INTO migrations VALUES (?)', args: [at + 1] })
  }
  for (const [id, state, rows] of [
    [7, 'done', 10],
    [99, 'done', 5],
    [8, 'loading', 0],
  ] as const) {
    await client.execute({
      sql: "INSERT INTO pipe_loads (id, pipe_id, target_database, target_table, state, bytes, rows) VALUES (?, 'a', 'd', 't', ?, 100, ?)",
      args: [id, state, rows],
    })
  }
  client.close()
  const open = (store = await openStore({ file: file() }))
  expect(await totalsOf(open, 'a')).toMatchObject({ rows: 15, bytes: 200, errors: 0 })
  expect(await targetsOf(open, 'a')).toEqual([table])
  expect(await rowsOfPipe(open, 'a')).toEqual(['_pipe_load BETWEEN 7 AND 7 OR _pipe_load BETWEEN 99 AND 99'])
  expect((await open.rows('SELECT id FROM pipe_loads')).map((row) => row['id'])).toEqual([8])
  await open.write((transaction) => deletePipeLoads(transaction, 'a'))
  expect(await totalsOf(open, 'a')).toMatchObject({ rows: 0, bytes: 0, errors: 0 })
})
