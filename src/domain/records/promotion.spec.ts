/** Promotions between two deployments: what is mapped, what is copied, and what happens to changes of the target. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { comparableOf } from './comparable.ts'
import { idOf, recordKey } from './directory.ts'
import { directoryOf } from './inventory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { planPromotion, type Link, type Promotion, type PromotionInput } from './promotion.ts'
import { runPlan, type RunControl } from './run.ts'
import { MemoryDeployment } from './testing/memoryDeployment.ts'
import { applyChange, randomChange } from './testing/randomChanges.ts'
import { planUndo } from './undo.ts'

const control: RunControl = { begin: () => {}, settle: () => {}, isStopped: () => false, continueOnFailure: false }

async function staging(): Promise<MemoryDeployment> {
  const deployment = new MemoryDeployment('s')
  const source = await create(deployment, 'sources', {
    name: 'Logs',
    kind: 'log',
    connection: 'c1',
    from: table('otel_logs'),
  })
  const webhook = await create(deployment, 'webhooks', {
    name: 'On call',
    service: 'generic',
    url: 'https://a.example/1',
  })
  const config = { displayType: 'line', sourceId: idOf(source), where: 'level:error' }
  const tile = { x: 0, y: 0, w: 6, h: 3, config }
  const board = await create(deployment, 'dashboards', {
    name: 'Shop',
    tiles: [
      { ...tile, name: 'Errors' },
      { ...tile, name: 'Slow' },
    ],
  })
  await create(deployment, 'alerts', {
    name: 'Too many errors',
    source: 'tile',
    dashboardId: idOf(board),
    tileId: tileIdOf(board, 'Errors'),
    threshold: 5,
    thresholdType: 'above',
    interval: '5m',
    channels: [{ type: 'webhook', webhookId: idOf(webhook) }],
  })
  return deployment
}

async function production(): Promise<MemoryDeployment> {
  const deployment = new MemoryDeployment('p')
  await create(deployment, 'sources', { name: 'Logs', kind: 'log', connection: 'c9', from: table('otel_logs') })
  await create(deployment, 'webhooks', { name: 'On call', service: 'generic', url: 'https://b.example/1' })
  return deployment
}

const table = (tableName: string) => ({ databaseName: 'default', tableName })

async function create(deployment: MemoryDeployment, kind: RecordKind, body: JsonObject): Promise<JsonObject> {
  return (await deployment.create(kind, body)) as JsonObject // what the deployment in memory returns
}

function tileIdOf(board: JsonObject, name: string): unknown {
  return (board['tiles'] as JsonObject[]).find((tile) => tile['name'] === name)?.['id']
}

const the = (deployment: MemoryDeployment, kind: RecordKind, name: string): JsonObject => {
  const found = [...deployment.records[kind].values()].find((jsonObject) => jsonObject['name'] === name)
  if (!found) throw new Error(`no ${kind} ${name}`)
  return found
}

function plan(from: MemoryDeployment, to: MemoryDeployment, more: Partial<PromotionInput> = {}): Promotion {
  const alert = the(from, 'alerts', 'Too many errors')
  return planPromotion({
    chosen: [{ kind: 'alerts', id: idOf(alert) }],
    from: from.inventory(),
    to: to.inventory(),
    mapping: new Map(),
    remembered: new Map(),
    links: new Map(),
    ...more,
  })
}

/** The knowledge that the console keeps after a run: the records of both sides, and what was written. */
async function carryOut(to: MemoryDeployment, promotion: Promotion): Promise<Map<string, Link>> {
  const outcomes = await runPlan(promotion.plan.steps, to.inventory(), to, control)
  const links = new Map<string, Link>()
  for (const step of promotion.plan.steps) {
    const outcome = outcomes.get(step.key)
    const origin = promotion.origins.get(step.key)
    const id = outcome?.state === 'done' ? outcome.id : step.id
    const base = step.nextBase ?? step.after
    if (origin && id && base) links.set(recordKey(origin.kind, origin.id), { id, base })
  }
  return links
}

