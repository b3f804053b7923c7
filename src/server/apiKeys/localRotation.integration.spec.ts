/** The key of the local stack, which both processes store: a rotation through the real console and the real stack beside it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import type { ApiKeyRotation } from '#contract/console/apiKeyRotations.ts'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { freePort } from '#node/testing/freePort.ts'
import { program } from '#node/testing/program.ts'
import type { Gateway } from '#gateway/gatewayOptions.ts'
import { openGateway } from '../openGateway.ts'
import { readSettings } from '../serverSettings.ts'
import { superviseStack, type StackSupervisor } from '../stackSupervisor.ts'
import { headersFor, signIn } from '../testing/orderedGateway.ts'

const stackEntry = program(resolve(import.meta.dirname, '#stack/startup/main.ts')).file
const at = '/api/connections/local-managed/api-key-rotations'
const keysPath = '/api/c/local-managed/organization/keys'

let folder: string
let env: Record<string, string>
/** The processes of the product, and the cookie of who is signed in. */
let product: { stack: StackSupervisor; gateway: Gateway; cookie: string }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'local-rotation-'))
  minimalPages(folder)
  const [ui, api] = [String(await freePort()), String(await freePort())]
  env = { DATA_DIR: join(folder, 'data'), UI_PORT: ui, API_PORT: api, OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' }
  mkdirSync(env['DATA_DIR'] ?? '')
  product = await start()
})
afterEach(async () => {
  await stop()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function start() {
  // The process of the stack inherits it.
  for (const [name, value] of Object.entries({ ...env, SAMPLE: '0', LOG_LEVEL: 'silent' })) vi.stubEnv(name, value)
  const stack = superviseStack(stackEntry, () => {})
  const opened = await stack.opened
  const settings = readSettings({ ...env, LOG_LEVEL: 'silent' })
  const pages = { distDir: join(folder, 'dist') }
  const gateway = await openGateway({ settings, pages, build: 'test', opened, stack })
  return { stack, gateway, cookie: await signIn(gateway) }
}

async function stop(): Promise<void> {
  await product.gateway.close()
  await product.stack.stop()
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

async function settled({ id }: ApiKeyRotation): Promise<ApiKeyRotation> {
  for (;;) {
    const rotation = await call<ApiKeyRotation>('GET', `${at}/${id}`)
    if (rotation.state !== 'running') return rotation
    await sleep(20)
  }
}

const keys = async () => (await call<{ result: ApiKey[] }>('GET', keysPath)).result
const credentials = () =>
  z
    .object({ keyId: z.string(), keySecret: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'data/credentials.json'), 'utf8')))

test('both have the new key, and keep it after a restart; an undo gives both the old one', async () => {
  const before = credentials()
  const [old] = await keys()
  const begun = await call<ApiKeyRotation>('POST', at, { apiKeyId: old?.id, name: 'Rotated', expireAt: null })
  const rotation = await settled(begun)
  expect(rotation).toMatchObject({ state: 'done', done: 4 })
  const after = credentials()
  expect(after.keyId).not.toBe(before.keyId)

  await stop()
  product = await start()
  expect(credentials()).toEqual(after)
  expect((await keys()).map(({ name, state }) => [name, state])).toEqual([
    [old?.name, 'disabled'],
    ['Rotated', 'enabled'],
  ])

  expect(await settled(await call('POST', `${at}/${rotation.id}/undo`))).toMatchObject({ phase: 'undo', state: 'done' })
  expect(credentials()).toEqual(before)
  expect((await keys()).map(({ name, state }) => [name, state])).toEqual([[old?.name, 'enabled']])
}, 90_000)

test('a stack that does not store the key stops the rotation before a connection changes', async () => {
  const before = credentials()
  const [old] = await keys()
  // As the supervisor answers while the process is being restarted.
  const { stack } = product
  const { followKey } = stack
  stack.followKey = () => Promise.reject(new Error('The stack did not take the new API key in time.'))
  const begun = await call<ApiKeyRotation>('POST', at, { apiKeyId: old?.id, name: 'Rotated', expireAt: null })
  const failed = await settled(begun)
  expect(failed).toMatchObject({ state: 'failed', done: 1 })
  expect(failed.problem).toContain('The connections have the key that they had.')
  expect(credentials()).toEqual(before)
  expect((await keys()).map(({ name }) => name)).toEqual([old?.name, 'Rotated'])
  stack.followKey = followKey
  expect(await settled(await call('POST', `${at}/${failed.id}/resume`))).toMatchObject({ state: 'done', done: 4 })
  expect(credentials().keyId).not.toBe(before.keyId)
}, 90_000)
