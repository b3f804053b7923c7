/** The links, statements and markers of a connection that is deleted: they are deleted with it, and those of others stay. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SharedLinkInput } from '#contract/console/sharedLinks.ts'
import type { Database } from '../database/database.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { answerJson, gatewayForTests } from '../testing/testGateway.ts'

const { gateway, upstream } = await gatewayForTests()
let database: Database
beforeAll(async () => {
  upstream.become(answerJson({ data: [] }))
  database = await openTestDatabase(join(gateway.folder, 'data'))
})
afterAll(() => database.close())

const link: SharedLinkInput = {
  name: 'Shop',
  days: 7,
  range: { kind: 'moving', length: 3_600_000 },
  snapshot: true,
  content: {
    zone: 'utc',
    containers: [],
    tiles: [{ id: 't', name: 'Text', x: 0, y: 0, w: 1, h: 1, content: { kind: 'text', text: 'Hello' } }],
  },
}

/** @returns the token of a link of the connection, which has a saved statement and a marker, too */
async function fill(id: string): Promise<string> {
  const statement = { name: 'Logins', text: 'SELECT 1' }
  expect((await gateway.call('POST', `/api/connections/${id}/saved-statements`, statement)).status).toBe(200)
  expect((await gateway.call('POST', `/api/c/${id}/markers`, { id: 'release', title: 'Release' })).status).toBe(200)
  const created = await gateway.call('POST', `/api/connections/${id}/shared-links`, link)
  expect(created.status, created.text).toBe(200)
  return String(created.json['url']).split('#')[1] ?? ''
}

const view = async (token: string) => (await gateway.call('POST', '/api/shared-view', { token })).status

async function stored(table: 'shared_links' | 'saved_statements' | 'markers') {
  const rows = await database.rows(`SELECT connection_id FROM ${table} ORDER BY connection_id`)
  return rows.map((row) => row['connection_id'])
}

test('what is stored of a deleted connection is deleted, also for those who hold a link', async () => {
  const [gone, kept] = [await fill('oss'), await fill('managed')]
  expect([await view(gone), await view(kept)]).toEqual([200, 200])
  expect((await gateway.call('DELETE', '/api/connections/oss', { confirmedName: 'Another' })).status).toBe(200)
  expect(await stored('shared_links')).toEqual(['managed'])
  expect(await stored('saved_statements')).toEqual(['managed'])
  expect(await stored('markers')).toEqual(['managed'])
  expect([await view(gone), await view(kept)]).toEqual([404, 200])
})

test('a deletion that is refused deletes nothing', async () => {
  await gateway.call('PUT', '/api/connections/wired', {
    ...(await known('wired')),
    stage: 'production',
    sharedLinks: true,
  })
  const token = await fill('wired')
  const refused = await gateway.call('DELETE', '/api/connections/wired', { confirmedName: 'Another' })
  expect(refused).toMatchObject({ status: 422 })
  expect(await view(token)).toBe(200)
  expect(await stored('saved_statements')).toContain('wired')
})

async function known(id: string) {
  const list = (await gateway.call('GET', '/api/connections')).json as unknown as { id: string }[] // a list
  return list.find((candidate) => candidate.id === id)
}
