/**
 * Compares the records of one deployment with those of another, the baseline. Records are matched by name, or by a link. What
 * could not be read is unknown, never the same.
 */
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import type { Work } from '../work.ts'
import type { FieldChange } from '../json/diff.ts'
import { comparableOf, differences } from './comparable.ts'
import { idOf, type Directory } from './directory.ts'
import { directoryOf, isUnread, type Inventory } from './inventory.ts'
import { recordKinds, type RecordKind, type ReferenceKind } from '#contract/stack/recordKinds.ts'
import { formatResourceName } from '#contract/wire/naming.ts'
import { formatFieldPath } from './fieldPath.ts'
import { referencesOf, rewriteReferences, type Reference } from './references.ts'

/** `onlyHere`: the baseline does not have it. `missing`: only the baseline has it. */
type ComparisonState = 'same' | 'differs' | 'missing' | 'onlyHere' | 'unknown' | 'notOffered'

export interface ComparedRecord {
  kind: RecordKind
  /** The label that both sides share. */
  name: string
  state: ComparisonState
  /** The record here. */
  id?: string
  baselineId?: string
  /** The number of fields that differ. */
  fields?: number
  /** The first of those fields, as people read them. */
  changed?: string[]
  /** Why it is unknown, or which fields could not be compared. */
  reason?: string
}

/** Fields of a record that are named in a comparison. */
const maxChanged = 50

/** Shortens a text so that two texts have the same digest exactly if they are the same. */
export type Digest = (text: string) => string

interface Entry {
  id: string
  record: JsonObject
}

/** The records of one deployment, prepared for any number of comparisons. */
export class ComparedSide {
  readonly directory: Directory
  readonly #digests = new Map<string, string>()
  readonly #byLabel = new Map<RecordKind, Map<string, Entry>>()
  readonly inventory: Inventory
  readonly #digest: Digest

  /** @param labels labels by `recordKey`, of records that are linked to one of another name */
  constructor(inventory: Inventory, digest: Digest, labels?: ReadonlyMap<string, string>) {
    this.inventory = inventory
    this.#digest = digest
    this.directory = directoryOf(inventory, labels)
  }

  entries(kind: RecordKind): ReadonlyMap<string, Entry> {
    const known = this.#byLabel.get(kind)
    if (known) return known
    const entries = new Map(
      this.directory.all(kind).flatMap((record) => {
        const label = this.directory.label(kind, idOf(record))
        const isNamed = kind !== 'alerts' || this.watchedIsKnown() || typeof record['name'] === 'string'
        return label === undefined || !isNamed ? [] : [[label, { id: idOf(record), record }] as const]
      }),
    )
    this.#byLabel.set(kind, entries)
    return entries
  }

  /** Alerts without a name are called after what they watch. */
  watchedIsKnown(): boolean {
    return this.failure('dashboards') === undefined && this.failure('savedSearches') === undefined
  }

  /** Why the records of a kind could not be read; undefined if they were, or if there are none of this kind. */
  failure(kind: RecordKind): string | undefined {
    const records = this.inventory.records[kind]
    return isUnread(records) && records.state === 'failed' ? records.reason : undefined
  }

  isOffered(kind: RecordKind): boolean {
    const records = this.inventory.records[kind]
    return !isUnread(records) || records.state === 'failed'
  }

  /** @param without kinds of records whose references are left out */
  comparable(kind: RecordKind, record: JsonObject, leftOut: readonly ReferenceKind[] = []): JsonObject {
    const known = leftOut.length === 0 ? record : withoutReferences(kind, record, leftOut)
    return comparableOf(kind, known, this.directory)
  }

  digestOf(kind: RecordKind, { id, record }: Entry): string {
    const key = `${kind}/${id}`
    const known = this.#digests.get(key)
    if (known !== undefined) return known
    const digest = this.#digest(comparableText(this.comparable(kind, record)))
    this.#digests.set(key, digest)
    return digest
  }
}

/**
 * One row for each record that either side has. Yields between records, so that a server can do something else in between.
 * @returns the rows, by kind in the order of kinds, then by name
 */
export function* compareSides(baseline: ComparedSide, side: ComparedSide): Work<ComparedRecord[]> {
  const rows: ComparedRecord[] = []
  for (const kind of recordKinds) {
    const [before, after] = [baseline.entries(kind), side.entries(kind)]
    const names = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => a.localeCompare(b))
    for (const name of names) {
      const [from, to] = [before.get(name), after.get(name)]
      rows.push({
        kind,
        name,
        ...(to && { id: to.id }),
        ...(from && { baselineId: from.id }),
        ...compareEntries(kind, { side: baseline, entry: from }, { side, entry: to }),
      })
      yield
    }
  }
  return rows
}

interface Holder {
  side: ComparedSide
  entry: Entry | undefined
}

type Outcome = Pick<ComparedRecord, 'state' | 'fields' | 'changed' | 'reason'>

function compareEntries(kind: RecordKind, from: Holder, to: Holder): Outcome {
  if (!to.entry) return absent(kind, to.side, from.entry) ?? { state: 'missing' }
  if (!from.entry) {
    const outcome = absent(kind, from.side, to.entry)
    return outcome?.state === 'unknown' ? outcome : { state: 'onlyHere' }
  }
  const { uncompared, leftOut } = unreadReferences(kind, from, to)
  if (leftOut.length === 0 && from.side.digestOf(kind, from.entry) === to.side.digestOf(kind, to.entry)) {
    return { state: 'same' }
  }
  const changes = changesBetween(kind, from, to, leftOut)
  const reason = uncompared.length > 0 ? uncomparedReason(uncompared) : undefined
  if (changes.length === 0) return reason === undefined ? { state: 'same' } : { state: 'unknown', reason }
  return {
    state: 'differs',
    fields: changes.length,
    changed: changes.slice(0, maxChanged).map(({ path }) => formatFieldPath(path)),
    ...(reason !== undefined && { reason }),
  }
}

