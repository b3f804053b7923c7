/** Saved searches as they are stored and returned: docs/DEPLOYMENTS.md#saved-searches. */
import type { z } from 'zod'
import type { savedSearchInputStrict } from '#contract/stack/savedSearches.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { newObjectId } from '../ids.ts'
import { collection } from '../store/collection.ts'
import type { Limit } from '../store/requireRoom.ts'

export type SavedSearchInput = z.output<typeof savedSearchInputStrict>

/** A type alias, because an interface does not fit the loose schemas of the contract. */
export type SavedSearchDocument = SavedSearchInput & {
  id: string
  teamId: string
  createdAt: string
  updatedAt: string
}

export const savedSearchRows = collection<SavedSearchDocument>('saved_searches')

export const savedSearchLimit: Limit = {
  rows: savedSearchRows,
  most: 10_000,
  owner: 'A stack',
  records: 'saved searches',
  remedy: 'Delete one first',
}

export function newSavedSearch(input: SavedSearchInput, teamId: string): SavedSearchDocument {
  const now = currentIsoTime()
  return { id: newObjectId(), ...input, teamId, createdAt: now, updatedAt: now }
}

/** The saved search after a PUT, which replaces all fields of the input. */
export function changedSavedSearch(
  { id, teamId, createdAt }: SavedSearchDocument,
  input: SavedSearchInput,
): SavedSearchDocument {
  return { id, ...input, teamId, createdAt, updatedAt: currentIsoTime() }
}
