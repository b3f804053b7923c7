/** The IP access list: edits as the additions and removals that the API takes. */
import ipaddr from 'ipaddr.js'
import type { Service, ServiceUpdate } from '#contract/services.ts'

export interface AccessEntry {
  source: string
  description: string
}

export function accessEntries(list: Service['ipAccessList']): AccessEntry[] {
  return (list ?? []).map(({ source, description }) => ({ source, description: description ?? '' }))
}

/** The edits relative to the list that the form started from. Entries are identified by their source. */
export function accessEdits(base: readonly AccessEntry[], edited: readonly AccessEntry[]) {
  const before = new Map(base.map((entry) => [entry.source, entry.description]))
  const after = new Set(edited.map(({ source }) => source))
  return {
    removed: base.filter(({ source }) => !after.has(source)),
    upserted: edited.filter(({ source, description }) => before.get(source) !== description),
  }
}

/**
 * The request that applies the edits to the latest list; changes by others are kept. A changed description is sent as
 * removal and addition, the order in which deployments apply them. Undefined if nothing changes.
 */
export function accessChange(
  base: readonly AccessEntry[],
  edited: readonly AccessEntry[],
  latest: readonly AccessEntry[],
): ServiceUpdate['ipAccessList'] {
  const { removed, upserted } = accessEdits(base, edited)
  const now = new Map(latest.map((entry) => [entry.source, entry.description]))
  const add = upserted.filter(({ source, description }) => now.get(source) !== description)
  const remove = [...removed.filter(({ source }) => now.has(source)), ...add.filter(({ source }) => now.has(source))]
  if (add.length === 0 && remove.length === 0) return undefined
  return {
    ...(remove.length > 0 && { remove: remove.map(({ source }) => ({ source })) }),
    ...(add.length > 0 && { add }),
  }
}

/** The latest list with the edits applied, in the order of the list. */
export function mergeAccessLists(
  base: readonly AccessEntry[],
  edited: readonly AccessEntry[],
  latest: readonly AccessEntry[],
): AccessEntry[] {
  const { removed, upserted } = accessEdits(base, edited)
  const removedSources = new Set(removed.map(({ source }) => source))
  const editsBySource = new Map(upserted.map((entry) => [entry.source, entry]))
  const latestSources = new Set(latest.map(({ source }) => source))
  return [
    ...latest
      .filter(({ source }) => !removedSources.has(source))
      .map((entry) => editsBySource.get(entry.source) ?? entry),
    ...upserted.filter(({ source }) => !latestSources.has(source)),
  ]
}

/** Whether a source covers every address. */
export function isAnywhere(source: string): boolean {
  return /\/0+$/.test(source.trim())
}

/** Whether a source covers an address. False for invalid texts. */
export function contains(source: string, address: string): boolean {
  try {
    const one = ipaddr.process(address.trim())
    const [range, bits] = source.includes('/') ? ipaddr.parseCIDR(source.trim()) : wholeAddress(source.trim())
    return one.kind() === range.kind() && one.match(range, bits)
  } catch {
    return false
  }
}

function wholeAddress(source: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(source)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Warnings about an edited list. `ownAddress` is the user's address as the deployment sees it, '' if unknown. */
export function accessWarnings(
  base: readonly AccessEntry[],
  edited: readonly AccessEntry[],
  ownAddress: string,
): string[] {
  const { removed, upserted } = accessEdits(base, edited)
  const open = upserted.filter(({ source }) => isAnywhere(source)).map(({ source }) => source)
  const covered = (list: readonly AccessEntry[]) => list.some(({ source }) => contains(source, ownAddress))
  const warnings = open.map((source) => `${source} allows access from any IP address.`)
  if (edited.length === 0 && base.length > 0)
    warnings.push('Without entries, nobody can access the service, including you.')
  else if (ownAddress !== '' && covered(base) && !covered(edited)) {
    warnings.push(`Your IP address ${ownAddress} would lose access.`)
  } else if (ownAddress === '' && removed.length > 0) {
    warnings.push(
      'You lock yourself out if your IP address matches only removed entries. Enter your IP address below the list to check.',
    )
  }
  return warnings
}