test('an alert takes its dashboard along, and uses the sources and webhooks of the target', async () => {
  const [from, to] = [await staging(), await production()]
  const promotion = plan(from, to)
  expect(promotion.mapping.map(({ kind, from: label, by }) => [kind, label, by])).toEqual([
    ['sources', 'Logs', 'name'],
    ['webhooks', 'On call', 'name'],
  ])
  expect(promotion.needed).toEqual([{ kind: 'dashboards', id: idOf(the(from, 'dashboards', 'Shop')) }])
  expect(promotion.plan.steps.map(({ key, action }) => [key, action])).toEqual([
    ['dashboards/Shop', 'create'],
    ['alerts/Too many errors', 'create'],
  ])
  await carryOut(to, promotion)
  const alert = the(to, 'alerts', 'Too many errors')
  const board = the(to, 'dashboards', 'Shop')
  expect(alert).toMatchObject({ dashboardId: board['id'], tileId: tileIdOf(board, 'Errors') })
  expect(alert['channels']).toEqual([{ type: 'webhook', webhookId: the(to, 'webhooks', 'On call')['id'] }])
})

test('promoted again, nothing is written; after a change only that', async () => {
  const [from, to] = [await staging(), await production()]
  const links = await carryOut(to, plan(from, to))
  expect(plan(from, to, { links }).plan.counts).toEqual({ create: 0, update: 0, delete: 0, same: 2 })
  const alert = the(from, 'alerts', 'Too many errors')
  await from.update('alerts', idOf(alert), { ...alert, threshold: 9 })
  const again = plan(from, to, { links })
  expect(again.plan.steps.flatMap(({ changes }) => changes)).toEqual([{ path: ['threshold'], before: 5, after: 9 }])
  await carryOut(to, again)
  expect(to.records.alerts.size).toBe(1)
})

test('what the target changed stays; what both changed is a conflict', async () => {
  const [from, to] = [await staging(), await production()]
  const links = await carryOut(to, plan(from, to))
  const [mine, theirs] = [the(from, 'alerts', 'Too many errors'), the(to, 'alerts', 'Too many errors')]
  await from.update('alerts', idOf(mine), { ...mine, threshold: 9 })
  await to.update('alerts', idOf(theirs), { ...theirs, threshold: 7, interval: '1m' })
  const [, step] = plan(from, to, { links }).plan.steps
  expect(step).toMatchObject({ undecided: 1, kept: 1 })
  expect(step?.conflicts).toMatchObject([{ path: ['threshold'], base: 5, mine: 9, theirs: 7 }])
  const choices = new Map([['alerts/Too many errors', new Map([['["threshold"]', 'theirs' as const]])]])
  const decided = plan(from, to, { links, choices })
  expect(decided.plan).toMatchObject({ ready: true, counts: { same: 2 } })
})

test('what the target changed stays with every further promotion', async () => {
  const [from, to] = [await staging(), await production()]
  const links = await carryOut(to, plan(from, to))
  const [mine, theirs] = [the(from, 'alerts', 'Too many errors'), the(to, 'alerts', 'Too many errors')]
  await from.update('alerts', idOf(mine), { ...mine, threshold: 9 })
  await to.update('alerts', idOf(theirs), { ...theirs, interval: '1m' })
  const later = await carryOut(to, plan(from, to, { links }))
  expect(the(to, 'alerts', 'Too many errors')).toMatchObject({ threshold: 9, interval: '1m' })
  expect(plan(from, to, { links: later }).plan.counts).toMatchObject({ same: 2, update: 0 })
})

test('a field that the target does not keep is sent once', async () => {
  const [from, to] = [await staging(), await production()]
  const renotified = (threshold: number) => {
    const alert = the(from, 'alerts', 'Too many errors')
    return from.update('alerts', idOf(alert), { ...alert, threshold, renotifyIntervalMinutes: 30 })
  }
  // Open-source servers drop fields that they do not know.
  const dropped = async () => {
    const { renotifyIntervalMinutes: _, ...alert } = the(to, 'alerts', 'Too many errors')
    await to.update('alerts', idOf(alert), alert)
  }
  await renotified(5)
  const links = await carryOut(to, plan(from, to))
  await dropped()
  expect(plan(from, to, { links }).plan.counts).toMatchObject({ same: 2 })
  await renotified(9)
  const later = await carryOut(to, plan(from, to, { links }))
  await dropped()
  expect(plan(from, to, { links: later }).plan.counts).toMatchObject({ same: 2 })
})

