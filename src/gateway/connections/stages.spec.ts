import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectionInput, gatewayPaths, type ConnectionInput } from '#contract/connections.ts'
import { liftMinutes } from '#contract/stages.ts'
import { Connections } from './connections.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { gatewayForTests, newAlert, secrets } from '../testing/testGateway.ts'
import { openKey } from '#node/vault.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'stages-'))
})
afterEach(() => {
  vi.useRealTimers()
})

const open = () => new Connections(dataDir, openKey(dataDir))
const path = () => join(dataDir, 'connections.json')

function input(more: Partial<ConnectionInput> = {}) {
  const plain = { name: 'Shop EU', variant: 'openSource', baseUrl: 'https://one.example' } as const
  return connectionInput.parse({ ...plain, accessKey: secrets.accessKey, ...more })
}

function codeOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (error instanceof ApiFailure) return error.error.code
    throw error
  }
  return 'done'
}

describe('stage of a connection', () => {
  test('is derived from the address until it is set, and is kept by an update without it', () => {
    const connections = open()
    expect(connections.create(input({ baseUrl: 'http://127.0.0.1:8000' })).stage).toBe('local')
    expect(connections.create(input()).stage).toBe('production')
    const { id } = connections.create(input({ stage: 'staging' }))
    expect(connections.update(id, input({ name: 'Other' })).stage).toBe('staging')
  })

  test('is derived from the address for files without stages, and keeps the old field', () => {
    open().create(input())
    open().create(input({ baseUrl: 'http://localhost:8000' }))
    const state = JSON.parse(readFileSync(path(), 'utf8'))
    for (const connection of state.connections) {
      delete connection.stage
      Object.assign(connection, { color: 'violet', environment: 'Blue lane' })
    }
    writeFileSync(path(), JSON.stringify(state))

    const connections = open()
    expect(connections.list().map(({ stage, readOnly }) => [stage, readOnly])).toEqual([
      ['production', true],
      ['local', false],
    ])
    const [first] = connections.list()
    expect(connections.open(first?.id ?? '').authorization).toBe(`Bearer ${secrets.accessKey}`)
    connections.update(first?.id ?? '', input({ name: 'Renamed', accessKey: undefined }))
    expect(open().list()[0]).toMatchObject({ name: 'Renamed', stage: 'production', environment: 'Blue lane' })
    expect(readFileSync(path(), 'utf8')).not.toContain('violet')
  })

  test('is production if it is unknown to this version', () => {
    open().create(input({ stage: 'staging' }))
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('"staging"', '"canary"'))
    expect(open().list()[0]?.stage).toBe('production')
  })

  test('changes from production only with the name of the connection', () => {
    const connections = open()
    const { id, name } = connections.create(input())
    expect(codeOf(() => connections.update(id, input({ stage: 'staging' })))).toBe('invalid')
    expect(codeOf(() => connections.update(id, input({ stage: 'staging' }), 'shop eu'))).toBe('invalid')
    expect(codeOf(() => connections.delete(id))).toBe('invalid')
    expect(connections.list()).toHaveLength(1)
    expect(connections.update(id, input({ stage: 'staging' }), name).stage).toBe('staging')
    connections.delete(id)
    expect(connections.list()).toEqual([])
  })
})

describe('production connection', () => {
  test('is read-only except for the requested minutes, over restarts', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
    const { id, readOnly } = open().create(input({ readOnly: false }))
    expect(readOnly).toBe(true)
    const lifted = open().setReadOnly(id, false)
    expect(lifted).toMatchObject({ readOnly: false, readOnlyLiftedUntil: '2026-03-01T12:15:00.000Z' })

    vi.setSystemTime(Date.now() + liftMinutes * 60_000 - 1)
    expect(open().open(id).readOnly).toBe(false)
    expect(open().update(id, input({ name: 'Renamed' }))).toMatchObject({ readOnly: false })
    vi.setSystemTime(Date.now() + 1)
    expect(open().open(id).readOnly).toBe(true)
    expect(open().list()[0]).not.toHaveProperty('readOnlyLiftedUntil')
  })

  test('is read-only again on request or with another address', () => {
    const connections = open()
    const { id } = connections.create(input())
    connections.setReadOnly(id, false)
    expect(connections.setReadOnly(id, true).readOnly).toBe(true)
    connections.setReadOnly(id, false)
    expect(connections.update(id, input({ baseUrl: 'https://two.example' })).readOnly).toBe(true)
  })

  test('ignores a stored time that is further off than the limit', () => {
    const { id } = open().create(input())
    const { readOnlyLiftedUntil = '' } = open().setReadOnly(id, false)
    writeFileSync(path(), readFileSync(path(), 'utf8').replace(readOnlyLiftedUntil, '2099-01-01T00:00:00.000Z'))
    expect(open().open(id).readOnly).toBe(true)
  })
})

test('other stages keep their read-only setting', () => {
  const connections = open()
  const { id } = connections.create(input({ stage: 'staging', readOnly: true }))
  expect(connections.open(id).readOnly).toBe(true)
  const writable = connections.setReadOnly(id, false)
  expect(writable.readOnly).toBe(false)
  expect(writable).not.toHaveProperty('readOnlyLiftedUntil')
  expect(connections.setReadOnly(id, true).readOnly).toBe(true)
})

describe('requests to a production connection', async () => {
  const { upstream, gateway } = await gatewayForTests()
  const connectionAt = gatewayPaths.connection.replace('{connectionId}', 'oss')
  const readOnlyAt = gatewayPaths.connectionReadOnly.replace('{connectionId}', 'oss')
  const write = () => gateway.call('POST', '/api/c/oss/stack/alerts', newAlert)

  test('write only while writes are unlocked', async () => {
    const [stored] = listed(await gateway.call('GET', gatewayPaths.connections))
    const { baseUrl, name } = stored ?? {}
    const change = { name, variant: 'openSource', baseUrl, allowPrivate: true, stage: 'production' }
    expect((await gateway.call('PUT', connectionAt, change)).json).toMatchObject({ readOnly: true })

    expect(await write()).toMatchObject({ status: 403, code: 'readOnly' })
    expect(upstream.hits).toEqual([])
    const lifted = await gateway.call('PUT', readOnlyAt, { readOnly: false })
    expect(lifted.json).toMatchObject({ readOnly: false, stage: 'production' })
    await write()
    expect(upstream.hits.map(({ method }) => method)).toContain('POST')

    upstream.hits.length = 0
    await gateway.call('PUT', readOnlyAt, { readOnly: true })
    expect(await write()).toMatchObject({ status: 403, code: 'readOnly' })
    expect(upstream.hits).toEqual([])

    const freed = { ...change, stage: 'development' }
    expect(await gateway.call('PUT', connectionAt, freed)).toMatchObject({ status: 422, code: 'invalid' })
    expect((await gateway.call('DELETE', connectionAt)).status).toBe(422)
    const confirmed = await gateway.call('PUT', connectionAt, { ...freed, confirmedName: name })
    expect(confirmed.json).toMatchObject({ stage: 'development' })
    expect(JSON.stringify(confirmed.json)).not.toContain('confirmedName')
  })
})

/** The list, as the test reads it. */
function listed({ json }: { json: unknown }) {
  return json as { baseUrl: string; name: string }[] // the gateway validates its responses where they are created
}
