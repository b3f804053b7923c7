/** One damaged row of a table: all others are there, and the response for the damaged one says what it is. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { damagedRows } from '#node/database/damagedRows.ts'
import { newDashboard } from '../documents/dashboardDocument.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { newWebhook, webhookRows } from '../documents/webhookRows.ts'
import { roleRows, rolesById } from '../access/roleRows.ts'
import { alertCursors, writeCursors } from '../documents/alertCursors.ts'
import { addActivity, activitiesBetween } from '../access/activityLog.ts'
import { deleteOldEvaluations, evaluationsOf, writeEvaluations } from '../documents/alertEvaluations.ts'
import { damagedRecords } from './damagedRecords.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

/** Without what a first start adds. */
const addedIds = (records: readonly { id: string; name: string }[]) =>
  records.filter(({ name }) => ['Sound', 'Damaged'].includes(name)).map(({ id }) => id)

/** Specs of the same worker may have damaged others. */
const isKnown = (id: string) => damagedRows.all().some((row) => row.table === 'dashboards' && row.id === id)

/** The damaged rows of a table, as administrators see them. */
const namedOf = async (table: string) =>
  ((await damagedRecords(stack.store))?.records ?? []).filter((record) => record.table === table).map(({ id }) => id)

test.each(['', 'null', '{"name":', '{"id":"other"}'])('a dashboard that is stored as "%s"', async (text) => {
  const [sound, damaged] = [newDashboard({ name: 'Sound', tiles: [] }), newDashboard({ name: 'Damaged', tiles: [] })]
  await dashboardRows.insert(stack.store, damaged)
  await dashboardRows.insert(stack.store, sound)
  await stack.store.run('UPDATE dashboards SET document = ? WHERE id = ?', [text, damaged.id])
  const list = await stack.openSource('GET', '/dashboards')
  expect(list.status).toBe(200)
  expect(addedIds(list.json.data)).toEqual([sound.id])
  const message = `The record ${damaged.id} of the table dashboards is damaged and cannot be read. Delete it, or restore a backup.`
  expect(await stack.openSource('GET', `/dashboards/${damaged.id}`)).toMatchObject({ status: 500, json: { message } })
  expect(isKnown(damaged.id)).toBe(true)
  for (const { id } of [damaged, sound])
    expect((await stack.openSource('DELETE', `/dashboards/${id}`)).status).toBe(200)
  expect(isKnown(damaged.id)).toBe(false)
})

test('a webhook whose secrets are damaged', async () => {
  const webhook = (name: string) => newWebhook({ name, service: 'generic', url: 'https://example.com/hook' })
  const [sound, damaged] = [webhook('Sound'), webhook('Damaged')]
  await webhookRows.insert(stack.store, damaged)
  await webhookRows.insert(stack.store, sound)
  await stack.store.run(`UPDATE webhooks SET sealed = substr(sealed, 1, 20) WHERE id = ?`, [damaged.id])
  expect(addedIds((await stack.openSource('GET', '/webhooks')).json.data)).toEqual([sound.id])
  await stack.store.run(`UPDATE webhooks SET document = '{' WHERE id = ?`, [damaged.id])
  const added = { name: 'Added', service: 'generic', url: 'https://example.com/added' }
  expect((await stack.openSource('POST', '/webhooks', added)).status).toBe(200)
})

test('a role: whoever has it may do nothing, because it might have denied anything', async () => {
  const role = { id: 'r', name: 'R', type: 'custom' as const, policies: [], createdAt: '', updatedAt: '' }
  await roleRows.insert(stack.store, role)
  await roleRows.insert(stack.store, { ...role, id: 'sound' })
  await stack.store.run(`UPDATE organization_roles SET document = '' WHERE id = 'r'`)
  const roles = await rolesById(stack.store, { organizationId: 'o', createdAt: '' })
  expect(roles.get('sound')).toMatchObject({ name: 'R' })
  expect(roles.get('r')?.policies).toMatchObject([{ allowDeny: 'DENY' }])
})

test('the groups of a cursor: its alert goes on', async () => {
  const cursor = { done: 60_000, groups: [], setBacks: 0 }
  await writeCursors(stack.store, [
    { ...cursor, alertId: 'a' },
    { ...cursor, alertId: 'b' },
  ])
  await stack.store.run(`UPDATE alert_cursors SET group_states = '[{' WHERE alert_id = 'a'`)
  expect([...(await alertCursors(stack.store)).values()]).toEqual([
    { ...cursor, alertId: 'a' },
    { ...cursor, alertId: 'b' },
  ])
})

test('an evaluation of an alert', async () => {
  const evaluation = (end: number) => ({ start: end - 60_000, end, state: 'OK' as const, counts: 0, value: 1 })
  await writeEvaluations(
    stack.store,
    [60_000, 120_000].map((end) => ({ ...evaluation(end), alertId: 'a', noRows: false })),
  )
  await stack.store.run(`UPDATE alert_evaluations SET detail = '{' WHERE ended = 60000`)
  const { items } = await evaluationsOf(stack.store, 'a', { limit: 10 })
  expect(items).toMatchObject([{ createdAt: '1970-01-01T00:02:00.000Z' }])
  expect(await namedOf('alert_evaluations')).toEqual(['a 60000'])
  await stack.store.write((transaction) => deleteOldEvaluations(transaction, 31 * 86_400_000))
  expect(await namedOf('alert_evaluations')).toEqual([])
})

test('an activity', async () => {
  const entry = { type: 'create', actorType: 'user', actorId: 'x', organizationId: 'o' } as const
  for (let at = 0; at < 2; at++) await addActivity(stack.store, entry as unknown as Parameters<typeof addActivity>[1])
  await stack.store.run(`UPDATE activities SET document = '{' WHERE seq = (SELECT min(seq) FROM activities)`)
  expect(await activitiesBetween(stack.store, 0, Number.MAX_SAFE_INTEGER)).toHaveLength(1)
  expect(await namedOf('activities')).toHaveLength(1)
  await stack.store.run(`DELETE FROM activities WHERE document = '{'`)
  expect(await namedOf('activities')).toEqual([])
})
