import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectionInput, gatewayPaths, type ConnectionInput } from '#contract/console/connections.ts'
import { writesAllowedMinutes } from '#contract/console/stages.ts'
import { wallClock } from '#node/clock/wallClock.ts'
import type { Database } from '../database/database.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { openConnections } from './openConnections.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { gatewayForTests, newAlert, secrets } from '../testing/testGateway.ts'

/** The person who changes connections in these tests. */
const administrator = { administers: true }

let dataDir: string
let database: Database

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'stages-'))
  database = await openTestDatabase(dataDir)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await database.close()
  rmSync(dataDir, { recursive: true })
})

const open = async () => (await openConnections({ database, dataDir })).connections
const records = async () =>
  (await database.rows('SELECT id, record FROM connections ORDER BY position')).map(({ id, record }) => ({
    id: String(id),
    record: JSON.parse(String(record)),
  }))
const replaceStored = (text: string, other: string) =>
  database.write({ sql: 'UPDATE connections SET record = replace(record, ?, ?)', args: [text, other] })

function input(more: Partial<ConnectionInput> = {}) {
  const plain = { name: 'Shop EU', variant: 'openSource', baseUrl: 'https://one.example' } as const
  return connectionInput.parse({ ...plain, accessKey: secrets.accessKey, ...more })
}

async function codeOf(action: () => unknown): Promise<string> {
  try {
    await action()
  } catch (error) {
    if (error instanceof ApiFailure) return error.error.code
    throw error
  }
  return 'done'
}

describe('stage of a connection', () => {
  test('is derived from the address until it is set, and is kept by an update without it', async () => {
    const connections = await open()
    expect((await connections.create(input({ baseUrl: 'http://127.0.0.1:8000' }))).stage).toBe('local')
    expect((await connections.create(input())).stage).toBe('production')
    const { id } = await connections.create(input({ stage: 'staging' }))
    expect((await connections.update(id, input({ name: 'Other' }), administrator)).stage).toBe('staging')
  })

  test('is derived from the address for records without stages, and keeps the old field', async () => {
    await (await open()).create(input())
    await (await open()).create(input({ baseUrl: 'http://localhost:8000' }))
    for (const { id, record } of await records()) {
      delete record.stage
      Object.assign(record, { color: 'violet', environment: 'Blue lane' })
      await database.write({
        sql: 'UPDATE connections SET record = ? WHERE id = ?',
        args: [JSON.stringify(record), id],
      })
    }

    const connections = await open()
    expect(connections.list().map(({ stage, readOnly }) => [stage, readOnly])).toEqual([
      ['production', true],
      ['local', false],
    ])
    const [first] = connections.list()
    expect(connections.open(first?.id ?? '').authorization).toBe(`Bearer ${secrets.accessKey}`)
    await connections.update(first?.id ?? '', input({ name: 'Renamed', accessKey: undefined }), administrator)
    expect((await open()).list()[0]).toMatchObject({ name: 'Renamed', stage: 'production', environment: 'Blue lane' })
    expect(JSON.stringify((await records())[0])).not.toContain('violet')
  })

  test('is production if it is unknown to this version', async () => {
    await (await open()).create(input({ stage: 'staging' }))
    await replaceStored('"staging"', '"canary"')
    expect((await open()).list()[0]?.stage).toBe('production')
  })

  test('changes from production only with the name of the connection', async () => {
    const connections = await open()
    const { id, name } = await connections.create(input())
    expect(await codeOf(() => connections.update(id, input({ stage: 'staging' }), administrator))).toBe('invalid')
    expect(
      await codeOf(() =>
        connections.update(id, input({ stage: 'staging' }), { ...administrator, confirmedName: 'shop eu' }),
      ),
    ).toBe('invalid')
    expect(await codeOf(() => connections.delete(id))).toBe('invalid')
    expect(connections.list()).toHaveLength(1)
    expect(
      (await connections.update(id, input({ stage: 'staging' }), { ...administrator, confirmedName: name })).stage,
    ).toBe('staging')
    await connections.delete(id)
    expect(connections.list()).toEqual([])
  })
})

describe('production connection', () => {
  test('is read-only except for the requested minutes, over restarts', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    vi.spyOn(wallClock, 'now').mockImplementation(() => now)
    const { id, readOnly } = await (await open()).create(input({ readOnly: false }))
    expect(readOnly).toBe(true)
    const lifted = await (await open()).setReadOnly(id, false)
    expect(lifted).toMatchObject({ readOnly: false, readOnlyLiftedUntil: '2026-03-01T12:15:00.000Z' })

    now += writesAllowedMinutes * 60_000 - 1
    expect((await open()).open(id).readOnly).toBe(false)
    expect(await (await open()).update(id, input({ name: 'Renamed' }), administrator)).toMatchObject({
      readOnly: false,
    })
    now += 1
    expect((await open()).open(id).readOnly).toBe(true)
    expect((await open()).list()[0]).not.toHaveProperty('readOnlyLiftedUntil')
  })

  test('is read-only again on request or with another address', async () => {
    const connections = await open()
    const { id } = await connections.create(input())
    await connections.setReadOnly(id, false)
    expect((await connections.setReadOnly(id, true)).readOnly).toBe(true)
    await connections.setReadOnly(id, false)
    expect((await connections.update(id, input({ baseUrl: 'https://two.example' }), administrator)).readOnly).toBe(true)
  })

  test('ignores a stored time that is further off than the limit', async () => {
    const { id } = await (await open()).create(input())
    const { readOnlyLiftedUntil = '' } = await (await open()).setReadOnly(id, false)
    await replaceStored(readOnlyLiftedUntil, '2099-01-01T00:00:00.000Z')
    expect((await open()).open(id).readOnly).toBe(true)
  })
})

test('other stages keep their read-only setting', async () => {
  const connections = await open()
  const { id } = await connections.create(input({ stage: 'staging', readOnly: true }))
  expect(connections.open(id).readOnly).toBe(true)
  const writable = await connections.setReadOnly(id, false)
  expect(writable.readOnly).toBe(false)
  expect(writable).not.toHaveProperty('readOnlyLiftedUntil')
  expect((await connections.setReadOnly(id, true)).readOnly).toBe(true)
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
