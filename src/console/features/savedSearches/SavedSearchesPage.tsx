import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { alerts } from '#contract/stack/alerts.ts'
import { sources } from '#contract/stack/sources.ts'
import { paths } from '#console/paths/paths.ts'
import type { Uses } from '#console/records/record/resource.ts'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { SavedSearch } from '#contract/stack/savedSearches.ts'
import { savedSearchResource, useSavedSearchUses } from './savedSearchResource.tsx'

export const reads = listReads(savedSearchResource, alerts.list, sources.list)

export default function SavedSearchesPage() {
  const { id: connectionId } = useConnection()
  const usesOf = useSavedSearchUses()
  const { data } = useQuery(q(connectionId, sources.list, {}))
  const columns = useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]))
    return savedSearchColumns(connectionId, { usesOf, sourceName: (id) => names.get(id) ?? id })
  }, [connectionId, usesOf, data])
  return (
    <RecordList
      resource={savedSearchResource}
      lead="Searches of logs and traces to open again, and to alert on."
      columns={columns}
      empty="Save a search to open it again, share it, or create an alert on it."
      usesOf={usesOf}
    />
  )
}

interface Known {
  sourceName: (id: string) => string
  usesOf: ((id: string) => Uses) | undefined
}

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
function savedSearchColumns(connectionId: string, { sourceName, usesOf }: Known): Column<SavedSearch>[] {
  return [
    nameColumn({
      grow: 0.7,
      width: 160,
      name: (search) => search.name,
      to: (search) => paths.savedSearch(connectionId, search.id),
    }),
    { id: 'source', title: 'Source', width: 120, value: (search) => sourceName(search.sourceId) },
    {
      id: 'condition',
      title: 'Condition',
      grow: 1,
      width: 220,
      value: (search) => search.where || undefined,
      cell: (search) => search.where && <code>{search.where}</code>,
    },
    { id: 'tags', title: 'Tags', grow: 0.3, width: 110, value: (search) => search.tags?.join(', ') || undefined },
    { id: 'usedBy', title: 'Alerts', width: 80, type: 'number', value: (search) => usesOf?.(search.id).count },
    { id: 'updated', title: 'Updated', width: 120, type: 'timestamp', value: (search) => search.updatedAt },
    idColumn(230),
  ]
}
