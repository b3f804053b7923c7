/** Two people edit and save the same dashboard in any order, on a deployment that replaces the stored one. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { lostOutcome } from '#console/api/useGuardedSave.ts'
import type { Side } from '#console/ui/form/conflict.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { anyDashboard, anyEdits, type Edit, touches } from '#domain/dashboards/testing/arbitraries.ts'
import { compareReadBack, type DashboardBody } from '../model/changes.ts'
import { diff, type FieldChange, orderStep } from '#domain/json/diff.ts'
import { sameJson, valueAt } from '#domain/json/json.ts'
import { planSave, type SavePlan } from './plan.ts'
import { planSaving } from './planSaving.ts'

interface Editor {
  base: Dashboard
  draft: Dashboard
}

/**
 * A deployment according to docs/DEPLOYMENTS.md#omitted-fields: no versions, omitted parts are kept, tiles are replaced as
 * a whole.
 */
function deploymentOf(start: Dashboard) {
  let stored = start
  let given = 0
  return {
    read: (): Dashboard => dashboardSchema.parse(parseJson(stringifyJson(stored))),
    write: (body: DashboardBody) => {
      const known = new Set(stored.tiles.map(({ id }) => id))
      const tiles = body.tiles.map((tile) => (known.has(tile.id) ? tile : { ...tile, id: `given-${given++}` }))
      stored = dashboardSchema.parse(parseJson(stringifyJson({ ...stored, ...body, tiles })))
    },
  }
}

/** The conclusion of a save with a lost response from what is stored. */
function outcomeOf(before: Dashboard, { body, target }: SavePlan, now: Dashboard) {
  const access = { read: () => Promise.resolve(now), write: () => Promise.resolve() }
  return lostOutcome(now, planSaving(access, before, { body: body!, target }))
}

const choicesOf = (plan: SavePlan, sides: readonly Side[]) =>
  new Map(plan.conflicts.map(({ key }, index) => [key, sides[index % sides.length] ?? 'mine']))

const anyStep = fc.record({
  who: fc.constantFrom(0, 1),
  edit: fc.option(anyEdits, { nil: undefined }),
  sides: fc.array(fc.constantFrom<Side>('mine', 'theirs'), { minLength: 1, maxLength: 3 }),
})

test('no change is lost silently: each is stored or was a resolved conflict', () => {
  fc.assert(
    fc.property(anyDashboard, fc.array(anyStep, { minLength: 2, maxLength: 10 }), (start, steps) => {
      const deployment = deploymentOf(start)
      const first = deployment.read()
      const editors: [Editor, Editor] = [
        { base: first, draft: first },
        { base: first, draft: first },
      ]
      for (const { who, edit, sides } of steps) {
        const editor = editors[who]!
        if (edit) editor.draft = (edit satisfies Edit)(editor.draft)
        else editors[who] = save(editor, deployment, sides)
      }
    }),
    { numRuns: 500 },
  )
})

function save({ base, draft }: Editor, deployment: ReturnType<typeof deploymentOf>, sides: readonly Side[]): Editor {
  const current = deployment.read()
  const input = { base, draft, current, alerts: [], sources: [] }
  const open = planSave({ ...input, choices: new Map() })
  const plan = planSave({ ...input, choices: choicesOf(open, sides) })
  expect(plan.undecided).toBe(0)
  for (const change of diff(base, draft)) expectThereOrDecided(change, plan)
  for (const change of diff(base, current)) expectThereOrDecided(change, plan)
  if (plan.body) deployment.write(plan.body)
  const after = deployment.read()
  expect(compareReadBack(current, plan.target, after).altered).toEqual([])
  if (plan.body) expect(outcomeOf(current, plan, after)).toBe('applied')
  return { base: after, draft: after }
}

function expectThereOrDecided(change: FieldChange, plan: SavePlan): void {
  if (change.path.at(-1) === orderStep) return
  if (plan.conflicts.some(({ path }) => touches(path, change.path))) return
  expect(sameJson(valueAt(plan.target, change.path), change.after), JSON.stringify(change)).toBe(true)
}

test('a lost response is resolved by what is stored', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, (before, edit) => {
      const deployment = deploymentOf(before)
      const current = deployment.read()
      const plan = planSave({
        base: current,
        draft: edit(current),
        current,
        choices: new Map(),
        alerts: [],
        sources: [],
      })
      fc.pre(plan.body !== null && compareReadBack(current, plan.target, current).altered.length > 0)
      expect(outcomeOf(current, plan, deployment.read())).toBe('notApplied')
      deployment.write(plan.body!)
      expect(outcomeOf(current, plan, deployment.read())).toBe('applied')
      expect(outcomeOf(current, plan, { ...deployment.read(), name: 'something else entirely' })).toBe('other')
    }),
  )
})
