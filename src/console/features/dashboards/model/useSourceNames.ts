import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sources } from '#contract/sources.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'

/** What the sources of the page's connection are called, by id; empty while they are not known. */
export function useSourceNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(q(useConnection().id, sources.list, {}))
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data])
}
