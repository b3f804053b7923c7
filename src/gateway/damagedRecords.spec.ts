/** Administrators remove damaged accounts, ways to sign in and connections, and nobody removes anything else here. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from './database/database.ts'
import { Passkeys } from './identity/passkeys/passkeys.ts'
import { openTestDatabase, testDatabaseUrl } from './testing/testDatabase.ts'
import { answerJson, startTestGateway, startUpstream } from './testing/testGateway.ts'
import { signInAs, type SignedIn } from './testing/testPeople.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'damaged-records-'))
const deployment = await startUpstream()
const start = async () => startTestGateway(deployment, { dataDir, databaseUrl: await testDatabaseUrl(dataDir) })
let gateway = await start()
let database: Database
let admin: SignedIn
let viewer: SignedIn
let connectionId = ''
let tokenId = ''

const call = (who: SignedIn, method: string, path: string, body?: object) =>
  gateway.call(method, path, body, { cookie: who.cookie })
const damaged = async (who = admin) => (await call(who, 'GET', '/api/session')).json['damaged']
const remove = (table: string, id: string, who = admin) => call(who, 'DELETE', '/api/damaged-records', { table, id })

beforeAll(async () => {
  admin = await signInAs(gateway, { name: 'Admin', role: 'administrator' })
  viewer = await signInAs(gateway, { name: 'Viewer', role: 'viewer' })
  const connection = { name: 'Damaged', variant: 'openSource', baseUrl: deployment.url, accessKey: 'a-key-of-the-test' }
  const created = await call(admin, 'POST', '/api/connections', {
    ...connection,
    allowPrivate: true,
    stage: 'production',
  })
  connectionId = String(created.json['id'])
  const token = { name: 'ci', role: 'viewer', connections: null, days: 7 }
  tokenId = String((await call(viewer, 'POST', '/api/account/tokens', token)).json['id'])
  await gateway.close()
  database = await openTestDatabase(dataDir)
  const key = { id: 'c', publicKey: new Uint8Array([1]), counter: 0 }
  await new Passkeys(database).add(viewer.id, 'Key', key, false)
  await database.write(
    { sql: "UPDATE connections SET record = '{' WHERE id = ?", args: [connectionId] },
    { sql: "UPDATE personal_tokens SET connections = '['" },
    { sql: "UPDATE passkeys SET transports = '['" },
  )
  await database.close()
  gateway = await start()
  database = await openTestDatabase(dataDir)
  await call(viewer, 'GET', '/api/account')
})
afterAll(async () => {
  await database.close()
  await gateway.close()
  await deployment.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('each of them, with an entry in the audit log, until none is left', async () => {
  const passkeyId = String((await database.rows('SELECT id FROM passkeys'))[0]?.['id'])
  const all = [
    { table: 'connections', id: connectionId },
    { table: 'personal_tokens', id: tokenId },
    { table: 'passkeys', id: passkeyId },
  ]
  expect(await damaged()).toEqual({ total: 3, records: all })
  for (const { table, id } of all) {
    expect((await remove(table, id, viewer)).status).toBe(403)
    const removed = await remove(table, id)
    expect(removed.status, removed.text).toBe(200)
    expect(await database.rows(`SELECT 1 FROM ${table} WHERE id = ?`, [id])).toEqual([])
    expect((await remove(table, id)).status).toBe(404)
  }
  expect(await damaged()).toBeUndefined()
  const { json } = await call(admin, 'GET', '/api/audit?limit=10')
  const entries = json['entries'] as { event: string; outcome: string; subject: string }[] // the gateway's own response
  expect(entries.filter(({ event, outcome }) => event === 'damagedRecord.remove' && outcome === 'done')).toMatchObject(
    all.toReversed().map(({ table, id }) => ({ subject: `${id} of the table ${table}` })),
  )
})

test('what is sound, or decides about approvals, stays', async () => {
  expect((await remove('people', admin.id)).status).toBe(404)
  await database.write({
    sql: "INSERT INTO approval_settings (connection_id, two_person_approval, notification) VALUES ('oss', 1, 'x')",
  })
  await call(admin, 'GET', '/api/connections/oss/approval')
  expect(await damaged()).toEqual({ total: 1, records: [{ table: 'approval_settings', id: 'oss' }] })
  expect((await remove('approval_settings', 'oss')).code).toBe('blocked')
  expect(await database.rows('SELECT 1 FROM approval_settings')).toHaveLength(1)
})

test('damaged records of a stack are named to administrators of its connection only', async () => {
  const status = { state: 'absent', progress: 0, records: 0 }
  const records = [{ table: 'alerts', id: 'a1' }]
  deployment.become(answerJson({ data: { ...status, damaged: { total: 1, records } } }))
  const read = async (who: SignedIn) => (await call(who, 'GET', '/api/c/oss/stack/sample')).json['result']
  expect(await read(admin)).toMatchObject({ ...status, damaged: { records } })
  expect(await read(viewer)).toEqual(status)
})
