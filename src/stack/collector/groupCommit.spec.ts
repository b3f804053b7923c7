import { expect, test } from 'vitest'
import { GroupCommit, type GroupCommitOptions } from './groupCommit.ts'

/** Inserts that end when the test ends them. */
function heldInserts() {
  const inserts: { table: string; rows: readonly object[]; end(error?: Error): void }[] = []
  const insert = (table: string, rows: readonly object[]) =>
    new Promise<void>((resolve, reject) => {
      inserts.push({ table, rows, end: (error) => (error ? reject(error) : resolve()) })
    })
  return { inserts, insert }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const groupCommit = (insert: GroupCommitOptions['insert'], options: Partial<GroupCommitOptions> = {}) =>
  new GroupCommit({ insert, maxWait: 60_000, maxRows: 100, maxBytes: 100, maxInserts: 2, ...options })
const row = (id: number) => [{ id }]

test('inserts together what arrives during an insert', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert)
  const answered: number[] = []
  for (const id of [1, 2, 3]) void writer.write('logs', row(id), 1).then(() => answered.push(id))
  expect(inserts.map(({ rows }) => rows)).toEqual([[{ id: 1 }]])
  inserts[0]?.end()
  await settle()
  expect(answered).toEqual([1])
  expect(inserts[1]?.rows).toEqual([{ id: 2 }, { id: 3 }])
  inserts[1]?.end()
  await settle()
  expect(answered).toEqual([1, 2, 3])
})

test('does not delay one table by another', () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert)
  void writer.write('logs', row(1), 1)
  void writer.write('traces', row(2), 1)
  expect(inserts.map(({ table }) => table)).toEqual(['logs', 'traces'])
})

test('inserts rows that waited long enough beside one slow insert, but not beside two', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert, { maxWait: 1 })
  void writer.write('logs', row(1), 1)
  void writer.write('logs', row(2), 1)
  await expect.poll(() => inserts.length).toBe(2)
  void writer.write('logs', row(3), 1)
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(inserts.length).toBe(2)
  inserts[0]?.end()
  await expect.poll(() => inserts[2]?.rows).toEqual([{ id: 3 }])
})

test('limits the rows of an insert, unless a single batch exceeds the limit', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert, { maxRows: 3 })
  const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))
  for (const count of [1, 2, 1, 5]) void writer.write('logs', rows(count), count)
  for (const [at, expected] of [1, 3, 5].entries()) {
    await settle()
    expect(inserts[at]?.rows.length).toBe(expected)
    inserts[at]?.end()
  }
})

test('fails only the batch that cannot be stored', async () => {
  const stored: object[] = []
  const writer = groupCommit(async (_, rows) => {
    await settle()
    if (rows.some((one) => 'bad' in one)) throw new Error('no')
    stored.push(...rows)
  })
  const outcomes = await Promise.allSettled([
    writer.write('logs', row(1), 1),
    writer.write('logs', row(2), 1),
    writer.write('logs', [{ bad: true }], 1),
    writer.write('logs', row(3), 1),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(stored).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('inserts nothing without rows', async () => {
  const { inserts, insert } = heldInserts()
  await groupCommit(insert).write('logs', [], 0)
  expect(inserts).toEqual([])
})
