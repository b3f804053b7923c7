/** Comparing two deployments: what counts as a difference, and what is only unknown. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { finish } from '../work.ts'
import { comparableOf, differences } from './comparable.ts'
import { compareFields, ComparedSide, compareSides, type ComparedRecord } from './compare.ts'
import { recordKey } from './directory.ts'
import { formatFieldPath } from './fieldPath.ts'
import type { Inventory, Unread } from './inventory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { MemoryDeployment } from './testing/memoryDeployment.ts'
import { applyChange, randomChange } from './testing/randomChanges.ts'

const plain = (text: string) => text

function sideOf(
  records: Partial<Record<RecordKind, JsonObject[] | Unread>>,
  given?: Map<string, string>,
  dataConnections?: Inventory['dataConnections'],
) {
  const empty = Object.fromEntries(recordKinds.map((kind) => [kind, []]))
  // Every kind is there.
  const all = { ...empty, ...records } as Inventory['records']
  return new ComparedSide({ records: all, dataConnections }, plain, given)
}

function compare(baseline: ComparedSide, side: ComparedSide): ComparedRecord[] {
  return finish(compareSides(baseline, side))
}

const logs = (id: string, name = 'Logs') => ({ id, name, kind: 'log', connection: 'c1' })
const board = (id: string, sourceId: string, where = 'level:error') => ({
  id,
  name: 'Shop',
  updatedAt: id,
  tiles: [{ id: `${id}-t`, name: 'Errors', x: 0, y: 0, w: 6, h: 3, config: { displayType: 'line', sourceId, where } }],
})
const failed: Unread = { state: 'failed', reason: 'The key may not read sources.' }

test('ids, times and empty fields do not count', () => {
  const here = sideOf({ sources: [logs('s1')], dashboards: [{ ...board('d1', 's1'), tags: [] }] })
  const there = sideOf({ sources: [logs('s9')], dashboards: [{ ...board('d9', 's9'), note: null }] })
  expect(compare(here, there).map(({ name, state }) => [name, state])).toEqual([
    ['Logs', 'same'],
    ['Shop', 'same'],
  ])
})

test('names the fields that differ by their tile, and counts what is the same and what is not compared', () => {
  const here = sideOf({ sources: [logs('s1')], dashboards: [board('d1', 's1')] })
  const there = sideOf({ sources: [logs('s9')], dashboards: [board('d9', 's9', 'level:warn')] })
  expect(compare(here, there)).toContainEqual({
    kind: 'dashboards',
    name: 'Shop',
    baselineId: 'd1',
    id: 'd9',
    state: 'differs',
    fields: 1,
    changed: ['Errors › where'],
  })
  expect(compareFields(here, there, 'dashboards', 'Shop')).toMatchObject({
    changes: [{ before: 'level:error', after: 'level:warn' }],
    same: 1,
    notCounted: ['id', 'updatedAt'],
  })
})

test('another order, and items of other lists, are named too', () => {
  expect(formatFieldPath(['tiles', { id: 'Errors' }, 'config', 'select', 1, 'where'])).toBe('Errors › select 2 › where')
  expect(formatFieldPath(['tiles', '(order)'])).toBe('tiles › order')
  expect(formatFieldPath(['tiles', { id: 'Errors' }, 'config'])).toBe('Errors › config')
})

test('a record of one side is missing, or only here', () => {
  const one = sideOf({ sources: [logs('s1')] })
  expect(compare(one, sideOf({}))).toMatchObject([{ name: 'Logs', state: 'missing', baselineId: 's1' }])
  expect(compare(sideOf({}), one)).toMatchObject([{ name: 'Logs', state: 'onlyHere', id: 's1' }])
})

test('what could not be read is unknown on either side, with its reason', () => {
  const one = sideOf({ sources: [logs('s1')] })
  const unread = sideOf({ sources: failed })
  for (const rows of [compare(one, unread), compare(unread, one)]) {
    expect(rows).toMatchObject([{ name: 'Logs', state: 'unknown', reason: failed.reason }])
  }
})

test('what a deployment does not offer is neither missing nor unknown', () => {
  const hook = { id: 'w', name: 'On call', service: 'generic' }
  const without = sideOf({ webhooks: { state: 'notOffered', reason: 'Managed deployments have no webhooks.' } })
  expect(compare(sideOf({ webhooks: [hook] }), without)).toMatchObject([{ state: 'notOffered' }])
  expect(compare(without, sideOf({ webhooks: [hook] }))).toMatchObject([{ state: 'onlyHere' }])
})

test('a record whose sources could not be read is never the same, but what else differs is counted', () => {
  const known = sideOf({ sources: [logs('s1')], dashboards: [board('d1', 's1')] })
  const [, alike] = compare(known, sideOf({ sources: failed, dashboards: [board('d9', 's9')] }))
  expect(alike).toMatchObject({ name: 'Shop', state: 'unknown', reason: expect.stringContaining('sources') })
  const [, other] = compare(known, sideOf({ sources: failed, dashboards: [board('d9', 's9', 'level:warn')] }))
  expect(other).toMatchObject({ state: 'differs', fields: 1, changed: ['Errors › where'] })
})

test('data connections are compared by name, except a single one, and are unknown where they could not be read', () => {
  const sideWith = (dataConnections: Inventory['dataConnections'], connection = 'c1') =>
    sideOf({ sources: [{ ...logs(connection), connection }] }, undefined, dataConnections)
  const only = sideWith([{ id: 'c1', name: 'Local ClickHouse' }])
  const two = (prefix: string) =>
    ['Logs', 'Metrics'].map((name, index) => ({ id: `${prefix}${index + 1}`, name: `${name} cluster` }))
  expect(compare(only, sideWith([{ id: 'x9', name: 'Engine' }], 'x9'))).toMatchObject([{ state: 'same' }])
  expect(compare(sideWith(two('c')), sideWith(two('x'), 'x1'))).toMatchObject([{ state: 'same' }])
  expect(compare(sideWith(two('c')), sideWith(two('x'), 'x2'))).toMatchObject([
    { state: 'differs', changed: ['connection'] },
  ])
  expect(compare(sideWith(two('c')), sideWith(failed, 'x1'))).toMatchObject([
    { state: 'unknown', reason: expect.stringContaining('data connections') },
  ])
})

test('webhooks of an alert are unknown where the deployment does not list them, and an email is a difference', () => {
  const alert = { name: 'Errors', source: 'saved_search', threshold: 1 }
  const hooked = { ...alert, channels: [{ type: 'webhook', webhookId: 'w' }] }
  const known = sideOf({ webhooks: [{ id: 'w', name: 'On call' }], alerts: [{ ...hooked, id: 'a' }] })
  const webhooks: Unread = { state: 'notOffered', reason: 'Managed deployments have no webhooks.' }
  const stateOf = (other: JsonObject) =>
    compare(known, sideOf({ webhooks, alerts: [other] })).find(({ kind }) => kind === 'alerts')?.state
  expect(stateOf({ ...hooked, id: 'b', channels: [{ type: 'webhook', webhookId: 'v' }] })).toBe('unknown')
  expect(stateOf({ ...alert, id: 'b', channels: [{ type: 'email', emailRecipients: ['a@b.example'] }] })).toBe(
    'differs',
  )
})

test('references to the same id are the same, also where the deployment does not list what they refer to', () => {
  const alert = { id: 'a', name: 'Errors', source: 'saved_search', threshold: 1 }
  const hooked = { ...alert, channels: [{ type: 'webhook', webhookId: 'w' }] }
  const openSource = sideOf({ webhooks: [{ id: 'w', name: 'On call' }], alerts: [hooked] })
  const managed = (other: JsonObject) =>
    sideOf({ webhooks: { state: 'notOffered', reason: 'Managed deployments have no webhooks.' }, alerts: [other] })
  const alerts = (side: ComparedSide, other: ComparedSide) =>
    compare(side, other).filter(({ kind }) => kind === 'alerts')
  expect(alerts(openSource, managed(hooked))).toMatchObject([{ state: 'same' }])
  expect(compareFields(openSource, managed(hooked), 'alerts', 'Errors')).not.toHaveProperty('reason')
  const changed = alerts(openSource, managed({ ...hooked, threshold: 5 }))
  expect(changed).toMatchObject([{ state: 'differs', changed: ['threshold'] }])
  expect(changed[0]).not.toHaveProperty('reason')
})

test('an alert without a name is unknown where the dashboards could not be read', () => {
  const alert = { id: 'a', source: 'tile', dashboardId: 'd1', tileId: 'd1-t', threshold: 1 }
  const known = sideOf({ sources: [logs('s1')], dashboards: [board('d1', 's1')], alerts: [alert] })
  const blind = sideOf({ sources: [logs('s1')], dashboards: failed, alerts: [{ ...alert, id: 'b' }] })
  expect(compare(known, blind).find(({ kind }) => kind === 'alerts')).toMatchObject({
    name: 'Shop / Errors',
    state: 'unknown',
  })
})

test('a linked record of another name is compared with its counterpart, and so is what refers to it', () => {
  const here = sideOf({ sources: [logs('s1')], dashboards: [board('d1', 's1')] })
  const records = { sources: [logs('s9', 'Logs US')], dashboards: [board('d9', 's9')] }
  expect(compare(here, sideOf(records)).map(({ state }) => state)).toEqual(['missing', 'onlyHere', 'differs'])
  const linked = sideOf(records, new Map([[recordKey('sources', 's9'), 'Logs']]))
  expect(compare(here, linked)).toMatchObject([
    { kind: 'sources', state: 'differs', changed: ['name'] },
    { kind: 'dashboards', state: 'same' },
  ])
})

test('says same exactly where no field differs, whatever the two deployments are', async () => {
  const changes = fc.array(randomChange, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(changes, changes, changes, async (common, mine, theirs) => {
      const [one, other] = [new MemoryDeployment('a'), new MemoryDeployment('b')]
      for (const change of [...common, ...mine]) await applyChange(one, change)
      for (const change of [...common, ...theirs]) await applyChange(other, change)
      const [left, right] = [one, other].map((each) => new ComparedSide(each.inventory(), plain))
      if (!left || !right) return
      const forth = compare(left, right)
      const back = compare(right, left)
      for (const row of forth) {
        const [before, after] = [left, right].map((side) => side.entries(row.kind).get(row.name))
        if (!before || !after) continue
        const fields = differences(
          comparableOf(row.kind, before.record, left.directory),
          comparableOf(row.kind, after.record, right.directory),
        ).length
        expect(row).toMatchObject(fields === 0 ? { state: 'same' } : { state: 'differs', fields })
      }
      const mirrored = { missing: 'onlyHere', onlyHere: 'missing' } as Record<string, string>
      expect(back.map(({ name, kind, state }) => [kind, name, mirrored[state] ?? state])).toEqual(
        forth.map(({ name, kind, state }) => [kind, name, state]),
      )
      // Each record of either side is in exactly one row.
      for (const kind of recordKinds) {
        const ids = forth.filter((row) => row.kind === kind).flatMap(({ id }) => id ?? [])
        expect(ids.toSorted()).toEqual([...other.records[kind].keys()].toSorted())
      }
    }),
    { numRuns: 200 },
  )
})
