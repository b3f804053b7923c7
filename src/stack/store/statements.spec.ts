/** Every type of statement of the stack, on both databases, to detect differences between them. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cursorsOf } from '../pipes/loads/pipeCursors.ts'
import { failedFiles, withoutKnown } from '../pipes/objectStorage/sourceFiles.ts'
import { nextLoadNumber, rowsOfPipe } from '../pipes/loads/loadNumbers.ts'
import { failFile, deleteFailedFiles, deletePipeLoads } from '../pipes/loads/loads.ts'
import { addToTotals, countError, targetsOf, totalsOf } from '../pipes/loads/loadTotals.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { openStore, type Store, type StoreTarget } from './store.ts'

describe.each<{ where: string; target(): Promise<StoreTarget> }>([
  {
    where: 'in a file',
    target: async () => ({ file: join(await mkdtemp(join(tmpdir(), 'statements-')), 'stack.db') }),
  },
  {
    where: 'on a PostgreSQL server',
    target: async () => ({
      url: await newDatabase(),
      dataDir: await mkdtemp(join(tmpdir(), 'statements-')),
    }),
  },
])('state of data pipes $where', ({ target }) => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(await target())
  })
  afterAll(() => store.close())

  test('sums of loads, tables and errors', async () => {
    const table = (name: string) => ({ database: 'd', table: name })
    await store.write(async (transaction) => {
      for (const name of ['t', 'u', 't']) await addToTotals(transaction, 'a', table(name), { rows: 2, bytes: 30 })
      for (let error = 0; error < 2; error++) await countError(transaction, 'a')
    })
    expect(await totalsOf(store, 'a')).toMatchObject({ rows: 6, bytes: 90, errors: 2 })
    expect(new Set(await targetsOf(store, 'a'))).toEqual(new Set([table('t'), table('u')]))
    expect(await totalsOf(store, 'b')).toMatchObject({ rows: 0, bytes: 0, errors: 0 })
  })

  test('numbers of loads', async () => {
    const next = () => store.write((transaction) => nextLoadNumber(transaction, 'a'))
    const numbers = [await next(), await next(), await next()]
    expect(await rowsOfPipe(store, 'a')).toEqual([`_pipe_load BETWEEN ${numbers[0]} AND ${numbers[2]}`])
    await store.run('UPDATE pipe_load_ranges SET used = size')
    await next()
    expect((await rowsOfPipe(store, 'a'))[0]?.split(' OR ')).toHaveLength(2)
  })

  test('failed files, sorted by bytes', async () => {
    for (const path of ['/b', '/B', '/b']) await failFile(store, 'a', path, `no ${path}`)
    expect(await failedFiles(store, 'a')).toEqual({ count: 2, first: 'B: no /B' })
    const files = ['/b', '/c'].map((path) => ({ path, bytes: 1 }))
    expect(await withoutKnown(store, 'a', files)).toEqual([{ path: '/c', bytes: 1 }])
    await store.write((transaction) => deleteFailedFiles(transaction, 'a'))
    expect(await failedFiles(store, 'a')).toEqual({ count: 0, first: '' })
  })

  test('cursors by name and by prefix', async () => {
    const cursors = cursorsOf('a')
    for (const name of ['table:x', 'table:%', 'other', 'table:x'])
      await store.write((transaction) => cursors.set(transaction, name, `at ${name}`))
    expect(await cursors.get(store, 'other')).toBe('at other')
    expect(await cursors.get(store, 'none')).toBeNull()
    expect(await cursors.below(store, 'table:')).toEqual(new Map(['x', '%'].map((name) => [name, `at table:${name}`])))
    await store.write((transaction) => cursors.removeBelow(transaction, 'table:'))
    expect(await cursors.below(store, '')).toEqual(new Map([['other', 'at other']]))
  })

  test('nothing after the pipe is deleted', async () => {
    await store.write((transaction) => deletePipeLoads(transaction, 'a'))
    expect(await totalsOf(store, 'a')).toMatchObject({ rows: 0, bytes: 0, errors: 0 })
    expect(await rowsOfPipe(store, 'a')).toEqual([])
    expect(await cursorsOf('a').get(store, 'other')).toBeNull()
  })
})
