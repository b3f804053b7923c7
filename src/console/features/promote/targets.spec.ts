import { expect, test } from 'vitest'
import type { Connection } from '#contract/console/connections.ts'
import { otherConnections, targetsOf, leftToDecide, noChoices, withDecisions, withMapping } from './targets.ts'
import type { TargetPlan } from '#contract/console/runs.ts'

function connection(id: string, baseUrl: string, variant: Connection['variant'] = 'openSource'): Connection {
  const times = { createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' }
  return {
    id,
    name: id,
    variant,
    baseUrl,
    naming: 'neutral',
    stage: 'local',
    readOnly: false,
    allowPrivate: true,
    ...times,
  }
}

const local = connection('local', 'http://127.0.0.1:8000')
const managed = { ...connection('managed', 'http://127.0.0.1:8000', 'managed'), organizationId: 'o', serviceId: 's' }
const staging = connection('staging', 'http://127.0.0.1:8000/sample-staging')
const remote = connection('remote', 'https://example.com')

test('connections to the same deployment are no targets: a copy would change the very records', () => {
  expect(otherConnections([local, managed, staging], local)).toEqual({ targets: [staging], same: [managed] })
  expect(otherConnections([local, managed, staging], staging)).toEqual({ targets: [local, managed], same: [] })
})

test('the only target is chosen by itself; of several none is', () => {
  expect(targetsOf(undefined, [staging])).toEqual(['staging'])
  expect(targetsOf(undefined, [staging, remote])).toEqual([])
})

test('a choice holds, also of none, without what is no target', () => {
  expect(targetsOf(['managed', 'deleted', 'staging'], [staging, remote])).toEqual(['staging'])
  expect(targetsOf(['none'], [staging])).toEqual([])
})

const plan: TargetPlan = {
  connectionId: 'eu',
  mapping: [],
  steps: [],
  counts: { create: 0, update: 0, delete: 0, same: 0 },
  requests: 0,
  seconds: 0,
  ready: false,
  digest: '',
}

test('a choice for one target leaves the others as they are', () => {
  const one = withMapping({ us: noChoices }, 'eu', 'sources/Logs', { to: 'Logs EU' })
  const sides = { 'alerts/Slow': { '["threshold"]': 'theirs' as const } }
  const two = withDecisions(one, 'eu', { sides, entered: {} })
  expect(two).toEqual({
    us: noChoices,
    eu: { mapping: { 'sources/Logs': { to: 'Logs EU' } }, sides, entered: {} },
  })
})

test('what is left to decide is named with its target', () => {
  const entry = { kind: 'sources', from: 'Metrics', choice: null, by: null, candidates: [], neededBy: [] } as const
  expect(leftToDecide({ ...plan, mapping: [{ ...entry, candidates: [], neededBy: [] }] }, 'EU')).toEqual([
    'Metrics on EU',
  ])
  expect(leftToDecide({ ...plan, problem: 'Down' }, 'EU')).toEqual(['EU could not be read'])
})
