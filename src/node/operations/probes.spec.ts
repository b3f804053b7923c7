import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { registerProbes, type ProbeTargets } from './probes.ts'

const apps: FastifyInstance[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function probe(parts: ProbeTargets, options: Parameters<typeof registerProbes>[2] = { reuse: 0 }) {
  const app = fastify()
  apps.push(app)
  registerProbes(app, parts, options)
  return async (url: string) => {
    const response = await app.inject({ url })
    return { status: response.statusCode, body: response.json() }
  }
}

const works = { check: async () => [], reason: 'It never fails.' }
const secret = 'postgres://admin:hunter2@db.internal/console'
const broken = { check: () => Promise.reject(new Error(secret)), reason: 'The records cannot be read.' }

test('is ready when every part that exists works', async () => {
  const get = await probe({ database: works, engine: null })
  expect(await get('/readyz')).toEqual({
    status: 200,
    body: { status: 'ready', parts: { database: { status: 'ok' }, engine: { status: 'absent' } } },
  })
})

test('is not ready when a part fails, and says which in fixed words', async () => {
  const get = await probe({ database: works, store: broken })
  const reply = await get('/readyz')
  expect(reply).toEqual({
    status: 503,
    body: {
      status: 'notReady',
      parts: { database: { status: 'ok' }, store: { status: 'failed', reason: 'The records cannot be read.' } },
    },
  })
  expect(await get('/healthz'), 'the process lives').toEqual({ status: 200, body: { status: 'ok' } })
})

test('a part that throws at once fails like one that rejects', async () => {
  const check = () => {
    throw new Error(secret)
  }
  const get = await probe({ store: { check, reason: 'Gone.' } })
  expect((await get('/readyz')).body.parts).toEqual({ store: { status: 'failed', reason: 'Gone.' } })
})

test('is ready again when the part is back', async () => {
  let isBack = false
  const check = async () => {
    if (!isBack) throw new Error('gone')
  }
  const get = await probe({ store: { check, reason: 'Gone.' } }, { reuse: -1 })
  expect((await get('/readyz')).status).toBe(503)
  isBack = true
  expect((await get('/readyz')).status).toBe(200)
})

test('a part that hangs is late, and is not asked again meanwhile', async () => {
  let asked = 0
  const check = () => {
    asked++
    return new Promise<never>(() => {})
  }
  const get = await probe({ engine: { check, reason: 'The engine does not answer.' } }, { deadline: 10, reuse: -1 })
  for (let at = 0; at < 3; at++) {
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: {
        status: 'notReady',
        parts: {
          engine: { status: 'failed', reason: 'The engine does not answer. There was no answer within 0.01 s.' },
        },
      },
    })
  }
  expect(asked).toBe(1)
})

test('many probes at once ask the parts once', async () => {
  let asked = 0
  const check = async () => void asked++
  const get = await probe({ store: { check, reason: '' } }, { reuse: 60_000 })
  await Promise.all(Array.from({ length: 50 }, () => get('/readyz')))
  expect(asked).toBe(1)
})
