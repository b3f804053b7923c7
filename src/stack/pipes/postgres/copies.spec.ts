import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { Copies } from './copies.ts'
import type { PostgresRun } from './postgresRun.ts'
import type { SourceTable } from './source/postgresTables.ts'

const table = (name: string) => ({ name, columns: [], mapping: {} }) as unknown as SourceTable // copies use nothing else
const say = async () => undefined

test('an interval ends however often copies do', async ({ signal }) => {
  const run = { signal: new AbortController().signal } as unknown as PostgresRun // these copies use nothing else
  const copies = new Copies(run, say)
  const ends = new Set<string>()
  for (let number = 0; !ends.has('interval') && !signal.aborted; number++) {
    // Each ends before the interval would, if it began with this wait.
    copies.start(table(`t${number}`), 'copying', () => turn())
    ends.add(await copies.wait(200))
  }
  expect(ends).toEqual(new Set(['complete', 'interval']))
})

test('a complete copy makes room, and stays until it is forgotten', async () => {
  const run = { signal: new AbortController().signal } as unknown as PostgresRun // these copies use nothing else
  const copies = new Copies(run, say)
  copies.start(table('done'), 'copying done', async () => undefined)
  expect(copies.running()).toBe(1)
  expect(await copies.wait(60_000)).toBe('complete')
  expect(copies.running()).toBe(0)
  expect(copies.details()).toEqual([])
  expect(copies.has('done')).toBe(true)
  copies.forget(table('done'))
  expect(copies.has('done')).toBe(false)
})

test('a copy that is stopped while its error is looked at says nothing about its table', async () => {
  const asked = new AbortController()
  const answered = new AbortController()
  const described = { oid: '1', kinds: 'rpd', columns: '[]', key: null, parts: null }
  const server = {
    async query() {
      asked.abort()
      await once(answered.signal, 'abort')
      return [described]
    },
  }
  const run = { signal: new AbortController().signal, server, pipe: { serviceId: 's' } } as unknown as PostgresRun // nothing else is used
  const copies = new Copies(run, say)
  const denied = Object.assign(new DatabaseError('permission denied', 1, 'error'), { code: '42501' })
  copies.start({ ...table('denied'), oid: '1' }, 'copying', () => Promise.reject(denied))
  await once(asked.signal, 'abort')
  const stopped = copies.stop('denied')
  answered.abort()
  await stopped
  expect(copies.failures().size).toBe(0)
  expect(copies.has('denied')).toBe(false)
})
