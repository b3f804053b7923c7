/** Reading one record: alone, or out of the list where the API has no read of one. */
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { useMemo } from 'react'
import { useParams } from '@tanstack/react-router'
import { useConnection } from '#console/shell/connection.tsx'
import { changeProgress, nextPollDelay, usePendingChange } from '../pendingChanges/pendingChanges.ts'
import { changeKey, inputOf, recordNotFound } from './recordCalls.ts'
import type { RecordBase, RecordKey, Resource } from './resource.ts'

/** The state of a read, as `useQuery` returns it. */
export interface Read<T> {
  data: T | undefined
  error: unknown
  refetch: () => unknown
  /** When it was last read, epoch milliseconds. */
  dataUpdatedAt: number
}

/** The key of the record that the URL names. */
export function useRecordKey({ idParams, noun }: Pick<Resource<never>, 'idParams' | 'noun'>): RecordKey {
  const params = useParams({ strict: false })
  return useMemo(
    () =>
      idParams.map((name) => {
        const value = params[name]
        if (value === undefined) throw new Error(`The URL of this page names no ${noun}: it has no ${name}.`)
        return value
      }),
    [idParams, noun, params],
  )
}

/** @param pollInterval milliseconds between two reads while the page is open; those of a live resource have their own */
export function useRecord<T extends RecordBase>(resource: Resource<T>, key: RecordKey, pollInterval?: number): Read<T> {
  const id = key.at(-1) ?? ''
  const { id: connectionId } = useConnection()
  const { api, findInList, noun } = resource
  const options =
    api.get && !findInList ? q(connectionId, api.get, inputOf(resource, key)) : q(connectionId, api.list, {})
  const refetchInterval = usePollInterval(resource, id, pollInterval)
  // `get` returns a record, `list` an array of them. Hooks cannot be conditional, so both go through one `useQuery`.
  const read = useQuery({ ...(options as UseQueryOptions<T | T[]>), refetchInterval })
  if (Array.isArray(read.data)) return itemOf({ ...read, data: read.data }, id, noun)
  // Some deployments refuse an ID of the wrong shape instead of reporting that there is no such record.
  const error = read.error && asFailure(read.error).code === 'invalid' ? recordNotFound(noun, id) : read.error
  return { ...read, data: read.data, error }
}

/** How often the record is read while its page is open: more often while a change of it is pending. */
function usePollInterval<T extends RecordBase>(resource: Resource<T>, id: string, usual: number | undefined) {
  const { id: connectionId } = useConnection()
  const pending = usePendingChange(changeKey(resource, connectionId, id))
  const { live } = resource
  return ({ state: { data } }: { state: { data: T | T[] | undefined } }): number | false => {
    if (!live) return usual ?? false
    const record = Array.isArray(data) ? data.find((candidate) => candidate.id === id) : data
    const now = Date.now()
    const waits = pending && record && changeProgress(pending, live.reported(record), now).state !== 'reached'
    return waits ? nextPollDelay(pending, now) : live.pollInterval(record)
  }
}

/** One record out of the read of all. `noun` is what it is called: "webhook". */
function itemOf<T extends RecordBase>(all: Read<T[]>, id: string, noun: string): Read<T> {
  const data = all.data?.find((candidate) => candidate.id === id)
  return { ...all, data, error: all.error ?? (all.data && !data ? recordNotFound(noun, id) : null) }
}
