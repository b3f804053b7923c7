/** Gives a deployment back what it had at a moment: all of its records, or some with what belongs to them. */
import { dependentsIn, type RecordId } from './closure.ts'
import { comparableOf } from './comparable.ts'
import { Directory, idOf, recordKey } from './directory.ts'
import { directoryOf, listedConnections, recordsOf, type Inventory } from './inventory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { planChangesStepwise, type Choices, type Plan, type WantedRecord } from './plan.ts'
import { referencesOf } from './references.ts'
import { finish, type Work } from '../work.ts'

export interface RestorationInput {
  /** The former records of the deployment. */
  moment: Inventory
  target: Inventory
  /** Only these records. Default: all. */
  chosen?: readonly RecordId[] | undefined
  choices?: Choices
}

/**
 * The plan. Records keep their ids where they still exist. Others are created, and their new ids are carried into what refers
 * to them, also where that did not change.
 */
export function planRestoration(input: RestorationInput): Plan {
  return finish(planRestorationStepwise(input))
}

/** Like `planRestoration`. */
export function* planRestorationStepwise({ moment, target: read, chosen, choices }: RestorationInput): Work<Plan> {
  const target = { ...read, dataConnections: listedConnections(read) ?? connectionsOf([moment, read]) }
  const past = directoryOf({ ...moment, dataConnections: target.dataConnections })
  const now = directoryOf(target)
  const records = chosen ? yield* withBelongings(chosen, past, now) : all(moment)
  const wanted: WantedRecord[] = []
  for (const { kind, id } of records) {
    const record = past.get(kind, id)
    if (!record) continue
    const name = past.label(kind, id) ?? ''
    wanted.push({ kind, id, name, document: comparableOf(kind, record, past), original: record })
    yield
  }
  const removals = chosen ?? all(target)
  return yield* planChangesStepwise({
    wanted: [...wanted, ...(yield* recordsToRelink(wanted, past, now, target))],
    target,
    removals: new Set(
      removals.filter(({ kind, id }) => !past.get(kind, id)).map(({ kind, id }) => recordKey(kind, id)),
    ),
    ...(choices && { choices }),
  })
}

function all(inventory: Inventory): RecordId[] {
  return recordKinds.flatMap((kind) => recordsOf(inventory, kind).map((record) => ({ kind, id: idOf(record) })))
}

/** Adds the alerts of dashboards and saved searches that are gone: they were deleted with them. */
function* withBelongings(chosen: readonly RecordId[], past: Directory, now: Directory): Work<RecordId[]> {
  const found = new Map(chosen.map((recordId) => [recordKey(recordId.kind, recordId.id), recordId]))
  const gone = chosen.filter(({ kind, id }) => !now.get(kind, id))
  if (gone.length === 0) return [...found.values()]
  const dependents = yield* dependentsIn(past)
  for (const { kind, id } of gone) {
    for (const other of dependents.get(recordKey(kind, id)) ?? []) {
      if (other.kind === 'alerts' && !now.get('alerts', other.id)) found.set(recordKey(other.kind, other.id), other)
    }
  }
  return [...found.values()]
}

/** Records that need no change of their own but must point to the new ID of a recreated record. */
function* recordsToRelink(
  wanted: readonly WantedRecord[],
  past: Directory,
  now: Directory,
  target: Inventory,
): Work<WantedRecord[]> {
  const created = wanted.filter(({ kind, id }) => id !== undefined && !now.get(kind, id))
  if (created.length === 0) return []
  const keys = new Set(wanted.map(({ kind, id }) => recordKey(kind, id ?? '')))
  // As if the records that are gone were still there.
  const before = new Directory(
    Object.fromEntries(
      recordKinds.map((kind) => [kind, [...recordsOf(target, kind), ...goneRecords(created, kind, past)]]),
    ),
    listedConnections(target),
    new Map(created.map(({ kind, id, name }) => [recordKey(kind, id ?? ''), name])),
  )
  const dependents = yield* dependentsIn(now)
  const affected = new Map(
    created
      .flatMap(({ kind, id }) => dependents.get(recordKey(kind, id ?? '')) ?? [])
      .map((recordId) => [recordKey(recordId.kind, recordId.id), recordId]),
  )
  const relinked: WantedRecord[] = []
  for (const [key, { kind, id }] of affected) {
    const record = now.get(kind, id)
    if (!record || keys.has(key)) continue
    const document = comparableOf(kind, record, before)
    relinked.push({ kind, id, name: now.label(kind, id) ?? '', document, original: record })
    yield
  }
  return relinked
}

function goneRecords(created: readonly WantedRecord[], kind: RecordKind, past: Directory) {
  return created
    .filter((wantedRecord) => wantedRecord.kind === kind)
    .flatMap(({ id }) => past.get(kind, id ?? '') ?? [])
}

/** The data connections that records of any of these inventories name. */
function connectionsOf(inventories: readonly Inventory[]) {
  const named = inventories.flatMap((inventory) =>
    (['sources', 'dashboards'] as const).flatMap((kind) =>
      recordsOf(inventory, kind).flatMap((record) =>
        referencesOf(kind, record, 'id').flatMap((reference) =>
          reference.kind === 'dataConnections' ? [reference.value] : [],
        ),
      ),
    ),
  )
  return [...new Set(named)].map((id) => ({ id, name: id }))
}
