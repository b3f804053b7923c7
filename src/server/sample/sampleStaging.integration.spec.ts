/** The staging environment of the sample: what a comparison with it shows, and when it goes. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Connection } from '#contract/console/connections.ts'
import type { Comparison } from '#contract/console/environments.ts'
import type { TargetPlan } from '#contract/console/runs.ts'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { freePort } from '#node/testing/freePort.ts'
import type { Gateway } from '#gateway/gatewayOptions.ts'
import { readConfig } from '#stack/config.ts'
import { startStack, type RunningStack, type StackCredentials } from '#stack/startup/runningStack.ts'
import { openGateway } from '../openGateway.ts'
import { readSettings } from '../serverSettings.ts'
import { headersFor, signIn } from '../testing/orderedGateway.ts'

let folder: string
let env: Record<string, string>
let product: { stack: RunningStack; gateway: Gateway; cookie: string }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sample-staging-'))
  minimalPages(folder)
  const [ui, api] = [String(await freePort()), String(await freePort())]
  const ports = { UI_PORT: ui, API_PORT: api, OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' }
  env = { ...ports, DATA_DIR: join(folder, 'data'), RATE_LIMIT_MANAGED: '0', LOG_LEVEL: 'silent' }
  product = await start()
})
afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** As `npm start` does it, in one process and with an hour of telemetry. */
async function start(more: Record<string, string> = {}) {
  const all = { ...env, ...more }
  const listeners: ((credentials: { [K in keyof StackCredentials]: StackCredentials[K] }) => void)[] = []
  const stack = await startStack(
    { ...readConfig(all), sampleHours: 1 },
    {
      onCredentials: (credentials) => {
        for (const listener of listeners) listener(credentials)
      },
    },
  )
  const opened = { credentials: { ...stack.credentials }, ports: stack.ports }
  const gateway = await openGateway({
    settings: readSettings(all),
    pages: { distDir: join(folder, 'dist') },
    build: 'test',
    opened,
    stack: {
      ready: Promise.resolve(opened),
      onCredentials: (listener) => void listeners.push((credentials) => listener({ ...credentials })),
      followKey: stack.followKey,
    },
  })
  return { stack, gateway, cookie: await signIn(gateway) }
}

async function stop(): Promise<void> {
  await product.gateway.close()
  await product.stack.close()
}

async function restart(more?: Record<string, string>): Promise<void> {
  await stop()
  product = await start(more)
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { gateway, cookie } = product
  const response = await fetch(gateway.address + path, {
    method,
    headers: { ...headersFor(gateway), cookie },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.status, `${method} ${path}`).toBe(200)
  return (await response.json()) as T // what the gateway answers there
}

const connections = async () => (await call<Connection[]>('GET', '/api/connections')).map(({ id }) => id)

const sampleState = async () =>
  (await call<{ result: { state: string } }>('GET', '/api/c/local-open-source/stack/sample')).result.state

/** The records that differ, with the fields that differ. */
async function drift(id: string) {
  const path = `/api/connections/${id}/comparison?baseline=local-open-source`
  const { rows } = await call<Comparison>('GET', path)
  return rows
    .filter(({ state }) => state !== 'same')
    .map(({ kind, name, state, changed = [] }) => [kind, name, state, ...changed])
}

const planned = [
  ['webhooks', 'Local example', 'differs', 'url'],
  ['savedSearches', 'Slow checkouts', 'differs', 'where'],
  ['dashboards', 'Sample: checkout quality', 'onlyHere'],
  ['dashboards', 'Sample: small shop', 'differs', 'Revenue', 'Revenue (gross)'],
  ['alerts', 'Sample: no orders for a week', 'missing'],
  ['alerts', 'Sample: payment errors by region', 'differs', 'note', 'threshold', 'groupBy'],
  ['alerts', 'Sample: slow checkouts', 'differs', 'threshold'],
]

const stagingFolder = () => join(folder, 'data/sample-staging')

const timeout = 120_000

test('drifts as planned, also after a restart, and its changes can be promoted', { timeout }, async () => {
  expect(await connections()).toEqual(['local-open-source', 'local-managed', 'sample-staging'])
  await expect.poll(sampleState, { timeout }).toBe('ready')
  expect(await drift('sample-staging')).toEqual(planned)
  // The same records, of which one variant lists no webhooks.
  expect(await drift('local-managed')).toEqual([['webhooks', 'Local example', 'notOffered']])

  await restart({ SAMPLE: '0' })
  expect(await drift('sample-staging')).toEqual(planned)

  const { rows } = await call<Comparison>(
    'GET',
    '/api/connections/sample-staging/comparison?baseline=local-open-source',
  )
  const records = rows
    .filter(({ kind, state }) => kind === 'dashboards' && state === 'onlyHere')
    .map(({ kind, id }) => ({ kind, id }))
  const { targets } = await call<{ targets: TargetPlan[] }>('POST', '/api/promotions/plan', {
    from: 'sample-staging',
    records,
    targets: [{ connectionId: 'local-open-source', sides: {} }],
  })
  expect(targets).toMatchObject([{ ready: true, counts: { create: 1, update: 0 } }])
})

test('the sample staging evaluates no alerts and refuses charts, searches and the team', { timeout }, async () => {
  const { result } = await call<{ result: object }>('GET', '/api/c/sample-staging/stack/alert-evaluation')
  expect(result).toMatchObject({ lastPassAt: null, unevaluated: expect.stringContaining('records only') })
  const { result: status } = await call<{ result: object }>('GET', '/api/c/sample-staging/stack/sample')
  expect(status).toMatchObject({ state: 'ready', recordsOnly: true })
  const { stagingAccessKey = '', personalAccessKey } = product.stack.credentials
  const ask = async (key: string, method: string, path: string) => {
    const url = `http://127.0.0.1:${product.stack.ports.api}/sample-staging/api/v2${path}`
    return (await fetch(url, { method, headers: { authorization: `Bearer ${key}` } })).status
  }
  expect(await ask(stagingAccessKey, 'GET', '/alerts')).toBe(200)
  expect(await ask(personalAccessKey, 'GET', '/alerts')).toBe(401)
  for (const path of ['/charts/series', '/search', '/webhooks/test']) {
    expect(await ask(stagingAccessKey, 'POST', path), path).toBe(404)
  }
  expect(await ask(stagingAccessKey, 'GET', '/team')).toBe(404)
})

test('the sample staging is removed with the sample, and is not created again', { timeout }, async () => {
  expect(existsSync(stagingFolder())).toBe(true)
  await call('DELETE', '/api/c/sample-staging/stack/sample')
  await expect.poll(connections, { timeout }).toEqual(['local-open-source', 'local-managed'])
  await expect.poll(sampleState, { timeout }).toBe('absent')
  expect(existsSync(stagingFolder())).toBe(false)
  await restart()
  expect(await connections()).toEqual(['local-open-source', 'local-managed'])
  expect(existsSync(stagingFolder())).toBe(false)
})

test('stays away once a person deleted its connection', { timeout }, async () => {
  await call('DELETE', '/api/connections/sample-staging', {})
  await restart()
  expect(await connections()).toEqual(['local-open-source', 'local-managed'])
})
