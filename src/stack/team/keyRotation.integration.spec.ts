/** Rotated keys in the process as it is started: in effect at once, and after kill -9. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { program } from '#node/testing/program.ts'
import { messageOf } from '../testing/childProcesses.ts'

const entry = program(join(import.meta.dirname, '../startup/main.ts'))

let dataDir: string
let child: ChildProcess | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stack-keys-'))
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

async function start() {
  const started = fork(entry.file, {
    execArgv: entry.execArgv,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      SAMPLE: '0',
      API_PORT: '0',
      OTLP_HTTP_PORT: '0',
      OTLP_GRPC_PORT: '0',
    },
  })
  child = started
  const { ports } = await messageOf(started, 'ready')
  return {
    call: (key: string, method: string, path: string, body?: object) =>
      fetch(`http://127.0.0.1:${ports.api}/api/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    ingest: async (key: string) => {
      const response = await fetch(`http://127.0.0.1:${ports.otlpHttp}/v1/logs`, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: '{"resourceLogs":[]}',
      })
      return response.status
    },
    message: () => messageOf(started, 'credentials'),
    kill: async () => {
      started.kill('SIGKILL')
      await once(started, 'exit')
    },
  }
}

const credentialsPath = () => join(dataDir, 'credentials.json')
const credentials = async () => JSON.parse(await readFile(credentialsPath(), 'utf8'))

test(
  'a rotated personal key is in credentials.json, and reported to the parent process',
  { timeout: 60_000 },
  async () => {
    const stack = await start()
    const old = await credentials()
    const told = stack.message()
    const response = await stack.call(old.personalAccessKey, 'POST', '/team/access-key/rotate', {})
    const { newAccessKey } = (await response.json()).data
    expect(await credentials()).toEqual({ ...old, personalAccessKey: newAccessKey })
    expect((await told).credentials.personalAccessKey).toBe(newAccessKey)
    expect((await stack.call(old.personalAccessKey, 'GET', '/team')).status).toBe(401)
    expect((await stack.call(newAccessKey, 'GET', '/team')).status).toBe(200)
  },
)

test('the collector accepts a replaced ingestion key until its overlap ends', { timeout: 60_000 }, async () => {
  const stack = await start()
  const { ingestionKey: first, personalAccessKey } = await credentials()
  const post = async (path: string, body?: object) =>
    (await (await stack.call(personalAccessKey, 'POST', `/team/ingestion-key/${path}`, body)).json()).data
  const { newApiKey: second } = await post('rotate', { overlapMinutes: 60 })
  expect([await stack.ingest(first), await stack.ingest(second)]).toEqual([200, 200])
  const { newApiKey: third } = await post('rotate', { overlapMinutes: 0 })
  expect([await stack.ingest(first), await stack.ingest(second), await stack.ingest(third)]).toEqual([200, 401, 200])
  await post('end-overlap')
  expect([await stack.ingest(first), await stack.ingest(third)]).toEqual([401, 200])
  expect((await credentials()).ingestionKey).toBe(third)
})

test('kill -9 between the store and credentials.json: the next start writes it', { timeout: 60_000 }, async () => {
  const stack = await start()
  const old = await credentials()
  // A folder in its place: the file cannot be written, the rotation is in the store.
  await rm(credentialsPath())
  await mkdir(credentialsPath())
  const response = await stack.call(old.personalAccessKey, 'POST', '/team/access-key/rotate', {})
  const { newAccessKey } = (await response.json()).data
  await stack.kill()
  await rm(credentialsPath(), { recursive: true })

  const again = await start()
  expect(await credentials()).toEqual({ ...old, personalAccessKey: newAccessKey })
  expect((await again.call(newAccessKey, 'GET', '/team')).status).toBe(200)
  expect((await again.call(old.personalAccessKey, 'GET', '/team')).status).toBe(401)
})

test('kill -9 during a rotation leaves one key, which is in credentials.json', { timeout: 120_000 }, async () => {
  let stack = await start()
  for (let kills = 0; kills < 3; kills += 1) {
    const old = await credentials()
    const told = stack.message().catch(() => {})
    const rotation = stack.call(old.personalAccessKey, 'POST', '/team/access-key/rotate', {}).catch(() => {})
    // Before, during or right after the transaction.
    if (kills > 0) await Promise.race(kills === 1 ? [told] : [rotation])
    await stack.kill()
    stack = await start()
    const { personalAccessKey } = await credentials()
    expect((await stack.call(personalAccessKey, 'GET', '/team')).status).toBe(200)
    if (personalAccessKey !== old.personalAccessKey) {
      expect((await stack.call(old.personalAccessKey, 'GET', '/team')).status).toBe(401)
    }
  }
})
