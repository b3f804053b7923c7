import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#console/api/queries.ts'
import { api } from '#contract/index.ts'
import type { Endpoint } from '#contract/kernel.ts'
import { Directory } from '#domain/records/directory.ts'
import { isObject } from '#domain/json/json.ts'
import { recordKinds, type RecordKind } from '#domain/records/kinds.ts'

export interface ListedRecord {
  kind: RecordKind
  id: string
  /** Unique among its kind. */
  name: string
}

/** All records of a connection that can be promoted, as far as they could be read. */
export function useRecords(connectionId: string | undefined): { records: ListedRecord[]; isLoading: boolean } {
  const lists = useQueries({
    queries: recordKinds.map((kind) => {
      const endpoint: Endpoint = api[kind].list
      return { ...q(connectionId ?? '', endpoint, {}), enabled: connectionId !== undefined, retry: false }
    }),
    // One list of one kind is as good as none: what is missing is not offered.
    combine: (results) => ({
      data: results.map(({ data }) => data),
      isLoading: results.some((result) => result.isLoading),
    }),
  })
  const { data, isLoading } = lists
  const records = useMemo(() => listed(data), [data])
  return { records, isLoading }
}

function listed(data: readonly unknown[]): ListedRecord[] {
  const rows = data.map((list) => (Array.isArray(list) ? list.filter(isObject) : []))
  const directory = new Directory(Object.fromEntries(recordKinds.map((kind, at) => [kind, rows[at] ?? []])))
  return recordKinds.flatMap((kind, at) =>
    (rows[at] ?? []).flatMap(({ id }) =>
      typeof id === 'string' ? [{ kind, id, name: directory.label(kind, id) ?? '' }] : [],
    ),
  )
}