test('after an undo, the promotion is offered again', async () => {
  const [from, to] = [await staging(), await production()]
  const links = await carryOut(to, plan(from, to))
  const [mine, theirs] = [the(from, 'alerts', 'Too many errors'), the(to, 'alerts', 'Too many errors')]
  await from.update('alerts', idOf(mine), { ...mine, threshold: 9 })
  await to.update('alerts', idOf(theirs), { ...theirs, interval: '1m' })
  const promotion = plan(from, to, { links })
  const outcomes = await runPlan(promotion.plan.steps, to.inventory(), to, control)
  const undo = planUndo(
    promotion.plan.steps.map((step) => ({ step, outcome: outcomes.get(step.key) })),
    to.inventory(),
  )
  const undone = await carryOut(to, { ...promotion, plan: undo })
  expect(the(to, 'alerts', 'Too many errors')).toMatchObject({ threshold: 5, interval: '1m' })
  const [, again] = plan(from, to, { links: new Map([...links, ...undone]) }).plan.steps
  expect(again).toMatchObject({ action: 'update', kept: 1, changes: [{ path: ['threshold'], before: 5, after: 9 }] })
})

test('a session source is created after its trace source, which refers to it in turn', async () => {
  const [from, to] = [new MemoryDeployment('s'), new MemoryDeployment('p')]
  const sessions = await create(from, 'sources', { name: 'Sessions', kind: 'session', from: table('sessions') })
  const links = { sessionSourceId: idOf(sessions) }
  const traces = await create(from, 'sources', { name: 'Traces', kind: 'trace', from: table('traces'), ...links })
  await from.update('sources', idOf(sessions), { ...sessions, traceSourceId: idOf(traces) })
  const sent: JsonObject[] = []
  const store = to.create.bind(to)
  to.create = (kind, body) => {
    sent.push(body)
    return store(kind, body)
  }
  const chosen = [sessions, traces].map((record) => ({ kind: 'sources' as const, id: idOf(record) }))
  const none = { mapping: new Map(), remembered: new Map(), links: new Map() }
  await carryOut(to, planPromotion({ chosen, from: from.inventory(), to: to.inventory(), ...none }))
  const [copy, sessionCopy] = [the(to, 'sources', 'Traces'), the(to, 'sources', 'Sessions')]
  expect(sent).toMatchObject([{ name: 'Traces' }, { name: 'Sessions', traceSourceId: idOf(copy) }])
  expect(copy).toMatchObject({ sessionSourceId: idOf(sessionCopy) })
})

test('a record that the target renamed is still the same record', async () => {
  const [from, to] = [await staging(), await production()]
  const links = await carryOut(to, plan(from, to))
  const board = the(to, 'dashboards', 'Shop')
  await to.update('dashboards', idOf(board), { ...board, name: 'Shop EU' })
  expect(plan(from, to, { links }).plan.counts).toEqual({ create: 0, update: 0, delete: 0, same: 2 })
})

test('a tile that was renamed keeps its alert, with its history', async () => {
  const [from, to] = [await staging(), await production()]
  const links = await carryOut(to, plan(from, to))
  const alert = the(to, 'alerts', 'Too many errors')
  const board = the(from, 'dashboards', 'Shop')
  const [errors, slow] = board['tiles'] as JsonObject[] // the tiles of `staging`
  await from.update('dashboards', idOf(board), { ...board, tiles: [{ ...errors, name: 'Failures' }, slow] })
  to.requests.length = 0
  const later = await carryOut(to, plan(from, to, { links }))
  expect(to.requests.filter((request) => !request.startsWith('read'))).toEqual(['update dashboards'])
  expect(the(to, 'alerts', 'Too many errors')).toEqual(alert)
  expect(tileIdOf(the(to, 'dashboards', 'Shop'), 'Failures')).toBe(alert['tileId'])
  expect(plan(from, to, { links: later }).plan.counts).toMatchObject({ same: 2 })
})

