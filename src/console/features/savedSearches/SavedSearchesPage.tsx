import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { listReads } from '#console/shell/record/recordCalls.ts'
import { RecordList } from '#console/shell/record/RecordList.tsx'
import { alerts } from '#contract/alerts.ts'
import { sources } from '#contract/sources.ts'
import { savedSearchColumns } from './columns.tsx'
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