/** Why a side without the record may have it all the same; null if it does not have it. */
function absent(kind: RecordKind, side: ComparedSide, other: Entry | undefined): Outcome | null {
  const reason = side.failure(kind)
  if (reason !== undefined) return { state: 'unknown', reason }
  if (!side.isOffered(kind)) return { state: 'notOffered' }
  const unnamed = kind === 'alerts' && !other?.record['name'] && !side.watchedIsKnown()
  return unnamed
    ? { state: 'unknown', reason: 'Alerts without a name are matched by what they watch, which could not be read.' }
    : null
}

function unreadKinds(...sides: ComparedSide[]): ReferenceKind[] {
  const unread = recordKinds.filter((kind) => sides.some((side) => isUnread(side.inventory.records[kind])))
  const unsure = sides.some(({ inventory: { dataConnections } }) => dataConnections && isUnread(dataConnections))
  return unsure ? [...unread, 'dataConnections'] : unread
}

function uncomparedReason(kinds: readonly ReferenceKind[]): string {
  const names = kinds.map((kind) => formatResourceName(kind)).join(' and ')
  return `Which ${names} it uses is not compared: one of the connections does not list them.`
}

/**
 * Kinds that two records refer to and that one side could not read. Their references are compared without names: `uncompared` are
 * those with other ids. The same ids are the same records: two connections to one deployment, or to a copy of its records.
 */
function unreadReferences(
  kind: RecordKind,
  from: Holder,
  to: Holder,
): { uncompared: ReferenceKind[]; leftOut: ReferenceKind[] } {
  const unread = unreadKinds(from.side, to.side)
  if (unread.length === 0) return { uncompared: [], leftOut: [] }
  const [before, after] = [from, to].map(({ entry }) => (entry ? referencesOf(kind, entry.record, 'id') : []))
  const idsOf = (references: readonly Reference[] = [], other: ReferenceKind) =>
    references.filter(refersTo(other)).map(({ path, value }) => `${JSON.stringify(path)} ${value}`)
  const pairs = unread
    .map((other) => ({ other, ids: [idsOf(before, other), idsOf(after, other)] as const }))
    .filter(({ ids: [idsBefore, idsAfter] }) => idsBefore.length + idsAfter.length > 0)
  return {
    leftOut: pairs.map(({ other }) => other),
    uncompared: pairs
      .filter(({ ids: [idsBefore, idsAfter] }) => idsBefore.join() !== idsAfter.join())
      .map(({ other }) => other),
  }
}

const refersTo = (other: ReferenceKind) => (reference: Pick<Reference, 'kind'>) =>
  reference.kind === other || (reference.kind === 'tiles' && other === 'dashboards')

function withoutReferences(kind: RecordKind, record: JsonObject, leftOut: readonly ReferenceKind[]): JsonObject {
  return rewriteReferences(kind, record, { from: 'id', to: 'id' }, (reference) => {
    return leftOut.some((referenceKind) => refersTo(referenceKind)(reference)) ? undefined : null
  })
}

function changesBetween(
  kind: RecordKind,
  from: Holder,
  to: Holder,
  leftOut: readonly ReferenceKind[],
): readonly FieldChange[] {
  if (!from.entry || !to.entry) return []
  return differences(
    from.side.comparable(kind, from.entry.record, leftOut),
    to.side.comparable(kind, to.entry.record, leftOut),
  )
}

export interface FieldComparison {
  changes: readonly FieldChange[]
  /** The number of fields that both have, with the same value. */
  same: number
  /** Fields that are not compared: what a deployment sets by itself, and ids. */
  notCounted: string[]
  /** Why some fields could not be compared. */
  reason?: string
}

/** Field by field, what differs between a record of the baseline and its counterpart; undefined if one has none. */
export function compareFields(
  baseline: ComparedSide,
  side: ComparedSide,
  kind: RecordKind,
  name: string,
): FieldComparison | undefined {
  const [from, to] = [baseline.entries(kind).get(name), side.entries(kind).get(name)]
  if (!from || !to) return undefined
  const holders = [
    { side: baseline, entry: from },
    { side, entry: to },
  ] as const
  const { uncompared, leftOut } = unreadReferences(kind, ...holders)
  const changes = changesBetween(kind, ...holders, leftOut)
  const changed = new Set(changes.map(({ path }) => String(path[0])))
  const comparable = baseline.comparable(kind, from.record, leftOut)
  const counted = new Set([...Object.keys(comparable), ...Object.keys(side.comparable(kind, to.record, leftOut))])
  const own = [...new Set([...Object.keys(from.record), ...Object.keys(to.record)])]
  return {
    changes,
    same: Object.entries(comparable).filter(([key, value]) => !changed.has(key) && !isNothing(value)).length,
    notCounted: own.filter((key) => !counted.has(key)),
    ...(uncompared.length > 0 && { reason: uncomparedReason(uncompared) }),
  }
}

/**
 * JSON text that is the same only for records without differences: without empty fields, keys in order. Records whose texts
 * differ may still be the same, such as with another spelling of a number.
 */
function comparableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(comparableText).join()}]`
  if (!isPlainObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value)
    .filter((key) => !isNothing(value[key]))
    .toSorted()
  return `{${fields.map((key) => `${JSON.stringify(key)}:${comparableText(value[key])}`).join()}}`
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isPlainObject(value) && Object.values(value).every(isNothing)
}
