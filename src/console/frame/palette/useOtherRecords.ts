/** Records of the other connections, for the palette: the console's own server knows their names. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { recordSearchQuery } from '#console/api/gateway/environments.ts'
import { useSettled } from '#console/ui/useSettled.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { RecordSearch } from '#contract/console/environments.ts'

type FoundRecord = RecordSearch['records'][number] & { connection: Connection }

/** Letters that are needed: one would find almost everything. */
const minLetters = 2
/** Milliseconds of rest before a search: the server looks through names in its memory. */
const pause = 30
/** Milliseconds between searches while the server still reads names. */
const again = 1_000

/** Empty until something is found. @param current whose records the palette knows already */
export function useOtherRecords(
  query: string,
  connections: readonly Connection[],
  current: Connection | undefined,
): FoundRecord[] {
  const text = useSettled(query.trim(), pause)
  const others = connections.filter(({ id }) => id !== current?.id)
  const { data } = useQuery({
    ...recordSearchQuery(text, current?.id),
    enabled: text.length >= minLetters && others.length > 0,
    // The last results stay while the next ones arrive; those that do not fit are left out by the palette.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.reading.length ?? 0) > 0 ? again : false),
  })
  if (text.length < minLetters) return []
  const byId = new Map(others.map((one) => [one.id, one]))
  return (data?.records ?? []).flatMap((record) => {
    const connection = byId.get(record.connectionId)
    return connection ? [{ ...record, connection }] : []
  })
}
