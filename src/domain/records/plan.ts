/**
 * The plan: what to create, change and delete on a deployment so that it has the wanted records. Computed before anything is sent:
 * people and files see the plan, and a run carries it out.
 */
import type { FieldChange } from '../json/diff.ts'
import type { JsonObject } from '../json/json.ts'
import { merge, type Conflict, type Side } from '../json/merge.ts'
import { finish, type Work } from '../work.ts'
import { comparableOf, differences } from './comparable.ts'
import { idOf, itemsOf, recordKey, type Directory } from './directory.ts'
import { directoryOf, isUnread, recordsOf, type Inventory } from './inventory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { referencesOf, type Reference } from './references.ts'
import { refusalsOf } from './refusals.ts'

export interface WantedRecord {
  kind: RecordKind
  /** Its label on the target. */
  name: string
  /** Comparable, with the names of the target's records. */
  document: JsonObject
  /** The target's record, where it is known. Otherwise the name decides. */
  id?: string | undefined
  /** An earlier version of the target's record as it was returned: its tiles keep their ids. */
  original?: JsonObject | undefined
  /** The common record of both sides when they were last the same: changes of the target since then are kept. */
  base?: JsonObject | undefined
}

export interface PlanInput {
  wanted: readonly WantedRecord[]
  target: Inventory
  /** Records to delete, as `recordKey`, unless a wanted record takes their place. */
  removals?: ReadonlySet<string>
  /** Chosen sides of conflicts, by the key of their step. */
  choices?: Choices
}

/** The side whose value each conflict keeps, by the key of the step and that of the conflict. */
export type Choices = ReadonlyMap<string, ReadonlyMap<string, Side>>

/** @param sides as JSON has them */
export function choicesOf(sides: Readonly<Record<string, Readonly<Record<string, Side>>>>): Choices {
  return new Map(Object.entries(sides).map(([step, fields]) => [step, new Map(Object.entries(fields))]))
}

type StepAction = 'create' | 'update' | 'delete' | 'same'

export interface PlanStep {
  /** Names the step within its plan. */
  key: string
  kind: RecordKind
  name: string
  action: StepAction
  /** The target's record; null for one to be created. */
  id: string | null
  /** The target's record, comparable; null for nothing. */
  before: JsonObject | null
  /** The record after the step; null for nothing. */
  after: JsonObject | null
  original?: JsonObject | undefined
  /** The base of the target's changes. */
  base?: JsonObject | undefined
  /** The base after the step; absent where it is `after`. A field that the target changed stays its own change. */
  nextBase?: JsonObject | undefined
  changes: FieldChange[]
  /** Fields that both sides changed since they were the same. */
  conflicts: Conflict[]
  /** The number of conflicts without a chosen side. */
  undecided: number
  /** Fields that the target changed since, which stay. */
  kept: number
  /** References to records that neither the target nor the plan has. */
  missing: Reference[]
  /** Why the step cannot be carried out: the target has no records of this kind, or they could not be read. */
  blocked?: string | undefined
  /** Why the deployment will refuse it, one sentence each, as far as its version has the rules of this stack. */
  refusals: string[]
  requests: number
  /**
   * Only in a step that creates a record and has begun: the IDs of the records that had the same content before its request.
   * After a kill, another record with that content is the one that the step created.
   */
  alike?: readonly string[] | undefined
}

export interface Plan {
  steps: PlanStep[]
  counts: Record<StepAction, number>
  requests: number
  /** Whether nothing is left to decide. */
  ready: boolean
}

/** The requests of a step: an update and a deletion read the record first. */
const requestsOf: Record<StepAction, number> = { create: 1, update: 2, delete: 2, same: 0 }

/** The plan, dependencies first; deletions last, in the opposite order. */
export function planChanges(input: PlanInput): Plan {
  return finish(planChangesStepwise(input))
}

export function* planChangesStepwise({
  wanted,
  target,
  removals = new Set(),
  choices = new Map(),
}: PlanInput): Work<Plan> {
  const matched = matchedIds(wanted, target)
  // Both sides of a comparison use the names that records will have.
  const directory = directoryOf(
    target,
    new Map([...matched].map(([{ kind, name }, id]) => [recordKey(kind, id), name])),
  )
  const steps: PlanStep[] = []
  for (const record of recordKinds.flatMap((kind) =>
    inOrder(wanted.filter((wantedRecord) => wantedRecord.kind === kind)),
  )) {
    const step = writeStep(record, matched.get(record), directory, choices)
    const records = target.records[record.kind]
    steps.push(isUnread(records) ? { ...step, blocked: records.reason } : step)
    yield
  }
  const taken = new Set(steps.flatMap(({ kind, id }) => (id === null ? [] : [recordKey(kind, id)])))
  for (const kind of recordKinds.toReversed()) {
    for (const record of recordsOf(target, kind)) {
      const key = recordKey(kind, idOf(record))
      if (!removals.has(key) || taken.has(key)) continue
      steps.push(deletion(kind, record, directory))
      yield
    }
  }
  const planned = new Map(
    steps.flatMap((step) => (step.after ? [[`${step.kind}/${step.name}`, step.after] as const] : [])),
  )
  const complete: PlanStep[] = []
  for (const step of steps) {
    complete.push({
      ...step,
      missing: missingOf(step, planned, directory),
      refusals: refusalsOf(step, directory),
    })
    yield
  }
  return summarised(complete)
}

