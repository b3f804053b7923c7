import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { EngineAborted } from './engineError.ts'
import { engineMemory } from './engineMemory.ts'

const engine = { identity: {}, database: 'default' }

/** Values in the order in which they are read. */
function counting() {
  let count = 0
  return { read: () => Promise.resolve(++count), count: () => count }
}

test('all forms of an engine share what was read, other engines and databases do not', async () => {
  const remembered = engineMemory<number>({ keepMs: 60_000 })
  const { read } = counting()
  expect(await remembered(engine, 'logs', read)).toBe(1)
  expect(await remembered({ ...engine }, 'logs', read)).toBe(1)
  expect(await remembered(engine, 'traces', read)).toBe(2)
  expect(await remembered({ ...engine, database: 'other' }, 'logs', read)).toBe(3)
  expect(await remembered({ ...engine, identity: {} }, 'logs', read)).toBe(4)
})

test('what is older than it may be is read again', async () => {
  const remembered = engineMemory<number>({ keepMs: 0 })
  const { read } = counting()
  expect([await remembered(engine, 'logs', read), await remembered(engine, 'logs', read)]).toEqual([1, 2])
})

test('no more values than allowed are kept', async () => {
  const remembered = engineMemory<number>({ keepMs: 60_000, most: 2 })
  const { read } = counting()
  for (const key of ['a', 'b', 'c']) await remembered(engine, key, read)
  expect([await remembered(engine, 'c', read), await remembered(engine, 'b', read)]).toEqual([3, 2])
  expect(await remembered(engine, 'a', read)).toBe(4)
})

test('a failure is not remembered', async () => {
  const remembered = engineMemory<number>({ keepMs: 60_000 })
  await expect(remembered(engine, 'logs', () => Promise.reject(new Error('no such table')))).rejects.toThrow()
  expect(await remembered(engine, 'logs', () => Promise.resolve(7))).toBe(7)
})

test('who waits for what somebody else reads gets it, although that one leaves', async () => {
  const remembered = engineMemory<number>({ keepMs: 60_000 })
  const left = new EventEmitter()
  const gone = remembered(engine, 'logs', () => once(left, 'never').then(() => 0))
  const waiting = remembered(engine, 'logs', () => Promise.resolve(7))
  left.emit('error', new EngineAborted())
  await expect(gone).rejects.toThrow(EngineAborted)
  expect(await waiting).toBe(7)
})
