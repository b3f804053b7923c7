/**
 * Which record of another deployment takes the place of one that is referred to. Sources, webhooks and data connections are
 * not copied with a promotion, unless somebody chooses so.
 */
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import type { Work } from '../work.ts'
import type { Directory } from './directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { referencesOf, rewriteReferences } from './references.ts'

const mappedKinds = ['sources', 'webhooks', 'dataConnections'] as const
export type MappedKind = (typeof mappedKinds)[number]

/** A choice that a person made, or that an earlier promotion left. */
export type MappingChoice =
  /** A record of the target. */
  | { to: string }
  /** A copy is created on the target. */
  | { create: true }
  /** Instead of a webhook, for targets that have none. */
  | { emailRecipients: string[] }

export interface MappingEntry {
  kind: MappedKind
  /** The label on the side that is copied from. */
  from: string
  choice: MappingChoice | null
  /** How it was found: null if it is left to decide. */
  by: 'chosen' | 'remembered' | 'name' | 'table' | 'only' | null
  /** Labels on the target that it could be. */
  candidates: string[]
  /** The records that need it. */
  neededBy: string[]
}

interface MappingInput {
  documents: readonly { kind: RecordKind; name: string; document: JsonObject }[]
  from: Directory
  to: Directory
  chosen: ReadonlyMap<string, MappingChoice>
  remembered: ReadonlyMap<string, MappingChoice>
}

/** The key of an entry in choices. */
export function mappingKey(kind: MappedKind, label: string): string {
  return `${kind}/${label}`
}

/** An entry for each source, webhook and data connection that the documents refer to. */
export function* mappingFor({ documents, from, to, chosen, remembered }: MappingInput): Work<MappingEntry[]> {
  const needed = new Map<string, { kind: MappedKind; label: string; by: Set<string> }>()
  for (const { kind, name, document } of documents) {
    for (const reference of referencesOf(kind, document, 'name')) {
      if (!isMapped(reference.kind)) continue
      const key = mappingKey(reference.kind, reference.value)
      const entry = needed.get(key) ?? { kind: reference.kind, label: reference.value, by: new Set() }
      entry.by.add(name)
      needed.set(key, entry)
    }
    yield
  }
  return [...needed].map(([key, { kind, label, by }]) => {
    const candidates = candidatesOf(kind, label, from, to)
    const selected = valid(chosen.get(key), kind, to)
    const kept = valid(remembered.get(key), kind, to)
    const guess = suggestedChoice(kind, label, from, to)
    const found = selected
      ? { choice: selected, by: 'chosen' as const }
      : kept
        ? { choice: kept, by: 'remembered' as const }
        : (guess ?? { choice: null, by: null })
    return { kind, from: label, ...found, candidates, neededBy: [...by] }
  })
}

/**
 * Gives documents the target's names. Entries without a choice keep their name, which the plan reports as missing.
 * @param labels of records that are copied too, as `kind/name`
 */
export function mapper(
  entries: readonly MappingEntry[],
  labels: ReadonlyMap<string, string>,
): (kind: RecordKind, document: JsonObject) => JsonObject {
  const choices = new Map(entries.map((entry) => [mappingKey(entry.kind, entry.from), entry.choice]))
  return (kind, document) => {
    const named = rewriteReferences(kind, document, { from: 'name', to: 'name' }, (reference) => {
      if (reference.kind === 'tiles') return null
      const choice = isMapped(reference.kind) ? choices.get(mappingKey(reference.kind, reference.value)) : undefined
      if (!choice || 'create' in choice) return labels.get(`${reference.kind}/${reference.value}`) ?? null
      return 'to' in choice ? choice.to : null
    })
    return kind === 'alerts' ? withEmails(named, choices) : named
  }
}

function withEmails(alert: JsonObject, choices: ReadonlyMap<string, MappingChoice | null>): JsonObject {
  const channels = alert['channels']
  if (!Array.isArray(channels)) return alert
  return {
    ...alert,
    channels: channels.map((channel: unknown) => {
      const webhook = isPlainObject(channel) ? channel['webhook'] : undefined
      const choice = typeof webhook === 'string' ? choices.get(mappingKey('webhooks', webhook)) : undefined
      return choice && 'emailRecipients' in choice
        ? { type: 'email', emailRecipients: [...choice.emailRecipients] }
        : channel
    }),
  }
}

function isMapped(kind: string): kind is MappedKind {
  return (mappedKinds as readonly string[]).includes(kind)
}

/** A choice that the target still has. */
function valid(choice: MappingChoice | undefined, kind: MappedKind, to: Directory): MappingChoice | undefined {
  return choice && 'to' in choice && to.id(kind, choice.to) === undefined ? undefined : choice
}

function suggestedChoice(kind: MappedKind, label: string, from: Directory, to: Directory) {
  const choose = (target: string, by: 'name' | 'table' | 'only') => ({ choice: { to: target }, by })
  const labels = to.labels(kind)
  if (kind === 'dataConnections') {
    const [only, ...others] = labels
    if (only !== undefined && others.length === 0) return choose(only, 'only')
    return labels.includes(label) ? choose(label, 'name') : null
  }
  const own = recordAt(kind, label, from)
  const same = recordAt(kind, label, to)
  if (same && (!own || hasSameKind(kind, own, same))) return choose(label, 'name')
  if (kind !== 'sources' || !own) return null
  const [table, ...more] = labels.filter((candidate) => hasSameTable(own, recordAt(kind, candidate, to)))
  return table !== undefined && more.length === 0 ? choose(table, 'table') : null
}

/** Records of the same kind of data or service, which could take its place; the same table first. */
function candidatesOf(kind: MappedKind, label: string, from: Directory, to: Directory): string[] {
  const labels = to.labels(kind)
  if (kind === 'dataConnections') return labels
  const own = recordAt(kind, label, from)
  if (!own || kind === 'webhooks') return labels
  const alikes = labels.filter((candidate) => hasSameKind(kind, own, recordAt(kind, candidate, to)))
  return alikes.toSorted(
    (a, b) => Number(hasSameTable(own, recordAt(kind, b, to))) - Number(hasSameTable(own, recordAt(kind, a, to))),
  )
}

function recordAt(kind: 'sources' | 'webhooks', label: string, directory: Directory): JsonObject | undefined {
  const id = directory.id(kind, label)
  return id === undefined ? undefined : directory.get(kind, id)
}

/** Sources of the same kind of data, webhooks of the same service. */
function hasSameKind(kind: 'sources' | 'webhooks', a: JsonObject, b: JsonObject | undefined): boolean {
  const field = kind === 'sources' ? 'kind' : 'service'
  return b !== undefined && a[field] === b[field]
}

function hasSameTable(a: JsonObject, b: JsonObject | undefined): boolean {
  const [one, other] = [a['from'], b?.['from']]
  if (!b || a['kind'] !== b['kind'] || !isPlainObject(one) || !isPlainObject(other)) return false
  return one['databaseName'] === other['databaseName'] && one['tableName'] === other['tableName']
}

/** Source and webhook records that an entry wants to be created. */
export function isCreated(entry: MappingEntry): boolean {
  return entry.choice !== null && 'create' in entry.choice
}
