/** Lists that are cached, after a deletion. */
import type { Endpoint } from '#contract/wire/kernel.ts'
import { queryClient } from '../queryClient.ts'

/** Removes deleted records from every cached response of a list, so that no page shows them until it is read again. */
export function removeFromLists(
  connectionId: string,
  { resource, verb }: Pick<Endpoint, 'resource' | 'verb'>,
  ids: readonly string[],
): void {
  queryClient.setQueriesData<readonly { id: string }[]>({ queryKey: [connectionId, resource, verb] }, (records) =>
    records?.filter(({ id }) => !ids.includes(id)),
  )
}
