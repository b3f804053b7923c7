/** Two people edit the same dashboard and save in every order, through a gateway to a real stack: nothing is lost silently. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboard as dashboardSchema, type Dashboard, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { baseRevisionHeader } from '#contract/wire/gatewayWire.ts'
import { apiError } from '#contract/wire/kernel.ts'
import { ApiFailure } from '#console/api/failure.ts'
import { guardedWrite, storedNow } from '#console/api/guardedWrite.ts'
import { noteRevision, revisionOf } from '#console/api/revisions.ts'
import { diff, orderStep, type FieldChange } from '#domain/json/diff.ts'
import { sameJson, valueAt, type Path } from '#domain/json/json.ts'
import { placeStep } from '#domain/json/merge.ts'
import { planSave, type SavePlan } from '#console/features/dashboards/save/plan.ts'
import { startGatewayWithStack, type GatewayWithStack } from '../server/testing/gatewayWithStack.ts'
import { planSaving, readBackOf, type DashboardAccess } from '#console/features/dashboards/save/planSaving.ts'

const interleavings = 100

type Side = 'mine' | 'theirs'

let gateway: GatewayWithStack
beforeAll(async () => {
  gateway = await startGatewayWithStack()
})
afterAll(() => gateway.close())

/** One of the two, and how far their save has come. */
interface Editor {
  base: Dashboard
  draft: Dashboard
  /** The dashboard that the plan on their screen was made from; null while they edit. */
  planned: Dashboard | null
}

/** The state that must be kept, from the last write on. */
interface Board {
  stored: Dashboard
}

interface Seen {
  writes: number
  merges: number
  conflicts: number
  /** Saves that found something else right before the write than the plan had shown. */
  again: number
}

interface Step {
  who: 0 | 1
  /** Set: they edit. Absent: their save takes its next step. */
  edit: Edit | undefined
  sides: Side[]
}

type Edit = (dashboard: Dashboard) => Dashboard

test('in any order of saves, each change is stored or was a resolved conflict', { timeout: 400_000 }, async () => {
  const seen: Seen = { writes: 0, merges: 0, conflicts: 0, again: 0 }
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 10 }), async (steps) => {
    const id = await create()
    const first = await read(id)
    const board: Board = { stored: first }
    const editors: [Editor, Editor] = [
      { base: first, draft: first, planned: null },
      { base: first, draft: first, planned: null },
    ]
    for (const step of [...steps, ...finish]) {
      const editor = editors[step.who]
      if (!step.edit) editors[step.who] = await advance(board, editor, step.sides, seen)
      // The dialog covers the page: while a plan is shown, there are no edits.
      else if (!editor.planned) editors[step.who] = { ...editor, draft: step.edit(editor.draft) }
    }
  })
  await fc.assert(property, { numRuns: interleavings, endOnFailure: true })
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(interleavings / 20)
})

/** Both save in the end, one step of each in turn: who is second has to plan again. */
const finish: Step[] = ([0, 1, 0, 1, 1] as const).map((who) => ({ who, edit: undefined, sides: ['mine'] }))

/** The next step of a save: read and plan; or write, unless something came in between, and read back. */
async function advance(board: Board, editor: Editor, sides: readonly Side[], seen: Seen): Promise<Editor> {
  const { base, draft, planned } = editor
  if (sameJson(base, draft)) return editor
  if (!planned) return { ...editor, planned: await read(base.id) }
  const plan = decided(editor, planned, sides)
  if (plan.changedByOthers) seen.merges++
  seen.conflicts += plan.conflicts.length
  for (const change of [...diff(base, draft), ...diff(base, planned)]) expectThereOrDecided(change, plan)
  const { body, target } = plan
  if (!body) return { base: planned, draft: planned, planned: null }
  const saving = planSaving(placeOf(base.id), planned, { body, target })
  let written: Dashboard
  try {
    written = await guardedWrite(saving)
  } catch (error) {
    const theirs = storedNow(error, saving.record)
    if (!theirs) throw error
    seen.again++
    return { ...editor, planned: theirs }
  }
  expect(planned, 'what was overwritten is what the plan had shown').toEqual(board.stored)
  const { altered, unread = false } = readBackOf(planned, target, written)
  expect({ altered, unread }).toEqual({ altered: [], unread: false })
  board.stored = written
  seen.writes++
  return { base: board.stored, draft: board.stored, planned: null }
}

const placeOf = (id: string): DashboardAccess => ({
  read: () => read(id),
  write: async (body, current) => {
    const answer = await gateway.call('PUT', `oss/stack/dashboards/${id}`, body, {
      [baseRevisionHeader]: revisionOf(current),
    })
    if (answer.status !== 200) throw new ApiFailure(apiError.parse(answer.body))
  },
})

/** The plan with every conflict resolved, as the dialog requires. */
function decided({ base, draft }: Editor, current: Dashboard, sides: readonly Side[]): SavePlan {
  const input = { base, draft, current, alerts: [], sources: [] }
  const { conflicts } = planSave({ ...input, choices: new Map() })
  const choices = new Map(conflicts.map(({ key }, index) => [key, sides[index % sides.length] ?? 'mine']))
  return planSave({ ...input, choices })
}

function expectThereOrDecided(change: FieldChange, plan: SavePlan): void {
  // A list's order follows from both sides' items: where they differ, the items are what counts.
  if (change.path.at(-1) === orderStep) return
  if (plan.conflicts.some(({ path }) => covers(path, change.path))) return
  // A group that one removed stays while the other's tiles are in it: the plan names it.
  if (change.path[0] === 'containers' && plan.restored.length > 0) return
  expect(sameJson(filled(valueAt(plan.target, change.path)), filled(change.after)), JSON.stringify(change)).toBe(true)
}

