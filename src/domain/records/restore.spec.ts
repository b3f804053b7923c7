/** A deployment restored to a moment has what it had then, whatever changed since. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { comparableOf } from './comparable.ts'
import { idOf, recordKey } from './directory.ts'
import { directoryOf, recordsOf, type Inventory } from './inventory.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { planChanges, type PlanInput, type PlanStep } from './plan.ts'
import { planRestoration } from './restoration.ts'
import { runPlan, type RunControl } from './run.ts'
import { MemoryDeployment } from './testing/memoryDeployment.ts'
import { applyChange, randomChange, type RandomChange } from './testing/randomChanges.ts'

const control: RunControl = { begin: () => {}, settle: () => {}, isStopped: () => false, continueOnFailure: false }

/** The records of an inventory, comparable and in a fixed order. @param labels of records that got a new id */
function contentOf(inventory: Inventory, labels?: ReadonlyMap<string, string>): unknown {
  const directory = directoryOf(inventory, labels)
  return recordKinds.map((kind) =>
    recordsOf(inventory, kind)
      .map((record) => JSON.stringify(sortedKeys(comparableOf(kind, record, directory))))
      .toSorted(),
  )
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortedKeys(item)]),
  )
}

function planTo(moment: Inventory, target: Inventory): PlanInput {
  const directory = directoryOf(moment)
  const wanted = recordKinds.flatMap((kind) =>
    recordsOf(moment, kind).map((record) => ({
      kind,
      id: idOf(record),
      name: directory.label(kind, idOf(record)) ?? '',
      document: comparableOf(kind, record, directory),
      original: record,
    })),
  )
  const removals = new Set(
    recordKinds.flatMap((kind) => recordsOf(target, kind).map((record) => recordKey(kind, idOf(record)))),
  )
  return { wanted, target, removals }
}

/** One of two alerts of the same name and content is deleted, and another like it is created. */
const oneOfTwoReplaced: [RandomChange[], RandomChange[]] = [
  [
    { kind: 'sources', action: 'create', pick: 0, name: 0, tiles: [] },
    { kind: 'dashboards', action: 'create', pick: 0, name: 0, tiles: [0] },
    { kind: 'alerts', action: 'create', pick: 0, name: 4, tiles: [] },
    { kind: 'alerts', action: 'create', pick: 0, name: 4, tiles: [] },
  ],
  [
    { kind: 'alerts', action: 'delete', pick: 0, name: 0, tiles: [] },
    { kind: 'alerts', action: 'create', pick: 0, name: 4, tiles: [] },
  ],
]

test('300 random histories are restored exactly', async () => {
  const changes = fc.tuple(fc.array(randomChange, { maxLength: 40 }), fc.array(randomChange, { maxLength: 40 }))
  await fc.assert(
    fc.asyncProperty(changes, async ([before, after]) => {
      const deployment = new MemoryDeployment('r')
      for (const change of before) await applyChange(deployment, change)
      const moment = deployment.inventory()
      for (const change of after) await applyChange(deployment, change)
      const target = deployment.inventory()
      const plan = planChanges(planTo(moment, target))
      const outcomes = await runPlan(plan.steps, target, deployment, control)
      expect([...outcomes.values()].filter(({ state }) => state !== 'done')).toEqual([])
      const labels = plan.steps.flatMap(({ key, kind, name, id }) => {
        const outcome = outcomes.get(key)
        return [[recordKey(kind, (outcome?.state === 'done' ? outcome.id : id) ?? ''), name] as const]
      })
      expect(contentOf(deployment.inventory(), new Map(labels))).toEqual(contentOf(moment))
    }),
    { numRuns: 300, examples: [[oneOfTwoReplaced]] },
  )
})

