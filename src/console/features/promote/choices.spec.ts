import { expect, test } from 'vitest'
import type { TargetPlan } from '#contract/console/runs.ts'
import { leftToDecide, noChoices, withDecisions, withMapping } from './choices.ts'

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
