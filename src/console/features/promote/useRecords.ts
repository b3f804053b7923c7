import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#console/api/queries.ts'
import { api } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { Directory, recordKey } from '#domain/records/directory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { referencesOf } from '#domain/records/references.ts'
import type { ChosenRecord } from './promoteState.ts'

export interface ListedRecord {
  kind: RecordKind
  id: string
  /** Unique among its kind. */
  name: string
  /** Its references, by `recordKey`. */
  refersTo: readonly string[]
}

/** All records of a connection that can be promoted, as far as they could be read. */
export function useRecords(connectionId: string | undefined): { records: ListedRecord[]; isLoading: boolean } {
  const lists = useQueries({
    queries: recordKinds.map((kind) => {
      const endpoint: Endpoint = api[kind].list
      return { ...q(connectionId ?? '', endpoint, {}), enabled: connectionId !== undefined, retry: false }
    }),
    // A kind that only one side could list is left out.
    combine: (results) => ({
      data: results.map(({ data }) => data),
      isLoading: results.some((result) => result.isLoading),
    }),
  })
  const { data, isLoading } = lists
  const records = useMemo(() => toListedRecords(data), [data])
  return { records, isLoading }
}

function toListedRecords(data: readonly unknown[]): ListedRecord[] {
  const rows = data.map((list) => (Array.isArray(list) ? list.filter(isPlainObject) : []))
  const directory = new Directory(Object.fromEntries(recordKinds.map((kind, at) => [kind, rows[at] ?? []])))
  return recordKinds.flatMap((kind, at) =>
    (rows[at] ?? []).flatMap((record) => {
      const { id } = record
      if (typeof id !== 'string') return []
      return [{ kind, id, name: directory.label(kind, id) ?? '', refersTo: keysIn(kind, record) }]
    }),
  )
}

function keysIn(kind: RecordKind, record: JsonObject): string[] {
  return referencesOf(kind, record, 'id').flatMap((reference) =>
    reference.kind === 'tiles' ? [] : [recordKey(reference.kind, reference.value)],
  )
}

/** The alerts on chosen dashboards and saved searches that are not chosen. */
export function alertsOn(chosen: readonly ChosenRecord[], records: readonly ListedRecord[]): ListedRecord[] {
  const keys = new Set(chosen.map(({ kind, id }) => recordKey(kind, id)))
  const watched = new Set(chosen.flatMap(({ kind, id }) => (isWatched(kind) ? [recordKey(kind, id)] : [])))
  return records.filter(
    ({ kind, id, refersTo }) =>
      kind === 'alerts' && !keys.has(recordKey(kind, id)) && refersTo.some((dashboardKey) => watched.has(dashboardKey)),
  )
}

const isWatched = (kind: RecordKind) => kind === 'dashboards' || kind === 'savedSearches'
