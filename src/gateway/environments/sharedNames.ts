/** The names that linked records of a connection get in a comparison: those of their counterparts in the baseline. */
import { recordKey, type Directory } from '#domain/records/directory.ts'
import { mappingKey, type MappingChoice } from '#domain/records/mapping.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { deploymentKey, type LinkStore } from '../changes/runs/linkStore.ts'
import type { Match } from './matches.ts'

interface Pair {
  baseline: { target: UpstreamTarget; directory: Directory }
  other: { target: UpstreamTarget; directory: Directory }
}

interface Link {
  kind: RecordKind
  baselineId: string | undefined
  id: string
  /** If the baseline has no such record. */
  name?: string
}

/** Labels by `recordKey` of the other side. What people have matched comes before promotions, and those before mappings. */
export async function sharedNames(
  pair: Pair,
  matches: readonly Match[],
  store: LinkStore,
): Promise<Map<string, string>> {
  const { baseline, other } = pair
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const links = [
    ...linksByHand(pair, matches),
    ...(await linksOfPromotions(pair, store)),
    ...(await linksOfMappings(pair, store)),
  ]
  for (const { kind, baselineId, id, name } of links) {
    const label = (baselineId === undefined ? undefined : baseline.directory.label(kind, baselineId)) ?? name
    const key = recordKey(kind, id)
    if (label === undefined || names.has(key) || taken.has(`${kind}/${label}`) || !other.directory.get(kind, id))
      continue
    names.set(key, label)
    taken.add(`${kind}/${label}`)
  }
  return names
}

function linksByHand({ baseline, other }: Pair, matches: readonly Match[]): Link[] {
  return matches.flatMap(({ kind, name, records }) => {
    const of = (connectionId: string) => records.find((record) => record.connectionId === connectionId)?.id
    const id = of(other.target.connectionId)
    return id === undefined ? [] : [{ kind, id, name, baselineId: of(baseline.target.connectionId) }]
  })
}

async function linksOfPromotions({ baseline, other }: Pair, store: LinkStore): Promise<Link[]> {
  const [baselineKey, otherKey] = [deploymentKey(baseline.target), deploymentKey(other.target)]
  const forth = [...(await store.copies({ from: baselineKey, to: otherKey }))]
  const back = [...(await store.copies({ from: otherKey, to: baselineKey }))]
  return [
    ...forth.flatMap(([record, id]) => linkOf(record, (kind, baselineId) => ({ kind, baselineId, id }))),
    ...back.flatMap(([record, baselineId]) => linkOf(record, (kind, id) => ({ kind, baselineId, id }))),
  ]
}

function linkOf(key: string, link: (kind: RecordKind, id: string) => Link): Link[] {
  const [name, id] = key.split('/')
  const kind = recordKinds.find((recordKind) => recordKind === name)
  return kind === undefined || id === undefined ? [] : [link(kind, id)]
}

/** Sources and webhooks that take the place of others in promotions. */
async function linksOfMappings({ baseline, other }: Pair, store: LinkStore): Promise<Link[]> {
  const [baselineKey, otherKey] = [deploymentKey(baseline.target), deploymentKey(other.target)]
  const forth = await store.mappings({ from: baselineKey, to: otherKey })
  const back = await store.mappings({ from: otherKey, to: baselineKey })
  return (['sources', 'webhooks'] as const).flatMap((kind) => [
    ...replacements(kind, baseline.directory, other.directory, forth).map(([baselineId, id]) => ({
      kind,
      baselineId,
      id,
    })),
    ...replacements(kind, other.directory, baseline.directory, back).map(([id, baselineId]) => ({
      kind,
      baselineId,
      id,
    })),
  ])
}

/** IDs of records with the IDs of those that take their place. */
function replacements(
  kind: 'sources' | 'webhooks',
  from: Directory,
  to: Directory,
  choices: ReadonlyMap<string, MappingChoice>,
): (readonly [from: string, to: string])[] {
  return from.labels(kind).flatMap((label) => {
    const choice = choices.get(mappingKey(kind, label))
    const ids = [from.id(kind, label), choice && 'to' in choice ? to.id(kind, choice.to) : undefined] as const
    return ids[0] === undefined || ids[1] === undefined ? [] : [[ids[0], ids[1]] as const]
  })
}
