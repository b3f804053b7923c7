/** A change request whose content is damaged: nobody approves what cannot be read. */
import { afterAll, expect, test } from 'vitest'
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import { startMemoryUpstream } from '../../testing/memoryUpstream.ts'
import { openTestDatabase } from '../../testing/testDatabase.ts'
import { generousBudgetsFor, secrets, startTestGateway } from '../../testing/testGateway.ts'
import { signInAs } from '../../testing/testPeople.ts'

const target = await startMemoryUpstream('t')
const gateway = await startTestGateway(target, {
  seeds: [
    {
      id: 'prod',
      name: 'Production',
      variant: 'openSource',
      baseUrl: target.url,
      allowPrivate: true,
      accessKey: secrets.accessKey,
      stage: 'production',
    },
  ],
  budgets: generousBudgetsFor(target.url),
})
afterAll(async () => {
  await gateway.close()
  await target.close()
})

const search = (name: string) => ({
  name,
  sourceId: 'source1',
  select: '',
  where: '',
  whereLanguage: 'lucene',
  orderBy: '',
  tags: [],
})

test('approval is refused without its content in the answer, and it can be declined', async () => {
  const requester = await signInAs(gateway, { name: 'Requester', role: 'operator' })
  const approver = await signInAs(gateway, { name: 'Approver', role: 'administrator' })
  const on = { twoPersonApproval: true, notificationUrl: null }
  expect((await approver.call('PUT', '/api/connections/prod/approval', on)).status).toBe(200)
  const asked = async (name: string) => {
    const header = { [changeRequestHeader]: encodeURIComponent('{}') }
    const { json, text } = await requester.call('POST', '/api/c/prod/stack/saved-searches', search(name), header)
    expect(json['code'], text).toBe('sentForApproval')
    return String(Object(json['held']).id)
  }
  const [sound, damaged] = [await asked('Sound'), await asked('Damaged')]
  const path = (id: string) => `/api/change-requests/${id}`
  const read = async (id: string) => (await approver.call('GET', path(id))).json
  const digest = Object((await read(damaged))['plan']).digest
  const database = await openTestDatabase(`${gateway.folder}/data`)
  await database.write({
    sql: 'UPDATE change_requests SET sealed = (SELECT sealed FROM change_requests WHERE id = ?) WHERE id = ?',
    args: [sound, damaged],
  })

  const message = `The record ${damaged} of the table change_requests is damaged and cannot be read. Delete it, or restore a backup.`
  expect(await read(damaged)).toMatchObject({ state: 'waiting', planProblem: message })
  const refused = await approver.call('POST', `${path(damaged)}/approve`, { digest })
  expect(refused).toMatchObject({ status: 500, json: { code: 'failed', message } })
  expect(await read(damaged)).toMatchObject({ state: 'waiting' })
  expect(target.records.records.savedSearches.size).toBe(0)

  expect((await approver.call('POST', `${path(damaged)}/decline`, { reason: 'It is damaged.' })).status).toBe(200)
  expect(await read(damaged)).toMatchObject({ state: 'declined' })
  await database.close()
})

test('one that is damaged otherwise is in no list, and is neither approved nor declined', async () => {
  const approver = await signInAs(gateway, { name: 'Other', role: 'administrator' })
  const database = await openTestDatabase(`${gateway.folder}/data`)
  const [row] = await database.rows("SELECT id FROM change_requests WHERE state = 'waiting'")
  const id = String(row?.['id'])
  await database.write({ sql: "UPDATE change_requests SET need = 'x' WHERE id = ?", args: [id] })
  for (const [act, body] of [
    ['approve', { digest: 'd' }],
    ['decline', { reason: 'r' }],
  ] as const)
    expect((await approver.call('POST', `/api/change-requests/${id}/${act}`, body)).status, act).toBe(500)
  const list = await approver.call('GET', '/api/change-requests?state=open')
  expect(list).toMatchObject({ status: 200, json: { items: [] } })
  expect(await database.rows('SELECT state FROM change_requests WHERE id = ?', [id])).toEqual([{ state: 'waiting' }])
  expect(target.records.records.savedSearches.size).toBe(0)
  await database.close()
})
