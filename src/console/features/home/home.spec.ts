import { expect, test } from 'vitest'
import type { Change } from '#contract/console/history.ts'
import type { PipeSamples } from '#contract/console/sampling/pipeSamples.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { attentionOf } from './attention.ts'
import { authorsOf, formatAction, formatAuthor, formatChangeDetail, lastChanges } from './changeText.ts'
import { dashboardsForHome } from './dashboardsForHome.ts'
import { firingAlerts } from './firing.ts'
import { summaryOf } from './summary.ts'
import { loadsOf, problemsOf } from './problems.ts'
import type { HomeEnvironment } from './useHome.ts'

const connection = sampleConnection({ id: 'eu', name: 'Production EU', variant: 'managed', stage: 'production' })

const calm = { offered: true, pipes: [], services: [], total: { pipes: 3, services: 1 } }

/** As it was read before a start of the console, which does not say how quickly the deployment answers now. */
const state = {
  connectionId: 'eu',
  readAt: '2026-11-30T10:00:00.000Z',
  budget: { limit: null, remaining: null },
  counts: { alerts: 1 },
}

/** One of which everything is known, and where nothing is wrong. */
function environment(more: Partial<HomeEnvironment> = {}): HomeEnvironment {
  return {
    connection,
    state: undefined,
    problem: undefined,
    firing: [],
    firingUnknown: undefined,
    problems: calm,
    isReading: false,
    changes: [],
    ...more,
  }
}

const laptop = { ...connection, id: 'laptop', name: 'Laptop' }
const alert = { id: 'a', threshold: 1, thresholdType: 'above', interval: '5m', source: 'tile', state: 'ALERT' }

test('all is quiet only where everything is known', () => {
  expect(summaryOf([environment()], 0)).toEqual({
    firing: 0,
    text: 'Nothing fires, and nothing needs attention.',
    isQuiet: true,
  })
  for (const unknown of [
    { problem: 'No response', firing: undefined, firingUnknown: 'No response' },
    { firing: undefined, firingUnknown: 'The alerts could not be read.' },
    { firing: undefined },
    { problems: undefined },
    { problems: { offered: true } },
    { problems: { offered: true, reason: 'Some pipes could not be read.' } },
    { problems: { ...calm, isLoadUnknown: true } },
    { problems: { ...calm, isLoadPending: true } },
    { problems: { ...calm, keyState: 'unknown' as const } },
    { problems: { ...calm, keyState: 'pending' as const } },
    { state: { ...state, isRestored: true } },
  ]) {
    expect(summaryOf([environment(), environment({ connection: laptop, ...unknown })], 0).isQuiet).toBe(false)
  }
  expect(summaryOf([environment({ problems: { offered: false } })], 0).isQuiet).toBe(true)
  expect(summaryOf([environment({ state })], 0).isQuiet).toBe(true)
})

test('says what fires, what needs attention and what is not known', () => {
  const firing = environment({ firing: [alert] })
  const dead = environment({ connection: laptop, problem: 'No response', firing: undefined })
  expect(summaryOf([firing, dead], 2)).toMatchObject({
    firing: 1,
    text: '1 alert fires. 2 resources need attention. Laptop could not be read.',
  })
})

test('an alert that several connections to the same deployment show is counted once', () => {
  const ownStack = { ...laptop, variant: 'openSource' as const, baseUrl: 'http://localhost:8001' }
  const sameStack = { ...ownStack, id: 'again', name: 'Laptop again', baseUrl: 'http://127.0.0.1:8001' }
  const managed = { ...sameStack, id: 'managed', variant: 'managed' as const, organizationId: 'o', serviceId: 's' }
  const firing = [ownStack, sameStack, managed].map((one) => environment({ connection: one, firing: [alert] }))
  // Elsewhere, the same ID is another alert.
  firing.push(environment({ firing: [alert, { ...alert, id: 'b' }] }))
  expect(
    firingAlerts(firing).map((firingAlert) => [
      firingAlert.alert.id,
      firingAlert.connections.map(({ id }) => id).join(' '),
    ]),
  ).toEqual([
    ['a', 'laptop again managed'],
    ['a', 'eu'],
    ['b', 'eu'],
  ])
  expect(summaryOf(firing, 0)).toMatchObject({ firing: 3, text: '3 alerts fire.' })
})

