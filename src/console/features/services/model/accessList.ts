/** The IP access list: edits as the additions and removals that the API takes. */
import type { Service, ServiceUpdate } from '#contract/cloud/services/services.ts'

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
