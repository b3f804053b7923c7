/** How a statement is stopped, over a driver that records what reaches its connections. */
import { expect, test } from 'vitest'
import { embeddedDialect } from './dialect.ts'
import { engineOver } from './engine.ts'
import type { Connection, Driver } from './engineDriver.ts'
import { EngineAborted } from './engineError.ts'

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
