/** Reading one record: alone, or out of the list where the API has no read of one. */
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { useConnection } from '../connection.tsx'
import { inputOf, notThere } from './recordCalls.ts'
import type { RecordBase, Resource } from './resource.ts'

/** What a read has come to, as `useQuery` returns it. */
export interface Read<T> {
  data: T | undefined
  error: unknown
  refetch: () => unknown
}

export function useRecord<T extends RecordBase>(resource: Resource<T>, id: string): Read<T> {
  const { id: connectionId } = useConnection()
  const { api, findInList, noun } = resource
  const options =
    api.get && !findInList ? q(connectionId, api.get, inputOf(resource, id)) : q(connectionId, api.list, {})
  // One hook for both: which of the two the answer is, the next line knows.
  const read = useQuery(options as UseQueryOptions<T | T[]>)
  return Array.isArray(read.data) ? itemOf({ ...read, data: read.data }, id, noun) : { ...read, data: read.data }
}

/** One record out of the read of all. `noun` is what it is called: "webhook". */
function itemOf<T extends RecordBase>(all: Read<T[]>, id: string, noun: string): Read<T> {
  const data = all.data?.find((one) => one.id === id)
  return { ...all, data, error: all.error ?? (all.data && !data ? notThere(noun, id) : null) }
}