test('says that it reads while loads are to come, and that they are unknown where none are reported', () => {
  const textOf = (more: object) => summaryOf([environment({ problems: { ...calm, ...more } })], 0).text
  expect(textOf({ isLoadPending: true })).toBe('Loading…')
  expect(textOf({ isLoadUnknown: true })).toBe('Load unknown of pipes on Production EU.')
  expect(textOf({ keyState: 'unknown' })).toBe('Whether a key of Production EU ends soon is unknown.')
})

test('what is known of problems stays where another read fails', () => {
  const services = [
    { id: 's', name: 'analytics', state: 'degraded' },
    { id: 't', name: 'other', state: 'running' },
  ]
  const failed = { data: undefined, error: new Error('No response') }
  const pipe = { id: 'p', name: 'orders', state: 'Failed' }
  const read = { data: [pipe], error: null }
  const kept = { data: [pipe], error: new Error('No response') }
  const lists = (second: typeof read | typeof kept | typeof failed) => [
    { serviceId: 's', read },
    { serviceId: 't', read: second },
  ]
  const pipes = [{ pipe, serviceId: 's' }]
  const partial = problemsOf({ data: services, error: null }, lists(failed))
  expect(partial).toMatchObject({ services: [services[0]], pipes, reason: 'Some pipes could not be read.' })
  expect(partial.total).toBeUndefined()
  expect(problemsOf({ data: services, error: null }, lists(kept))).toMatchObject({
    pipes: [...pipes, { pipe, serviceId: 't' }],
    total: { pipes: 2, services: 2 },
    reason: 'Some pipes could not be read.',
  })
  expect(problemsOf({ data: services, error: failed.error }, lists(read))).toMatchObject({
    services: [services[0]],
    reason: 'The services could not be read.',
  })
  expect(problemsOf(failed, [])).toEqual({ offered: true, reason: 'The services could not be read.' })
})

test('the load of running pipes is pending until the first samples, and unknown where none are reported', () => {
  const running = [{ pipe: { id: 'p', name: 'orders', state: 'Running' }, serviceId: 's' }]
  const state = { run: 'r', at: null, pace: 15_000, slowed: null, error: null, pipes: [] }
  const load = (more: Partial<PipeSamples>) => loadsOf(running, { data: { ...state, ...more }, error: null })
  const counters = { fetchedEvents: 1, sentEvents: 1, fetchedBytes: 1, errors: 0, latency: null, sourceLag: null }
  const sample = { at: 1, pace: 15_000, ...counters, cpu: 10, cpuLimit: 100, memory: null, memoryLimit: null }
  const pending = { isLoadPending: true, isLoadUnknown: false }
  const unknown = { isLoadPending: false, isLoadUnknown: true }
  expect(loadsOf(running, { data: undefined, error: null })).toMatchObject(pending)
  expect(load({})).toMatchObject(pending)
  expect(load({ at: 1, pipes: [{ id: 'p', samples: [sample] }] })).toEqual({
    overloaded: [],
    isLoadPending: false,
    isLoadUnknown: false,
  })
  expect(load({ at: 1 })).toMatchObject(unknown)
  expect(load({ at: 1, pipes: [{ id: 'p', samples: [{ ...sample, cpu: null }] }] })).toMatchObject(unknown)
  expect(
    load({
      error: { code: 'upstreamFailed', message: 'No' } as PipeSamples['error'] /* what else it says is not read */,
    }),
  ).toMatchObject(unknown)
  expect(loadsOf(running, { data: undefined, error: new Error('No response') })).toMatchObject(unknown)
  expect(loadsOf([], { data: undefined, error: null })).toEqual({})
})

test('each problem links to the page or action that helps', () => {
  const pipe = (state: string) => ({
    serviceId: 's',
    pipe: { id: state, name: state, state, stateDetail: 'no broker' },
  })
  const problems = {
    offered: true,
    pipes: [pipe('Failed'), pipe('Degraded')],
    services: [{ id: 's', name: 'analytics', state: 'degraded' }],
    overloaded: [
      { serviceId: 's', pipe: { id: 'full', name: 'orders' }, problem: 'CPU has been at its limit for 9 min.' },
    ],
    total: { pipes: 2, services: 1 },
    expiringKey: { text: 'The key ends in 3 days.', short: 'in 3 days', own: true, apiKeyId: 'k' },
  }
  const items = attentionOf([environment({ problems })])
  expect(items.map(({ name, problem, advice }) => [name, problem, advice.label, advice.to])).toEqual([
    ['analytics', 'Degraded', 'View metrics', '/c/eu/services/s/metrics'],
    ['Failed', 'Failed: no broker', 'View the cause', '/c/eu/pipes/s/Failed'],
    ['Degraded', 'Degraded: no broker', 'Check its size', '/c/eu/pipes/s/Degraded/scaling'],
    ['orders', 'CPU has been at its limit for 9 min.', 'Scale pipe', '/c/eu/pipes/s/full/scaling'],
    ['API key', 'The key ends in 3 days.', 'Rotate key', '/c/eu/api-keys/k/rotate'],
  ])
})

