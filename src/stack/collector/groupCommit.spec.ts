import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { GroupCommit, type GroupCommitOptions, type Rows } from './groupCommit.ts'

interface Block extends Rows {
  id: number
}

/** Inserts that end when the test ends them. */
function heldInserts() {
  const inserts: { table: string; ids: readonly number[]; rows: number; end(error?: Error): void }[] = []
  const insert = (table: string, blocks: readonly Block[]) =>
    new Promise<void>((resolve, reject) => {
      const rows = blocks.reduce((sum, { rows }) => sum + rows, 0)
      inserts.push({
        table,
        ids: blocks.map(({ id }) => id),
        rows,
        end: (error) => (error ? reject(error) : resolve()),
      })
    })
  return { inserts, insert }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const groupCommit = (insert: GroupCommitOptions<Block>['insert'], options: Partial<GroupCommitOptions<Block>> = {}) =>
  new GroupCommit({
    insert,
    maxWait: 60_000,
    maxRows: 100,
    maxBytes: 100,
    maxInserts: 2,
    maxInsertsOverall: Infinity,
    ...options,
  })
const block = (id: number, rows = 1): Block => ({ id, rows, data: { length: rows } })

test('inserts together what arrives during an insert', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert)
  const answered: number[] = []
  for (const id of [1, 2, 3]) void writer.write('logs', block(id)).then(() => answered.push(id))
  expect(inserts.map(({ ids }) => ids)).toEqual([[1]])
  inserts[0]?.end()
  await settle()
  expect(answered).toEqual([1])
  expect(inserts[1]?.ids).toEqual([2, 3])
  inserts[1]?.end()
  await settle()
  expect(answered).toEqual([1, 2, 3])
})

test('does not delay one table by another', () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert)
  void writer.write('logs', block(1))
  void writer.write('traces', block(2))
  expect(inserts.map(({ table }) => table)).toEqual(['logs', 'traces'])
})

test('inserts rows that waited long enough beside one slow insert, but not beside two', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert, { maxWait: 1 })
  void writer.write('logs', block(1))
  void writer.write('logs', block(2))
  await expect.poll(() => inserts.length).toBe(2)
  void writer.write('logs', block(3))
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(inserts.length).toBe(2)
  inserts[0]?.end()
  await expect.poll(() => inserts[2]?.ids).toEqual([3])
})

test('waits for as many batches as the previous insert had', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert)
  for (const id of [1, 2, 3]) void writer.write('logs', block(id))
  inserts[0]?.end()
  await settle()
  void writer.write('logs', block(4))
  inserts[1]?.end()
  await settle()
  expect(inserts.map(({ ids }) => ids)).toEqual([[1], [2, 3]])
  void writer.write('logs', block(5))
  expect(inserts[2]?.ids).toEqual([4, 5])
})

test('waits a limited time for other batches', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert, { maxWait: 1 })
  for (const id of [1, 2, 3]) void writer.write('logs', block(id))
  inserts[0]?.end()
  await expect.poll(() => inserts.length).toBe(2)
  inserts[1]?.end()
  await settle()
  void writer.write('logs', block(4))
  expect(inserts.length).toBe(2)
  await expect.poll(() => inserts[2]?.ids).toEqual([4])
  inserts[2]?.end()
  await settle()
  // Without others for some time, a batch is inserted at once again.
  void writer.write('logs', block(5))
  expect(inserts[3]?.ids).toEqual([5])
})

test('limits the rows of an insert, unless a single batch exceeds the limit', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert, { maxRows: 3 })
  for (const count of [1, 2, 1, 5]) void writer.write('logs', block(count, count))
  for (const [at, expected] of [1, 3, 5].entries()) {
    await settle()
    expect(inserts[at]?.rows).toBe(expected)
    inserts[at]?.end()
  }
})

const bad = -1

