/** Data sources: section 5 of the open-source reference. */
import type { Handlers } from '#contract/kernel.ts'
import type { Source, sources } from '#contract/sources.ts'
import type { StackContext } from '../context.ts'
import { collection } from '../store/collection.ts'

export const sourceRows = collection<Source>('sources')

export const sourceHandlers: Handlers<typeof sources, StackContext> = {
  list: (_, { store }) => sourceRows.list(store),
}
