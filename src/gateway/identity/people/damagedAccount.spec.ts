/** A damaged account: it is signed out, everybody else goes on, and administrators see what is damaged. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase, testDatabaseUrl } from '../../testing/testDatabase.ts'
import { startTestGateway, startUpstream } from '../../testing/testGateway.ts'
import { signInAs } from '../../testing/testPeople.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'damaged-account-'))
const deployment = await startUpstream()
afterAll(async () => {
  await deployment.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = async () => startTestGateway(deployment, { dataDir, databaseUrl: await testDatabaseUrl(dataDir) })

test('a damaged account denies, and is shown to administrators until it is deleted', async () => {
  const first = await start()
  const damaged = await signInAs(first, { name: 'Damaged', role: 'administrator' })
  const viewer = await signInAs(first, { name: 'Viewer', role: 'viewer' })
  const admin = await signInAs(first, { name: 'Admin', role: 'administrator' })
  await first.close()
  const database = await openTestDatabase(dataDir)
  await database.write({ sql: 'UPDATE people SET roles = ? WHERE id = ?', args: ['{"SECRET', damaged.id] })
  await database.close()

  const second = await start()
  const as = (cookie: string) => (method: string, path: string) => second.call(method, path, undefined, { cookie })
  const [byDamaged, byViewer, byAdmin] = [damaged, viewer, admin].map(({ cookie }) => as(cookie))
  expect((await byDamaged!('GET', '/api/session')).json).toMatchObject({ signedIn: false })
  expect((await byDamaged!('GET', '/api/people')).status).toBe(401)
  const people = await byAdmin!('GET', '/api/people')
  expect(JSON.parse(people.text).map(({ name }: { name: string }) => name)).toEqual(['Admin', 'Viewer'])
  const records = [{ table: 'people', id: damaged.id }]
  expect((await byAdmin!('GET', '/api/session')).json['damaged']).toEqual({ total: 1, records })
  expect((await byViewer!('GET', '/api/session')).json['damaged']).toBeUndefined()
  expect(second.log.filter((line) => line.includes('is damaged'))).toEqual([expect.stringContaining(damaged.id)])
  expect(second.log.join('')).not.toContain('SECRET')
  expect((await byAdmin!('DELETE', `/api/people/${damaged.id}`)).status).toBe(200)
  expect((await byAdmin!('GET', '/api/session')).json['damaged']).toBeUndefined()
  await second.close()
})
