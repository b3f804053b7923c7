/**
 * A gateway in a process of its own whose disk gets full: `limited` by what the system lets the process write, or
 * `mounted` on a small file system that it fills. Prints what each request was answered, as JSON.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import pino from 'pino'
import { consoleHeader } from '#contract/wire/gatewayWire.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { limitFileSize } from '#node/testing/fullDisk.ts'
import { startGateway } from '../gateway.ts'
import { minimalPages } from './minimalPages.ts'
import { startMemoryUpstream } from './memoryUpstream.ts'

const [, , folder = '', kind] = process.argv
const dataDir = join(folder, 'data')
const filler = join(folder, 'filler')
const distDir = minimalPages(folder)

let hours = 0
const deployment = await startMemoryUpstream('d')
await deployment.records.create('dashboards', { name: 'Kept', tags: [], tiles: [] })
const gateway = await startGateway({
  host: '127.0.0.1',
  port: 0,
  dataDir,
  pages: { distDir },
  logger: pino({ level: 'silent' }),
  build: 'test',
  seeds: [
    {
      id: 'stack',
      name: 'Stack',
      variant: 'openSource',
      stage: 'staging',
      baseUrl: deployment.url,
      allowPrivate: true,
      accessKey: 'key-of-the-stack-0123456789',
    },
  ],
  tuning: { now: () => currentTime() + hours * 3_600_000 },
})
const own = { [consoleHeader]: '1', origin: gateway.address, 'content-type': 'application/json' }
let cookie = ''

async function call(method: string, path: string, body?: unknown, withCookie = cookie) {
  const response = await fetch(gateway.address + path, {
    method,
    headers: { ...own, cookie: withCookie },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json: unknown = await response.json()
  const { code, message, id } = Object(json) as { code?: string; message?: string; id?: string }
  return { status: response.status, code, message, id, json, cookie: response.headers.get('set-cookie')?.split(';')[0] }
}

const connection = (name: string) => ({
  name,
  variant: 'openSource',
  baseUrl: 'https://one.example',
  stage: 'staging',
  accessKey: 'key-of-the-test',
})
const signIn = () => call('POST', '/api/session', { token: gateway.signInUrl().split('#token=')[1] }, '')

function fill(): void {
  if (kind === 'limited') limitFileSize(8)
  else
    try {
      for (let at = 0; ; at++) writeFileSync(filler, Buffer.alloc(512), { flag: at === 0 ? 'w' : 'a' })
    } catch {
      // It is full.
    }
}

function makeRoom(): void {
  if (kind === 'limited') limitFileSize('unlimited')
  else rmSync(filler)
}

async function inMemory() {
  const read = async (path: string) => {
    const response = await fetch(gateway.address + path, { headers: { ...own, cookie } })
    return (await response.json()) as { name?: string; id: string }[] // lists of the gateway's own API
  }
  const [connections, sessions] = await Promise.all([read('/api/connections'), read('/api/sessions')])
  return { connections: connections.map(({ name }) => name), sessions: sessions.length }
}

async function onDisk() {
  // As the next start reads it.
  const database = createClient({ url: pathToFileURL(join(dataDir, 'console.db')).href })
  const { rows } = await database.execute('SELECT count(*) AS sessions FROM sessions')
  const connections = (await database.execute('SELECT record FROM connections ORDER BY position')).rows
  database.close()
  return {
    connections: connections.map(({ record }) => JSON.parse(String(record)).name),
    sessions: rows[0]?.['sessions'],
  }
}

cookie = (await signIn()).cookie ?? ''
const first = await call('POST', '/api/connections', connection('First'))
const path = `/api/connections/${first.id}`
fill()
const refused = {
  create: await call('POST', '/api/connections', connection('Second')),
  edit: await call('PUT', path, connection('Renamed')),
  delete: await call('DELETE', path),
  signIn: await signIn(),
  signOut: await call('DELETE', '/api/session'),
}
const dashboard = { name: 'New', tags: [], tiles: [] }
const writeRecord = () => call('POST', '/api/c/stack/stack/dashboards', dashboard)
const stored = () => [...deployment.records.records.dashboards.values()].map(({ name }) => name)
const history = {
  write: await writeRecord(),
  list: await call('GET', '/api/c/stack/stack/dashboards'),
  changes: await call('GET', '/api/connections/stack/history'),
  deleted: await call('GET', '/api/connections/stack/history/deleted'),
  totals: await call('GET', '/api/connections/stack/history/totals'),
  state: await call('GET', '/api/connection-states'),
  plan: await call('POST', '/api/connections/stack/restores/plan', { time: currentIsoTime() }),
  runs: await call('GET', '/api/runs'),
  settings: await call('PUT', '/api/connections/stack/history/settings', { snapshotMinutes: 5 }),
  stored: stored(),
}
hours = 1
const full = {
  memory: await inMemory(),
  disk: await onDisk(),
  left: readdirSync(dataDir).filter((file) => file.endsWith('.new')),
}
makeRoom()
const after = {
  create: await call('POST', '/api/connections', connection('Second')),
  signIn: await signIn(),
  write: await writeRecord(),
  list: await call('GET', '/api/c/stack/stack/dashboards'),
  changes: await call('GET', '/api/connections/stack/history'),
}

/** A restore whose disk gets full after the deployment has received it. */
async function interruptedRun() {
  const [id = ''] = deployment.records.records.dashboards.keys()
  await call('DELETE', `/api/c/stack/stack/dashboards/${id}`)
  const [deleted] = (await call('GET', '/api/connections/stack/history/deleted')).json as { version: string }[]
  const input = { versions: [{ kind: 'dashboards', id, version: deleted?.version }] }
  const plan = (await call('POST', '/api/connections/stack/restores/plan', input)).json as { digest: string }
  deployment.behaviour.before = async ({ method }) => {
    if (method === 'POST') fill()
  }
  const start = await call('POST', '/api/connections/stack/restores', { ...input, digests: { stack: plan.digest } })
  const [run] = (start.json as { runs: string[] }).runs
  const ended = async () => {
    for (;;) {
      const { state } = (await call('GET', `/api/runs/${run}`)).json as { state: string }
      if (state !== 'running') return state
    }
  }
  const whileFull = await ended()
  makeRoom()
  deployment.behaviour.before = async () => {}
  const resume = await call('POST', `/api/runs/${run}/resume`)
  return { whileFull, resume: resume.status, afterwards: await ended(), stored: stored() }
}
const run = await interruptedRun()
const end = { memory: await inMemory(), disk: await onDisk() }
process.stdout.write(JSON.stringify({ refused, history, full, after, run, end }))
await gateway.close()
await deployment.close()
process.exit(0)
