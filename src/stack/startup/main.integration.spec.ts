/** Tests the process as it is started: ready message, start errors, and shutdown. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { messageOf } from '../testing/childProcesses.ts'
import { program } from '#node/testing/program.ts'
import { freePort } from './ports.ts'

const entry = program(join(import.meta.dirname, 'main.ts'))
const anyPorts = { API_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' }

let dataDir: string
const children: ChildProcess[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stack-main-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

function start(env: Record<string, string> = {}) {
  const child = fork(entry.file, {
    execArgv: entry.execArgv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, SAMPLE: '0', ...anyPorts, ...env },
  })
  children.push(child)
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)))
  return { child, output: () => output.join('') }
}

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  child.kill(signal)
  return once(child, 'exit')
}

test('starts, prints its addresses, shuts down cleanly, and keeps its data', { timeout: 60_000 }, async () => {
  const first = start()
  const ready = await messageOf(first.child, 'ready')
  expect(ready).toEqual({
    type: 'ready',
    credentials: JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')),
    ports: { api: expect.any(Number), otlpHttp: expect.any(Number), otlpGrpc: expect.any(Number) },
  })
  expect(Object.keys(ready.credentials).toSorted()).toEqual(
    ['personalAccessKey', 'ingestionKey', 'keyId', 'keySecret', 'organizationId', 'serviceId'].toSorted(),
  )
  for (const file of ['credentials.json', 'stack.db']) {
    expect((await stat(join(dataDir, file))).mode & 0o077, `${file} is for this user alone`).toBe(0)
  }
  const list = async ({ ports, credentials }: typeof ready) => {
    const headers = { authorization: `Bearer ${credentials.personalAccessKey}` }
    const response = await fetch(`http://127.0.0.1:${ports.api}/api/v2/alerts`, { headers })
    return (await response.json()).data
  }
  const alerts = await list(ready)
  expect(alerts).toHaveLength(1)
  expect(await end(first.child, 'SIGTERM')).toEqual([0, null])
  expect(first.output()).toBe('')

  const kept = { ...ready.credentials, signInUrl: 'http://127.0.0.1/#token=x' }
  await writeFile(join(dataDir, 'credentials.json'), JSON.stringify(kept))
  const second = start()
  const again = await messageOf(second.child, 'ready')
  expect(again.credentials).toEqual(ready.credentials)
  expect(await list(again)).toEqual(alerts)
  expect(JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'))).toEqual(kept)
  // The parent process has exited.
  second.child.disconnect()
  expect(await once(second.child, 'exit')).toEqual([0, null])
})

test(
  'tells its keys and ports before it listens, unless the system chooses the ports',
  { timeout: 60_000 },
  async () => {
    const messages: { type: string; ports?: unknown; credentials?: unknown }[] = []
    const follow = (child: ChildProcess) =>
      child.on('message', (message: (typeof messages)[number]) => messages.push(message))
    const [api, http, grpc] = await Promise.all([1, 2, 3].map(() => freePort('127.0.0.1')))
    const first = start({ API_PORT: `${api}`, OTLP_HTTP_PORT: `${http}`, OTLP_GRPC_PORT: `${grpc}` })
    follow(first.child)
    const ready = await messageOf(first.child, 'ready')
    const told = messages.filter(({ type }) => type !== 'beat')
    expect(told.map(({ type }) => type)).toEqual(['opened', 'ready'])
    expect(told[0]).toEqual({ ...ready, type: 'opened' })
    expect(ready.ports).toEqual({ api, otlpHttp: http, otlpGrpc: grpc })
    await end(first.child, 'SIGTERM')
    messages.length = 0
    const second = start()
    follow(second.child)
    await messageOf(second.child, 'ready')
    expect(messages.filter(({ type }) => type !== 'beat').map(({ type }) => type)).toEqual(['ready'])
  },
)

// Only Linux can tell whether a process is the one that holds a folder.
if (process.platform === 'linux') {
  test('reports a directory in use in one line with the process', { timeout: 60_000 }, async () => {
    const first = start()
    await messageOf(first.child, 'ready')
    const { child, output } = start()
    expect(await once(child, 'close')).toEqual([1, null])
    expect(output()).toBe(
      `DATA_DIR ${dataDir} is in use by process ${first.child.pid} (started by ${process.pid}). Stop it, or set DATA_DIR to another folder.\n`,
    )
    // The process was killed, so its lock file is stale.
    await end(first.child, 'SIGKILL')
    await messageOf(start().child, 'ready')
  })
}

test('reports an invalid setting in one line and does not start', async () => {
  const { child, output } = start({ RETENTION_DAYS: 'many' })
  expect(await once(child, 'close')).toEqual([1, null])
  expect(output()).toBe('RETENTION_DAYS must be a number of days from 1 to 3650.\n')
})

describe('reports a port in use in one line', () => {
  test.each(['API_PORT', 'OTLP_HTTP_PORT', 'OTLP_GRPC_PORT'])('%s', async (name) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    try {
      const { child, output } = start({ [name]: String(port) })
      expect(await once(child, 'close')).toEqual([1, null])
      expect(output()).toBe(
        `Port ${port} is already in use. Stop the program that uses it, or set ${name} to another port.\n`,
      )
    } finally {
      other.close()
    }
  })
})
