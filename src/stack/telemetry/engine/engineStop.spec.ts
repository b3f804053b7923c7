/** How a statement is stopped, over a driver that records what reaches its connections. */
import { expect, test } from 'vitest'
import { embeddedDialect } from './dialect.ts'
import { engineOver } from './engine.ts'
import type { Connection, Driver } from './engineDriver.ts'
import { EngineAborted } from './engineError.ts'
import { UnstoppableStatements } from './unstoppable.ts'

function recordingDriver() {
  const events: string[] = []
  let failStatement: (error: Error) => void = () => undefined
  let finishKill: () => void = () => undefined
  const slow = new Promise<never>((_, reject) => (failStatement = reject))
  const kill = new Promise<void>((resolve) => (finishKill = resolve))
  const query: Connection = {
    query(sql) {
      events.push(sql)
      return sql === 'slow' ? slow : Promise.resolve({ names: [], types: [], rows: [], read: { rows: 0, bytes: 0 } })
    },
    command: () => Promise.resolve(),
    insert: () => Promise.resolve(),
    insertBlocks: () => Promise.resolve(),
    sendRows: () => Promise.resolve(),
    async recover() {
      events.push('recover')
    },
  }
  const control: Connection = {
    ...query,
    async command() {
      events.push('kill')
      await kill
      events.push('killed')
    },
  }
  const driver: Driver = {
    dialect: embeddedDialect,
    database: 'default',
    backups: null,
    queries: [query],
    inserts: [query],
    openLoads: () => [query],
    control,
    close: () => Promise.resolve(),
  }
  return { driver, events, failStatement, finishKill }
}

test('a connection runs its next statement only after the last KILL of the one before', async () => {
  const { driver, events, failStatement, finishKill } = recordingDriver()
  const engine = engineOver(driver)
  const gone = new AbortController()
  const slow = engine.query('slow', { signal: gone.signal })
  await expect.poll(() => events).toEqual(['slow'])
  gone.abort()
  await expect(slow).rejects.toBeInstanceOf(EngineAborted)
  const next = engine.query('next')
  failStatement(new Error('stopped'))
  await expect.poll(() => events).toEqual(['slow', 'kill'])
  finishKill()
  await next
  expect(events).toEqual(['slow', 'kill', 'killed', 'recover', 'next'])
})

/** An engine whose statements end when the test says so, and go on when they are stopped. */
function stubborn(connections: number, dialect: Driver['dialect'] = embeddedDialect) {
  const { driver } = recordingDriver()
  const [query] = driver.queries
  const ends: (() => void)[] = []
  const never: Connection = {
    ...query!, // there is one
    query: () => new Promise((_, reject) => ends.push(() => reject(new Error('over')))),
  }
  const clock = { now: 0 }
  const queries = Array.from({ length: connections }, () => never)
  const engine = engineOver(
    { ...driver, dialect, queries, control: never },
    new UnstoppableStatements(connections, () => clock.now),
  )
  return { engine, clock, ends }
}

test('an engine that is kept by statements which it cannot stop is not alive, until they have ended', async () => {
  const { engine, clock, ends } = stubborn(3)
  const gone = new AbortController()
  const left = [engine.query('a', { signal: gone.signal }), engine.query('b', { maxSeconds: 30 })]
  for (const one of left) one.catch(() => undefined)
  await expect.poll(() => ends.length).toBe(2)
  clock.now = 89_000
  expect(engine.isAlive()).toBe(true)
  gone.abort()
  clock.now += 61_000
  expect(engine.isAlive()).toBe(false)
  ends[1]?.()
  await expect(left[1]).rejects.toThrow()
  expect(engine.isAlive()).toBe(true)
})

test('one of many is not enough, nor is a server', async () => {
  for (const { engine, clock, ends } of [stubborn(3), stubborn(1, { kind: 'server', cluster: null })]) {
    engine.query('a').catch(() => undefined)
    await expect.poll(() => ends.length).toBe(1)
    clock.now = 1_000_000
    expect(engine.isAlive()).toBe(true)
  }
})
