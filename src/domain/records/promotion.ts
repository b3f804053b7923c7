/** Copies records of one deployment to another: what that needs there, and the plan. */
import type { JsonObject } from '../json/json.ts'
import { finish, type Work } from '../work.ts'
import { closureOf, type RecordId } from './closure.ts'
import { comparableOf } from './comparable.ts'
import { recordKey } from './directory.ts'
import { directoryOf, isUnread, type Inventory } from './inventory.ts'
import { isCreated, mapper, mappingFor, mappingKey, type MappingChoice, type MappingEntry } from './mapping.ts'
import { planChangesStepwise, type Choices, type Plan, type WantedRecord } from './plan.ts'

/** The knowledge of an earlier promotion, or of a person, about a record on both sides. */
export interface Link {
  /** The target's record. */
  id: string
  /** The record written by the last promotion, in the target's names: changes since then are the target's own. */
  base?: JsonObject | undefined
}

export interface PromotionInput {
  chosen: readonly RecordId[]
  from: Inventory
  to: Inventory
  /** By `mappingKey`. */
  mapping: ReadonlyMap<string, MappingChoice>
  remembered: ReadonlyMap<string, MappingChoice>
  /** By `recordKey` of the side that is copied from. */
  links: ReadonlyMap<string, Link>
  choices?: Choices
}

export interface Promotion {
  /** Records that are copied because chosen ones refer to them. */
  needed: RecordId[]
  mapping: MappingEntry[]
  plan: Plan
  /** The record of each step, by the key of the step. */
  origins: ReadonlyMap<string, RecordId>
}

/** @throws nothing: what cannot be copied is in the plan, with the reason */
export function planPromotion(input: PromotionInput): Promotion {
  return finish(planPromotionStepwise(input))
}

/** Like `planPromotion`. */
export function* planPromotionStepwise({
  chosen,
  from,
  to,
  mapping,
  remembered,
  links,
  choices,
}: PromotionInput): Work<Promotion> {
  const source = directoryOf(from)
  const target = directoryOf(to)
  const isChosen = new Set(chosen.map(({ kind, id }) => recordKey(kind, id)))
  const closure = closureOf(chosen, source)
  const documentOf = ({ kind, id }: RecordId) => ({
    kind,
    id,
    name: source.label(kind, id) ?? '',
    document: comparableOf(kind, source.get(kind, id) ?? {}, source),
  })
  const isCopied = ({ kind, id }: RecordId) =>
    isChosen.has(recordKey(kind, id)) || (kind !== 'sources' && kind !== 'webhooks')
  const copied: ReturnType<typeof documentOf>[] = []
  for (const recordId of closure.filter(isCopied)) {
    copied.push(documentOf(recordId))
    yield
  }
  const own = new Set(copied.map(({ kind, name }) => `${kind}/${name}`))
  function* entriesFor(documents: typeof copied): Work<MappingEntry[]> {
    const entries = yield* mappingFor({ documents, from: source, to: target, chosen: mapping, remembered })
    // A record that is copied itself needs no other choice.
    return entries.map((entry) =>
      own.has(mappingKey(entry.kind, entry.from)) ? { ...entry, choice: { create: true }, by: 'chosen' } : entry,
    )
  }
  const first = yield* entriesFor(copied)
  const created = closure
    .filter((recordId) => !isCopied(recordId))
    .map(documentOf)
    .filter(({ kind, name }) => first.some((entry) => isCreated(entry) && entry.kind === kind && entry.from === name))
  const all = [...copied, ...created]
  // A source that is created may need others in turn.
  const entries = created.length > 0 ? yield* entriesFor(all) : first
  const labelled = all.map((record) => {
    const link = links.get(recordKey(record.kind, record.id))
    return { ...record, link, label: (link && target.label(record.kind, link.id)) ?? record.name }
  })
  // A record that the target calls otherwise is referred to by that name.
  const labels = new Map(labelled.map(({ kind, name, label }) => [`${kind}/${name}`, label]))
  const wanted: WantedRecord[] = []
  const rename = mapper(entries, labels)
  for (const { kind, label, document, link } of labelled) {
    wanted.push({ kind, name: label, document: rename(kind, document), id: link?.id, base: link?.base })
    yield
  }
  const plan = yield* planChangesStepwise({ wanted, target: to, ...(choices && { choices }) })
  return {
    needed: copied.filter(({ kind, id }) => !isChosen.has(recordKey(kind, id))).map(({ kind, id }) => ({ kind, id })),
    mapping: entries,
    plan: { ...plan, ready: plan.ready && !all.some(({ kind }) => isUnread(to.records[kind])) },
    origins: new Map(
      wanted.flatMap(({ kind, name }, index) => {
        const origin = all[index]
        return origin ? [[`${kind}/${name}`, { kind: origin.kind, id: origin.id }] as const] : []
      }),
    ),
  }
}
