/** Backups of a real embedded engine, and services that are created from them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import type { ServiceDocument } from '../documents/serviceDocument.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'

const hour = 3_600_000
let engine: Engine
let stack: TestStack
/** Milliseconds by which the stack is ahead. A clock that stood still would be behind the services, which have the true time. */
let ahead = 0
beforeAll(async () => {
  engine = await temporaryEngine()
  await engine.command('CREATE TABLE orders (id UInt64, text String) ENGINE = MergeTree ORDER BY id')
  await engine.command("INSERT INTO orders SELECT number, 'as it was' FROM numbers(1000)")
  stack = await startTestStack({ engine, now: () => currentTime() + ahead })
})
afterAll(async () => {
  await stack.close()
  await engine.close()
})

const patient = { timeout: 30_000, interval: 50 }
const call = async (method: string, path: string, body?: unknown) => {
  const { organizationId, keyId, keySecret } = stack.identity
  const headers = { authorization: basic(keyId, keySecret) }
  const url = `/v1/organizations/${organizationId}/services${path}`
  const { status, json } = await stack.send(method, url, { headers, body })
  return { status, ...json }
}
const own = (path: string) => `/${stack.identity.serviceId}${path}`
const backups = async () => (await call('GET', own('/backups'))).result
const settled = (count: number) =>
  vi.waitFor(async () => {
    const list = await backups()
    expect(list.map(({ status }: { status: string }) => status)).toEqual(Array(count).fill('done'))
    return list
  }, patient)
const state = (id: string, wanted: string) =>
  vi.waitFor(async () => expect((await call('GET', `/${id}`)).result.state).toBe(wanted), patient)
const rowsOf = async (database: string) =>
  engine.query<{ text: string; n: string }>(`SELECT text, count() AS n FROM ${database}.orders GROUP BY 1`)
const create = { name: 'Restored', provider: 'aws', region: 'eu-central-1', ipAccessList: [] }

test('a backup is made when it is due, and a service that is created from it has its rows', async () => {
  expect(await backups()).toEqual([])
  ahead += 25 * hour
  const [backup] = await settled(1)
  expect(backup).toMatchObject({ type: 'full', serviceId: stack.identity.serviceId, status: 'done' })
  expect(backup.sizeInBytes).toBeGreaterThan(1000)
  expect(existsSync(join(engine.backups!, backup.id, '.backup'))).toBe(true)
  expect(await call('GET', own(`/backups/${backup.id}`))).toMatchObject({ result: { id: backup.id } })

  await engine.command("INSERT INTO orders VALUES (1000, 'later')")
  const { status, result } = await call('POST', '', { ...create, backupId: backup.id })
  expect(status).toBe(200)
  expect(result).toMatchObject({ service: { name: 'Restored', state: 'provisioning' } })
  expect(result.password).toMatch(/^.{20,}$/)
  await state(result.service.id, 'running')
  expect(await rowsOf(databaseOf(result.service.id, 'telemetry'))).toEqual([{ text: 'as it was', n: '1000' }])

  // Only a stopped service is deleted, with its rows.
  expect(await call('DELETE', `/${result.service.id}`)).toMatchObject({
    status: 409,
    error:
      "CONFLICT: Only instance in one of the following states: 'provisioning','starting','awaking','idle','stopped','degraded','failed' can be terminated. Current state: 'running'",
  })
  await call('PATCH', `/${result.service.id}/state`, { command: 'stop' })
  await state(result.service.id, 'stopped')
  expect(await call('DELETE', `/${result.service.id}`)).toMatchObject({ status: 200 })
  await vi.waitFor(async () => expect((await call('GET', `/${result.service.id}`)).status).toBe(404), patient)
  await vi.waitFor(async () => {
    const left = await engine.query('SELECT name FROM system.databases WHERE startsWith(name, {name:String})', {
      params: { name: databaseOf(result.service.id, 'default') },
    })
    expect(left).toEqual([])
  }, patient)
  expect(await rowsOf(engine.database)).toHaveLength(2)
})

test('backups are listed newest first, and old ones are removed with their files', async () => {
  const [first] = await settled(1)
  ahead += 25 * hour
  await vi.waitFor(async () => expect((await backups())[0].id).not.toBe(first.id), patient)
  const [second] = await settled(1)
  await vi.waitFor(() => expect(existsSync(join(engine.backups!, first.id))).toBe(false), patient)
  await call('PATCH', own('/backupConfiguration'), { backupRetentionPeriodInHours: 48, backupPeriodInHours: 6 })
  ahead += 7 * hour
  const list = await settled(2)
  expect(list[1].id).toBe(second.id)
  expect(Date.parse(list[0].startedAt)).toBeGreaterThan(Date.parse(list[1].startedAt))
})

test('a backup can be made at once, one at a time', async () => {
  const { result, ...answer } = await call('POST', own('/backups'))
  expect({ ...answer, result }).toMatchObject({ status: 200, result: { status: 'in_progress', type: 'full' } })
  const list = await settled(3)
  expect(list.map(({ id }: { id: string }) => id)).toContain(result.id)
})

test('an empty service has a database without tables', async () => {
  const { result } = await call('POST', '', { ...create, name: 'Empty' })
  await state(result.service.id, 'running')
  expect(
    await engine.query('SELECT name FROM system.tables WHERE database = {name:String}', {
      params: { name: databaseOf(result.service.id, 'default') },
    }),
  ).toEqual([])
  expect((await call('GET', `/${result.service.id}/backups`)).result).toEqual([])
})

test('a backup that does not exist, or of another region, cannot be restored; the stack itself is not deleted', async () => {
  const [backup] = await settled(3)
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect(await call('POST', '', { ...create, backupId: unknown })).toMatchObject({ status: 400 })
  expect((await call('POST', '', { ...create, region: 'eu-west-1', backupId: backup.id })).error).toContain('region')
  expect(await call('GET', own(`/backups/${unknown}`))).toMatchObject({ status: 404 })
  const document: ServiceDocument = (await serviceRows.get(stack.store, stack.identity.serviceId))!
  await serviceRows.update(stack.store, { ...document, state: 'stopped' })
  expect(await call('DELETE', own(''))).toMatchObject({
    status: 400,
    error: expect.stringContaining('the stack itself'),
  })
  expect(await call('POST', own('/backups'))).toMatchObject({ status: 409 })
  await serviceRows.update(stack.store, document)
})