/**
 * Session sources come last: they are refused without their trace source (docs/DEPLOYMENTS.md#sources). Other records get their references to
 * later ones of their kind after those.
 */
function inOrder(wanted: readonly WantedRecord[]): WantedRecord[] {
  const needsOthers = ({ kind, document }: WantedRecord) => kind === 'sources' && document['kind'] === 'session'
  return [...wanted.filter((wantedRecord) => !needsOthers(wantedRecord)), ...wanted.filter(needsOthers)]
}

/**
 * The target's record for each wanted one: by id first, so that a renamed record keeps its place; then by name, where
 * the names that the former will have are taken.
 */
function matchedIds(wanted: readonly WantedRecord[], target: Inventory): Map<WantedRecord, string> {
  const found = new Map<WantedRecord, string>()
  const taken = new Set<string>()
  const take = (record: WantedRecord, id: string | undefined) => {
    if (id === undefined || found.has(record) || taken.has(recordKey(record.kind, id))) return
    found.set(record, id)
    taken.add(recordKey(record.kind, id))
  }
  const stored = directoryOf(target)
  for (const record of wanted) take(record, record.id && stored.get(record.kind, record.id) ? record.id : undefined)
  const names = new Map([...found].map(([{ kind, name }, id]) => [recordKey(kind, id), name]))
  const named = directoryOf(target, names)
  for (const record of wanted) take(record, named.id(record.kind, record.name))
  return found
}

function writeStep(
  { kind, name, document, base, original }: WantedRecord,
  id: string | undefined,
  directory: Directory,
  choices: Choices,
): PlanStep {
  const key = `${kind}/${name}`
  const stored = id === undefined ? undefined : directory.get(kind, id)
  const plain = { key, kind, name, conflicts: [], undecided: 0, kept: 0, missing: [], refusals: [], original, base }
  if (id === undefined || !stored) {
    const changes = differences({}, document)
    return { ...plain, action: 'create', id: null, before: null, after: document, changes, requests: requestsOf.create }
  }
  const before = comparableOf(kind, stored, directory)
  const merged = base ? mergedInto(kind, document, base, before, choices.get(key)) : { ...plain, after: document }
  const changes = differences(before, merged.after)
  const action = changes.length === 0 ? 'same' : 'update'
  return { ...plain, ...merged, action, id, before, changes, requests: requestsOf[action] }
}

/** Fields that some deployments derive where a record has none. */
const derivedFields: Partial<Record<RecordKind, readonly string[]>> = { alerts: ['displayName', 'tags'] }

function mergedInto(
  kind: RecordKind,
  mine: JsonObject,
  base: JsonObject,
  theirs: JsonObject,
  chosen?: ReadonlyMap<string, Side>,
) {
  const conflicts: Conflict[] = []
  const merged = merge({ base, mine, theirs }, (conflict) => {
    conflicts.push(conflict)
    return chosen?.get(conflict.key) ?? 'mine'
  }) as JsonObject // three objects merge into an object
  const derived = (derivedFields[kind] ?? []).filter((field) => mine[field] === undefined && base[field] === undefined)
  const own = differences(mine, merged)
  return {
    after: merged,
    conflicts,
    undecided: conflicts.filter(({ key }) => !chosen?.has(key)).length,
    kept: own.filter(({ path: [field] }) => !derived.includes(String(field))).length,
    ...(own.length > 0 && { nextBase: mine }),
  }
}

function deletion(kind: RecordKind, record: JsonObject, directory: Directory): PlanStep {
  const name = directory.label(kind, idOf(record)) ?? ''
  return {
    key: `${kind}/${name} (deleted)`,
    kind,
    name,
    action: 'delete',
    id: idOf(record),
    before: comparableOf(kind, record, directory),
    after: null,
    changes: [],
    conflicts: [],
    undecided: 0,
    kept: 0,
    missing: [],
    refusals: [],
    requests: requestsOf.delete,
  }
}

function missingOf({ kind, action, after }: PlanStep, planned: PlannedRecords, directory: Directory): Reference[] {
  if (after === null || action === 'same') return []
  return referencesOf(kind, after, 'name').filter(
    (reference) => directory.idOf(reference) === null && !isPlanned(reference, planned),
  )
}

/** The records that the plan writes, by kind and name. */
type PlannedRecords = ReadonlyMap<string, JsonObject>

/** Whether the plan itself gives the target the record or tile that is referred to. */
function isPlanned({ kind, value, dashboard }: Reference, planned: PlannedRecords): boolean {
  if (kind !== 'tiles') return planned.has(`${kind}/${value}`)
  return itemsOf(planned.get(`dashboards/${dashboard}`), 'tiles').some(({ id }) => id === value)
}

function summarised(steps: PlanStep[]): Plan {
  const counts = { create: 0, update: 0, delete: 0, same: 0 }
  for (const { action } of steps) counts[action] += 1
  return {
    steps,
    counts,
    requests: steps.reduce((sum, { requests }) => sum + requests, 0),
    ready: steps.every(
      ({ action, undecided, missing, blocked }) =>
        action === 'same' || (undecided === 0 && missing.length === 0 && blocked === undefined),
    ),
  }
}
