import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sources } from '#contract/stack/sources.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'

/** The names of the connection's sources by ID; empty until they are loaded. */
export function useSourceNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(q(useConnection().id, sources.list, {}))
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data])
}