test('a record keeps its reference to a later one that is created again', async () => {
  const deployment = new MemoryDeployment('d')
  const create = async (name: string) => asId(await deployment.create('sources', { name, kind: 'log' }))
  const [first, later] = [await create('First'), await create('Later')]
  await deployment.update('sources', first, { name: 'First', kind: 'log', traceSourceId: later })
  const moment = deployment.inventory()
  await deployment.remove('sources', later)
  for (const response of ['received', 'lost']) {
    const target = deployment.inventory()
    const { steps } = planRestoration({ moment, target })
    expect(steps.map(({ action, name }) => `${action} ${name}`)).toEqual(['update First', 'create Later'])
    deployment.onApplied = (request) => {
      if (request !== 'update sources' || response === 'received') return
      deployment.onApplied = () => {}
      throw new Error('lost')
    }
    await runPlan(steps, target, deployment, control)
    expect(planRestoration({ moment, target: deployment.inventory() }).counts).toMatchObject({ same: 2, update: 0 })
    const created = [...deployment.records.sources.values()].find(({ name }) => name === 'Later')
    await deployment.remove('sources', asId(created))
  }
})

test('a step names the fields that the deployment did not keep', async () => {
  const deployment = new MemoryDeployment('d')
  const webhook = { name: 'On call', service: 'generic', url: 'https://a.example/1', description: 'Night shift' }
  const id = asId(await deployment.create('webhooks', webhook))
  const moment = deployment.inventory()
  const drop = (record: unknown) => ({ ...Object(record), description: undefined })
  const { create, update } = deployment
  deployment.create = async (kind, body) => drop(await create.call(deployment, kind, body))
  deployment.update = async (kind, updated, body) => drop(await update.call(deployment, kind, updated, body))
  const restored = async () => {
    const target = deployment.inventory()
    const outcomes = await runPlan(planRestoration({ moment, target }).steps, target, deployment, control)
    return outcomes.get('webhooks/On call')
  }
  await update.call(deployment, 'webhooks', id, { ...webhook, url: 'https://b.example/' })
  expect(await restored()).toMatchObject({ state: 'done', notKept: ['description'] })
  await deployment.remove('webhooks', id)
  expect(await restored()).toMatchObject({ state: 'done', notKept: ['description'] })
})

const asId = (record: unknown) => idOf(record as JsonObject) // what the deployment has

describe('a run that was killed after a record was created, before that was stored', () => {
  class Killed extends Error {}

  /** Carries out steps as a process does that is killed after a creation, and then as one that resumes it. */
  async function throughKill(deployment: MemoryDeployment, planned: readonly PlanStep[], killedAt: number) {
    const stored = new Map(planned.map((step) => [step.key, step]))
    const begin = (step: PlanStep) => void stored.set(step.key, step)
    let settled = 0
    const settle: RunControl['settle'] = ({ key }, outcome) => {
      settled += 1
      if (settled === killedAt) throw new Killed()
      const step = stored.get(key)
      if (step && outcome.state === 'done') stored.set(key, { ...step, action: 'same', id: outcome.id })
    }
    const run = () => runPlan([...stored.values()], deployment.inventory(), deployment, { ...control, begin, settle })
    await expect(run()).rejects.toBeInstanceOf(Killed)
    return run()
  }

  test.each([1, 2, 3])('does not create it again, whatever it was called: the %i.', async (killedAt) => {
    const deployment = new MemoryDeployment('d')
    const board = async (tags: string[]) =>
      asId(await deployment.create('dashboards', { name: 'Board', tags, tiles: [] }))
    // The first one is not restored: its name is free.
    const ids = [await board([]), await board([]), await board([]), await board(['b'])]
    const moment = deployment.inventory()
    for (const id of ids) await deployment.remove('dashboards', id)
    const chosen = ids.slice(1).map((id) => ({ kind: 'dashboards' as const, id }))
    const { steps } = planRestoration({ moment, target: deployment.inventory(), chosen })
    expect(steps.map(({ name, action }) => `${action} ${name}`)).toEqual([2, 3, 4].map((at) => `create Board [${at}]`))
    const outcomes = await throughKill(deployment, steps, killedAt)
    expect([...outcomes.values()].filter(({ state }) => state !== 'done')).toEqual([])
    expect([...deployment.records.dashboards.values()].map(({ tags }) => tags)).toEqual([[], [], ['b']])
  })
})