/** Deployments leave an empty list of groups out: it is the same as none. */
const filled = (value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value)

/** One path is a prefix of the other; a conflict over a position covers x, y, w and h. */
function covers(conflict: Path, field: Path): boolean {
  const isPlace = conflict.at(-1) === placeStep
  const whole = isPlace ? conflict.slice(0, -1) : conflict
  const length = Math.min(whole.length, field.length)
  const begins = sameJson(whole.slice(0, length), field.slice(0, length))
  return begins && (!isPlace || ['x', 'y', 'w', 'h'].includes(String(field.at(-1))))
}

async function read(id: string): Promise<Dashboard> {
  const { status, body } = await gateway.call('GET', `oss/stack/dashboards/${id}`)
  expect(status, JSON.stringify(body)).toBe(200)
  const dashboard = dashboardSchema.parse(body['result'])
  noteRevision(dashboard, String(body['revision']))
  return dashboard
}

async function create(): Promise<string> {
  const { log = '' } = gateway.stack.sourceIds
  const place = (x: number, y: number) => ({ x, y, w: 8, h: 5 })
  const series = { aggFn: 'count', where: '', whereLanguage: 'lucene' }
  const answer = await gateway.stack.openSource('POST', '/dashboards', {
    name: 'Shared',
    tags: ['ops'],
    tiles: [
      { name: 'Rate', ...place(0, 0), config: { displayType: 'line', sourceId: log, select: [series, series] } },
      { name: 'Total', ...place(8, 0), config: { displayType: 'number', sourceId: log, select: [series] } },
      { name: 'Notes', ...place(16, 0), config: { displayType: 'markdown', markdown: 'Read me' } },
      { name: 'Apart', ...place(0, 5), containerId: 'group', config: { displayType: 'markdown', markdown: '' } },
    ],
    containers: [{ id: 'group', title: 'Group', collapsed: false }],
    filters: [{ type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: log }],
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data.id
}

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta')

const onTile =
  (at: number, change: (tile: Tile) => Tile): Edit =>
  (dashboard) => ({
    ...dashboard,
    tiles: dashboard.tiles.map((tile, index) => (index === at % dashboard.tiles.length ? change(tile) : tile)),
  })

/** An edit of the groups, where there are any: an empty list instead of none is no change that could be lost. */
const withGroups =
  (edit: (dashboard: Dashboard, groups: NonNullable<Dashboard['containers']>) => Dashboard): Edit =>
  (dashboard) =>
    dashboard.containers?.length ? edit(dashboard, dashboard.containers) : dashboard

/** Edits that the stack's strict schemas take. */
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  // Often, because two who change the same field are in conflict.
  {
    weight: 6,
    arbitrary: word.map((name): Edit => (dashboard) => ({ ...dashboard, name })),
  },
  fc.uniqueArray(word, { maxLength: 2 }).map((tags): Edit => (dashboard) => ({ ...dashboard, tags })),
  word.map((savedQuery): Edit => (dashboard) => ({ ...dashboard, savedQuery, savedQueryLanguage: 'lucene' })),
  fc.tuple(fc.nat(5), word).map(([at, name]) => onTile(at, (tile) => ({ ...tile, name }))),
  fc.tuple(fc.nat(5), fc.nat(12), fc.nat(20)).map(([at, x, y]) => onTile(at, (tile) => ({ ...tile, x, y }))),
  fc.tuple(fc.nat(5), fc.integer({ min: 2, max: 12 })).map(([at, h]) => onTile(at, (tile) => ({ ...tile, h }))),
  fc.tuple(fc.nat(5), fc.nat(1), word).map(([at, series, where]) => onTile(at, withCondition(series, where))),
  fc.tuple(fc.nat(5), word).map(([at, markdown]) => onTile(at, (tile) => ({ ...tile, config: text(markdown) }))),
  fc.nat(5).map((at): Edit => (dashboard) => ({
    ...dashboard,
    tiles: dashboard.tiles.length > 1 ? dashboard.tiles.toSpliced(at % dashboard.tiles.length, 1) : dashboard.tiles,
  })),
  fc.tuple(fc.uuid(), word).map(([id, name]): Edit => (dashboard) => ({
    ...dashboard,
    tiles: [...dashboard.tiles, { id, name, x: 0, y: 30, w: 6, h: 4, config: text(name) }],
  })),
  word.map((title) =>
    withGroups((dashboard, groups) => ({
      ...dashboard,
      containers: groups.map((container) => ({ ...container, title })),
    })),
  ),
  fc.constant(
    withGroups((dashboard) => ({
      ...dashboard,
      tiles: dashboard.tiles.map(({ containerId: _containerId, ...tile }) => tile),
      containers: [],
    })),
  ),
  word.map((name): Edit => (dashboard) => ({
    ...dashboard,
    filters: dashboard.filters.map((filter) => ({ ...filter, name })),
  })),
  fc.constant<Edit>((dashboard) => ({ ...dashboard, tiles: dashboard.tiles.toReversed() })),
)

const text = (markdown: string) => ({ displayType: 'markdown', markdown })

const withCondition =
  (at: number, where: string) =>
  (tile: Tile): Tile => {
    const select = tile.config?.select
    if (!Array.isArray(select)) return tile
    const changed = select.map((item, index) => (index === at % select.length ? { ...item, where } : item))
    return { ...tile, config: { ...tile.config, select: changed } }
  }

const anyStep: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom<0 | 1>(0, 1),
  edit: fc.option(anyEdit, { nil: undefined, freq: 2 }),
  sides: fc.array(fc.constantFrom<Side>('mine', 'theirs'), { minLength: 1, maxLength: 3 }),
})
