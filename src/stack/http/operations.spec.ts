import { afterEach, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine/engine.ts'
import { EngineError } from '../telemetry/engine/engineError.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

const stacks: TestStack[] = []
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.close()
})

async function start(options: Parameters<typeof startTestStack>[0] = {}): Promise<TestStack> {
  const stack = await startTestStack(options)
  stacks.push(stack)
  return stack
}

/** An engine whose server is gone. The test stack uses nothing else of it. */
const unreachable = {
  kind: 'remote',
  database: 'default',
  backups: null,
  query: () => Promise.reject(new EngineError(0, 'UNREACHABLE', 'clickhouse.internal:8123 refused default:secret')),
  isAlive: () => true,
  close: async () => {},
} as unknown as Engine

test('is ready with its records, and without an engine', async () => {
  const { send } = await start()
  const { status, json } = await send('GET', '/readyz')
  expect(status).toBe(200)
  expect(json).toEqual({ status: 'ready', parts: { store: { status: 'ok' }, engine: { status: 'absent' } } })
  expect((await send('GET', '/healthz')).json).toEqual({ status: 'ok' })
})

test('is not ready while its records cannot be read', async () => {
  const { send, store } = await start()
  const { rows } = store
  store.rows = () => Promise.reject(new Error('stack.db is gone'))
  const { status, json } = await send('GET', '/readyz')
  store.rows = rows
  expect(status).toBe(503)
  expect(json.parts.store).toEqual({ status: 'failed', reason: 'The records of the stack cannot be read.' })
  expect((await send('GET', '/healthz')).status).toBe(200)
})

test('is not ready while its engine does not answer, and names no host', async () => {
  const { send } = await start({ engine: unreachable })
  const { status, json } = await send('GET', '/readyz')
  expect(status).toBe(503)
  expect(json).toEqual({
    status: 'notReady',
    parts: {
      store: { status: 'ok' },
      engine: { status: 'failed', reason: 'The telemetry engine does not answer queries.' },
    },
  })
})

test('is not healthy once its engine needs a restart of the process', async () => {
  const { send } = await start({ engine: { ...unreachable, isAlive: () => false } })
  const { status, json } = await send('GET', '/healthz')
  expect(status).toBe(503)
  expect(json).toEqual({ status: 'failed', reason: expect.stringContaining('engine has stopped after a fatal error') })
})

test('probes count in no rate limit', async () => {
  const { send, openSource } = await start({ rateLimits: { openSource: 3, managed: 3 } })
  for (let at = 0; at < 20; at++) expect((await send('GET', '/readyz')).headers.get('ratelimit-limit')).toBeNull()
  expect((await openSource('GET', '/alerts')).status).toBe(200)
})