const change = (more: Partial<Change>): Change => ({
  id: 1,
  at: '2026-11-28T10:00:00.000Z',
  kind: 'alerts',
  recordId: 'a',
  name: 'Checkout',
  action: 'updated',
  cause: 'console',
  outcome: 'done',
  ...more,
})

test('the last changes are the newest of all connections, each once', () => {
  const here = environment({ changes: [change({ id: 3, at: '2026-11-28T12:00:00.000Z' }), change({ id: 1 })] })
  // The other variant of the same deployment shows the change too.
  const there = environment({
    connection: laptop,
    changes: [change({ id: 2, at: '2026-11-28T11:00:00.000Z' }), change({ id: 4, connectionId: 'eu' })],
  })
  const unread = environment({ connection: { ...laptop, id: 'dead' }, changes: null })
  expect(lastChanges([here, there, unread], 8).map((placed) => placed.change.id)).toEqual([3, 2, 1])
  expect(lastChanges([here, there], 1)).toHaveLength(1)
})

test('what one author does to records of one kind at about the same time is one line', () => {
  const at = (minutes: number) => `2026-11-28T10:${String(minutes).padStart(2, '0')}:00.000Z`
  const created = (id: number, minutes: number, more: Partial<Change> = {}) =>
    change({ id, at: at(minutes), action: 'created', cause: 'outside', recordId: `r${id}`, ...more })
  const changes = [
    created(6, 22),
    created(5, 21, { kind: 'dashboards' }),
    created(4, 20),
    created(3, 19, { recordId: 'r4' }),
    created(2, 18, { cause: 'console' }),
    created(1, 10),
  ]
  const lines = lastChanges([environment({ changes })], 8)
  expect(lines.map((line) => [line.change, ...line.others].map(({ id }) => id))).toEqual([[6, 4], [5], [3], [2], [1]])
  expect(formatAction(created(1, 0), 2)).toBe('created 2 alerts')
  expect(formatAction(created(1, 0))).toBe('created alert')
})

test('the changes of one author are grouped and counted without those of the others', () => {
  const actor = 'ann@example.com'
  const here = environment({ changes: [change({ id: 4 }), change({ id: 3, actor, recordId: 'b' }), change({ id: 2 })] })
  const there = environment({ connection: laptop, changes: [change({ id: 1, cause: 'outside' })] })
  expect(authorsOf([here, there])).toEqual(['This console', actor, 'Outside'])
  const idsOf = (author?: string) => lastChanges([here, there], 8, author).map((placed) => placed.change.id)
  expect(idsOf(actor)).toEqual([3])
  expect(idsOf('Outside')).toEqual([1])
  expect(lastChanges([here, there], 1, actor)).toHaveLength(1)
  expect(idsOf('Nobody')).toEqual([])
})

test('names the author of a change, and what else there is to say', () => {
  expect(formatAuthor({ cause: 'outside' })).toBe('Outside')
  expect(formatAuthor({ cause: 'console' })).toBe('This console')
  expect(formatChangeDetail(change({ fields: 2, cause: 'promotion' }))).toBe('2 fields, by a promotion')
  expect(formatChangeDetail(change({ action: 'created' }))).toBe('')
})

test('favorites and recent dashboards come first, and those that are gone are left out', () => {
  const all = ['a', 'b', 'c'].map((id) => ({ connection: { id: 'eu' }, dashboard: { id } }))
  const shelf = ['c', 'gone', 'b'].map((dashboardId) => ({ connectionId: 'eu', dashboardId }))
  expect(dashboardsForHome(all, shelf, 8).map(({ dashboard }) => dashboard.id)).toEqual(['c', 'b', 'a'])
  expect(dashboardsForHome(all, [{ connectionId: 'hidden', dashboardId: 'a' }], 1)).toEqual([all[0]])
})
