import { afterEach, beforeEach, expect, test } from 'vitest'
import { markerKinds } from '#contract/console/markerKinds.ts'
import type { NewChange } from '../history/changeStore.ts'
import { openTestHistory, type TestHistory } from '../testing/testHistory.ts'
import { ChangeMarkers } from './changeMarkers.ts'

let history: TestHistory
let markers: ChangeMarkers
beforeEach(async () => {
  history = await openTestHistory()
  markers = new ChangeMarkers(history.database, history.store)
})
afterEach(() => history.close())

const [from, to] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z']
const range = { from, to, kinds: markerKinds, limit: 200 }
const made = (more: Partial<NewChange>): NewChange => ({
  deployment: history.deployment,
  origin: 'https://deployment.example/',
  connectionId: 'test',
  kind: 'alerts',
  recordId: '1',
  name: 'Errors',
  action: 'updated',
  cause: 'console',
  at: '2026-11-01T12:00:00.000Z',
  outcome: 'done',
  ...more,
})
const store = (...changes: Partial<NewChange>[]) =>
  history.store.write(...changes.map((change) => history.store.insert(made(change))))

test.each<[string, Partial<NewChange>]>([
  ['alert', {}],
  ['alert', { action: 'operated', path: '/api/v2/alerts/1/paused' }],
  ['silence', { action: 'operated', path: '/api/v2/alerts/1/silenced' }],
  ['outside', { cause: 'outside', outcome: 'found' }],
  ['dashboard', { kind: 'dashboards' }],
  ['record', { kind: 'webhooks' }],
  ['scaling', { kind: 'pipes', action: 'operated', path: '/v1/organizations/o/services/s/pipes/1/scaling' }],
  ['scaling', { kind: 'services', action: 'operated', path: '/v1/organizations/o/services/s/replicaScaling' }],
  ['record', { kind: 'pipes/settings' }],
  ['promotion', { cause: 'restore', run: 'r1' }],
])('marks as %s: %o', async (kind, change) => {
  await store(change)
  expect(await markers.list({ deployment: history.deployment }, range)).toMatchObject([{ kind, name: 'Errors' }])
})

test('lists the newest of many, and counts all', async () => {
  await store(...Array.from({ length: 250 }, (_, at) => ({ name: `Alert ${at}` })))
  const place = { deployment: history.deployment }
  const items = await markers.list(place, range)
  expect(items).toHaveLength(200)
  expect(items.at(-1)?.name).toBe('Alert 50')
  expect(items[0]?.name).toBe('Alert 249')
  expect(await markers.counts(place, from, to)).toEqual({ alert: 250 })
})

test('leaves out a damaged change, and keeps the others', async () => {
  await store({ name: 'Sound' }, { name: 'Damaged' })
  await history.database.write({ sql: "UPDATE changes SET cause = 'nothing' WHERE name = 'Damaged'" })
  const items = await markers.list({ deployment: history.deployment }, range)
  expect(items.map(({ name }) => name)).toEqual(['Sound'])
})

test('of another service, knows only its data pipes, as they were reached through connections that the reader sees', async () => {
  const scaled = { kind: 'pipes', path: '/pipes/1/scaling' }
  await store(
    { ...scaled, name: 'Seen' },
    { ...scaled, name: 'Through another one', connectionId: 'other' },
    { kind: 'dashboards', name: 'No pipe' },
    { kind: 'pipesOfOthers', name: 'Another kind' },
  )
  const names = async (pipesThrough: readonly string[]) =>
    (await markers.list({ deployment: history.deployment, pipesThrough }, range)).map(({ name }) => name)
  expect(await names(['test'])).toEqual(['Seen'])
  expect(await names([])).toEqual([])
})