test('fails only the batch that cannot be stored', async () => {
  const stored: number[] = []
  const writer = groupCommit(async (_, blocks) => {
    await settle()
    if (blocks.some(({ id }) => id === bad)) throw new Error('no')
    stored.push(...blocks.map(({ id }) => id))
  })
  const outcomes = await Promise.allSettled([
    writer.write('logs', block(1)),
    writer.write('logs', block(2)),
    writer.write('logs', block(bad)),
    writer.write('logs', block(3)),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(stored).toEqual([1, 2, 3])
})

test('inserts nothing without rows', async () => {
  const { inserts, insert } = heldInserts()
  await groupCommit(insert).write('logs', block(1, 0))
  expect(inserts).toEqual([])
})

test('drops what its sender gives up before the insert, and inserts the rest', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert)
  const gone = new AbortController()
  const first = writer.write('logs', block(1), gone.signal)
  const second = writer.write('logs', block(2), gone.signal)
  const third = writer.write('logs', block(3))
  gone.abort(new Error('gave up'))
  await expect(second).rejects.toThrow('gave up')
  await expect(writer.write('logs', block(4), gone.signal)).rejects.toThrow('gave up')
  inserts[0]?.end()
  await first
  await settle()
  expect(inserts.map(({ ids }) => ids)).toEqual([[1], [3]])
  inserts[1]?.end()
  await third
})

test('shares the connections of the engine fairly between tables, and takes batches only when one is free', async () => {
  const { inserts, insert } = heldInserts()
  const writer = groupCommit(insert, { maxInsertsOverall: 1 })
  void writer.write('logs', block(1))
  for (const id of [2, 3]) void writer.write('logs', block(id))
  for (const id of [4, 5]) void writer.write('traces', block(id))
  expect(inserts.map(({ ids }) => ids)).toEqual([[1]])
  inserts[0]?.end()
  await settle()
  for (const id of [6, 7]) void writer.write('logs', block(id))
  for (const at of [1, 2]) {
    inserts[at]?.end()
    await settle()
  }
  expect(inserts.map(({ ids }) => ids)).toEqual([[1], [2, 3], [4, 5], [6, 7]])
})

type Step = { write: number } | { giveUp: number } | { end: number; fails: boolean }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ write: fc.nat(2) }),
    fc.record({ giveUp: fc.nat(30) }),
    fc.record({ end: fc.nat(3), fails: fc.boolean() }),
  ),
  { maxLength: 60 },
)

test('each batch is inserted once or not at all, whoever gives up and whatever fails', async () => {
  const property = fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (all, maxInsertsOverall) => {
    const stored: number[] = []
    const open: ((fails: boolean) => void)[] = []
    const insert = (_table: string, blocks: readonly Block[]) =>
      new Promise<void>((resolve, reject) => {
        open.push((fails) => {
          if (fails) return reject(new Error('failed'))
          stored.push(...blocks.map(({ id }) => id))
          resolve()
        })
      })
    const writer = groupCommit(insert, { maxInsertsOverall, maxWait: 0, maxRows: 3 })
    const senders: AbortController[] = []
    const results: Promise<'stored' | 'dropped'>[] = []
    for (const step of all) {
      if ('write' in step) {
        const sender = new AbortController()
        const id = senders.push(sender) - 1
        const written = writer.write(`table ${step.write}`, block(id), sender.signal)
        results.push(written.then(() => 'stored' as const).catch(() => 'dropped' as const))
      } else if ('giveUp' in step) senders[step.giveUp]?.abort(new Error('gave up'))
      else open.splice(step.end, 1)[0]?.(step.fails)
      await settle()
      expect(open.length).toBeLessThanOrEqual(maxInsertsOverall)
    }
    const outcomes = Promise.all(results)
    const ending = setInterval(() => open.shift()?.(false))
    await outcomes.finally(() => clearInterval(ending))
    const answered = (await outcomes).flatMap((outcome, id) => (outcome === 'stored' ? [id] : []))
    expect(stored.toSorted((a, b) => a - b)).toEqual(answered)
  })
  await fc.assert(property, { numRuns: 60 })
})
