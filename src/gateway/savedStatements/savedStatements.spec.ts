/** Statements that people keep on a connection: who may, what happens to two changes at once, and what is stored of their texts. */
import { afterAll, expect, test } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import type { SavedStatement } from '#contract/console/savedStatements.ts'
import { startTestGateway, startUpstream } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const upstream = await startUpstream()
const gateway = await startTestGateway(upstream)
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const path = '/api/connections/oss/saved-statements'
const text = "SELECT count() FROM otel_logs WHERE LogAttributes['password'] = 'hunter2'"

const list = async (who: Pick<typeof gateway, 'call'> = gateway) =>
  (await who.call('GET', path)).json as unknown as SavedStatement[] // by its contract
const save = async (name: string, who: Pick<typeof gateway, 'call'> = gateway) =>
  (await who.call('POST', path, { name, text })).json as unknown as SavedStatement // by its contract

test('statements are shared with their author, changed and deleted as they were read', async () => {
  const editor = await signInAs(gateway, { role: 'editor', roles: {} })
  const saved = await save('Logins', editor)
  const viewer = await signInAs(gateway, { role: 'viewer', roles: {} })
  expect(await list(viewer)).toEqual([saved])
  expect(saved).toMatchObject({ name: 'Logins', text, version: 1, author: expect.stringMatching(/\w/) })

  const changed = await gateway.call('PUT', `${path}/${saved.id}?version=1`, { name: 'Sign-ins', text: 'SELECT 1' })
  expect(changed.json).toMatchObject({ name: 'Sign-ins', text: 'SELECT 1', version: 2, author: saved.author })
  expect(changed.json['changedBy']).toBeTruthy()
  // Both read the first version: the second of them overwrites nothing.
  const late = await editor.call('PUT', `${path}/${saved.id}?version=1`, { name: 'Logins', text })
  expect(late).toMatchObject({ status: 409, json: { message: expect.stringContaining('changed this statement') } })
  expect((await editor.call('DELETE', `${path}/${saved.id}?version=1`)).status).toBe(409)
  expect(await list()).toMatchObject([{ name: 'Sign-ins' }])
  expect((await editor.call('DELETE', `${path}/${saved.id}?version=2`)).status).toBe(200)
  expect((await editor.call('PUT', `${path}/${saved.id}?version=2`, { name: 'x', text })).status).toBe(404)
  expect(await list()).toEqual([])
})

test('who only reads saves none, and who may not run SQL on production reads none', async () => {
  const viewer = await signInAs(gateway, { role: 'viewer', roles: {} })
  expect((await viewer.call('POST', path, { name: 'Mine', text })).status).toBe(403)
  const { id } = await save('Logins')
  expect((await viewer.call('DELETE', `${path}/${id}?version=1`)).status).toBe(403)
  const connections = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string; name: string }[] // a list
  const known = connections.find((connection) => connection.id === 'oss')!
  const set = (stage: string) =>
    gateway.call('PUT', '/api/connections/oss', { ...known, stage, confirmedName: known.name })
  expect((await set('production')).status).toBe(200)
  expect((await viewer.call('GET', path)).status).toBe(403)
  expect((await set('development')).status).toBe(200)
  const other = await signInAs(gateway, { role: 'none', roles: { managed: 'operator' } })
  expect((await other.call('GET', path)).status).toBeGreaterThanOrEqual(403)
  expect((await gateway.call('DELETE', `${path}/${id}?version=1`)).status).toBe(200)
})

test('a run is noted by who may run SQL, without another version, and only where the statement is', async () => {
  const { id } = await save('Noted')
  const used = async () => (await list()).find((savedStatement) => savedStatement.id === id)
  expect(await used()).not.toHaveProperty('usedAt')
  const viewer = await signInAs(gateway, { role: 'viewer', roles: {} })
  expect((await viewer.call('POST', `${path}/${id}/uses`)).status).toBe(200)
  const noted = await used()
  expect(noted).toMatchObject({ version: 1, usedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
  // Within a minute nothing is written.
  expect((await viewer.call('POST', `${path}/${id}/uses`)).status).toBe(200)
  expect((await used())?.usedAt).toBe(noted?.usedAt)

  // It is still what was run under another name, and no more with another text.
  const change = (version: number, body: object) => gateway.call('PUT', `${path}/${id}?version=${version}`, body)
  expect((await change(1, { name: 'Renamed', text })).json).toMatchObject({ version: 2, usedAt: noted?.usedAt })
  expect((await change(2, { name: 'Renamed', text: 'SELECT 1' })).json).not.toHaveProperty('usedAt')
  expect(await used()).not.toHaveProperty('usedAt')

  const { id: other } = await save('Elsewhere')
  expect((await gateway.call('POST', `/api/connections/managed/saved-statements/${other}/uses`)).status).toBe(200)
  expect((await list()).find((savedStatement) => savedStatement.id === other)).not.toHaveProperty('usedAt')
  const stranger = await signInAs(gateway, { role: 'none', roles: {} })
  expect((await stranger.call('POST', `${path}/${other}/uses`)).status).toBeGreaterThanOrEqual(403)
  for (const savedStatement of await list())
    await gateway.call('DELETE', `${path}/${savedStatement.id}?version=${savedStatement.version}`)
})

test.each([
  ['no text', { name: 'x', text: '' }],
  ['no name', { name: ' ', text }],
  ['a name that misleads', { name: 'a\u202eb', text }],
  ['a long text', { name: 'x', text: 'x'.repeat(20_001) }],
])('%s is refused', async (_, body) => {
  expect((await gateway.call('POST', path, body)).status).toBe(422)
})

test('a connection has at most 100, and the audit log has their names alone', async () => {
  const all: SavedStatement[] = []
  for (let at = 0; at < 100; at++) all.push(await save(`Statement ${at}`))
  expect((await gateway.call('POST', path, { name: 'One more', text })).status).toBe(403)
  await gateway.call('DELETE', `${path}/${all[0]!.id}?version=1`)
  const { entries } = (await gateway.call('GET', '/api/audit?area=sql')).json as unknown as AuditPage // by its contract
  expect(entries[0]).toMatchObject({ event: 'sql.deleteStatement', connectionId: 'oss', subject: 'Statement 0' })
  expect(JSON.stringify(entries)).not.toContain('hunter2')
})