test('a source without a match is left to decide: another one, or a copy', async () => {
  const [from, to] = [await staging(), await production()]
  const logs = the(to, 'sources', 'Logs')
  await to.update('sources', idOf(logs), { ...logs, name: 'Events', from: table('events') })
  const undecided = plan(from, to)
  expect(undecided.plan.ready).toBe(false)
  expect(undecided.mapping[0]).toMatchObject({ from: 'Logs', choice: null, candidates: ['Events'], neededBy: ['Shop'] })
  const other = plan(from, to, { mapping: new Map([['sources/Logs', { to: 'Events' }]]) })
  expect(other.plan).toMatchObject({ ready: true, counts: { create: 2 } })
  const copy = plan(from, to, { mapping: new Map([['sources/Logs', { create: true }]]) })
  expect(copy.plan).toMatchObject({ ready: true, counts: { create: 3 } })
  await carryOut(to, copy)
  // The copy reads from the target's own data connection.
  expect(the(to, 'sources', 'Logs')['connection']).toBe('c1')
})

test('the table decides where the name differs', async () => {
  const [from, to] = [await staging(), await production()]
  const logs = the(to, 'sources', 'Logs')
  await to.update('sources', idOf(logs), { ...logs, name: 'Logs EU' })
  expect(plan(from, to).mapping[0]).toMatchObject({ choice: { to: 'Logs EU' }, by: 'table' })
})

test('a target without webhooks notifies by email', async () => {
  const [from, to] = [await staging(), await production()]
  const hook = the(to, 'webhooks', 'On call')
  await to.remove('webhooks', idOf(hook))
  const none = plan(from, to)
  expect(none.plan.steps[1]?.missing).toMatchObject([{ kind: 'webhooks', value: 'On call' }])
  const emails = plan(from, to, { mapping: new Map([['webhooks/On call', { emailRecipients: ['a@shop.example'] }]]) })
  await carryOut(to, emails)
  expect(the(to, 'alerts', 'Too many errors')['channels']).toEqual([
    { type: 'email', emailRecipients: ['a@shop.example'] },
  ])
})

test('a run that was interrupted anywhere, or lost any response, is completed without doubles', async () => {
  const cases = fc.record({
    changes: fc.array(randomChange, { minLength: 10, maxLength: 40 }),
    failures: fc.array(fc.nat(30), { maxLength: 3 }),
    lost: fc.array(fc.nat(30), { maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ changes, failures, lost }) => {
      const [from, to] = [new MemoryDeployment('a'), new MemoryDeployment('b')]
      for (const change of changes) await applyChange(from, change)
      const inventory = from.inventory()
      const all = (['sources', 'webhooks', 'savedSearches', 'dashboards', 'alerts'] as const).flatMap((kind) =>
        [...from.records[kind].keys()].map((id) => ({ kind, id })),
      )
      const promote = () =>
        planPromotion({
          chosen: all,
          from: inventory,
          to: to.inventory(),
          mapping: new Map(),
          remembered: new Map(),
          links: new Map(),
        })
      let count = 0
      to.onRequest = () => {
        if (failures.includes(count++)) throw new Error('killed')
      }
      to.onApplied = () => {
        if (lost.includes(count)) throw new Error('lost')
      }
      for (let attempt = 0; attempt < 8; attempt++) {
        const { plan: next } = promote()
        await runPlan(next.steps, to.inventory(), to, control)
      }
      const [before, after] = [directoryOf(inventory), directoryOf(to.inventory())]
      for (const { kind, id } of all) {
        const label = before.label(kind, id) ?? ''
        const copy = after.get(kind, after.id(kind, label) ?? '')
        expect(copy && comparableOf(kind, copy, after)).toMatchObject(
          comparableOf(kind, before.get(kind, id) ?? {}, before),
        )
        expect(to.records[kind].size).toBe(from.records[kind].size)
      }
    }),
    { numRuns: 200 },
  )
})
