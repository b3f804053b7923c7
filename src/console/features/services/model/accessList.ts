/** The access list as one table: what a person made of it, as the removals and additions that the API takes. */
import ipaddr from 'ipaddr.js'
import type { Service, ServiceUpdate } from '#contract/services.ts'

export interface AccessEntry {
  source: string
  description: string
}

export function accessEntries(list: Service['ipAccessList']): AccessEntry[] {
  return (list ?? []).map(({ source, description }) => ({ source, description: description ?? '' }))
}

/** What a person did to the list that the form started from. Entries are known by their source. */
export function accessEdits(base: readonly AccessEntry[], wanted: readonly AccessEntry[]) {
  const before = new Map(base.map((entry) => [entry.source, entry.description]))
  const after = new Set(wanted.map(({ source }) => source))
  return {
    gone: base.filter(({ source }) => !after.has(source)),
    put: wanted.filter(({ source, description }) => before.get(source) !== description),
  }
}

/**
 * The change that does these edits to the list as it is now: what others did meanwhile stays. An entry is described anew by
 * taking it away and adding it, which is the order in which deployments work. Undefined where nothing is left to do.
 */
export function accessChange(
  base: readonly AccessEntry[],
  wanted: readonly AccessEntry[],
  fresh: readonly AccessEntry[],
): ServiceUpdate['ipAccessList'] {
  const { gone, put } = accessEdits(base, wanted)
  const now = new Map(fresh.map((entry) => [entry.source, entry.description]))
  const add = put.filter(({ source, description }) => now.get(source) !== description)
  const remove = [...gone.filter(({ source }) => now.has(source)), ...add.filter(({ source }) => now.has(source))]
  if (add.length === 0 && remove.length === 0) return undefined
  return {
    ...(remove.length > 0 && { remove: remove.map(({ source }) => ({ source })) }),
    ...(add.length > 0 && { add }),
  }
}

/** The list as it is now with a person's edits done to it, in the order of the list. */
export function accessMerged(
  base: readonly AccessEntry[],
  wanted: readonly AccessEntry[],
  fresh: readonly AccessEntry[],
): AccessEntry[] {
  const { gone, put } = accessEdits(base, wanted)
  const away = new Set(gone.map(({ source }) => source))
  const edited = new Map(put.map((entry) => [entry.source, entry]))
  const there = new Set(fresh.map(({ source }) => source))
  return [
    ...fresh.filter(({ source }) => !away.has(source)).map((entry) => edited.get(entry.source) ?? entry),
    ...put.filter(({ source }) => !there.has(source)),
  ]
}

/** Whether a source is every address there is. */
export function isAnywhere(source: string): boolean {
  return /\/0+$/.test(source.trim())
}

/** Whether a source holds an address. Never for texts that are none. */
export function holds(source: string, address: string): boolean {
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

/** What to know before a list is saved. `own` is the person's address as the deployment sees it; '' is not said. */
export function accessWarnings(base: readonly AccessEntry[], wanted: readonly AccessEntry[], own: string): string[] {
  const { gone, put } = accessEdits(base, wanted)
  const open = put.filter(({ source }) => isAnywhere(source)).map(({ source }) => source)
  const covered = (list: readonly AccessEntry[]) => list.some(({ source }) => holds(source, own))
  const warnings = open.map((source) => `${source} lets every address in the world reach the service.`)
  if (wanted.length === 0 && base.length > 0)
    warnings.push('Without an entry nobody reaches the service, you included.')
  else if (own !== '' && covered(base) && !covered(wanted)) {
    warnings.push(`Your own address ${own} would no longer be let in.`)
  } else if (own === '' && gone.length > 0) {
    warnings.push(
      'If your own address comes through an entry that you took away, you lock yourself out. Say your address beside the list to have that checked.',
    )
  }
  return warnings
}
