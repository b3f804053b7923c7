import { useMemo } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordList } from '#console/shell/record/RecordList.tsx'
import { sourceColumns } from './columns.tsx'
import { MissingSources } from './MissingSources.tsx'
import { sourceReads, sourceResource, useSourceLock, useSourceUses } from './sourceResource.tsx'

export { sourceReads as reads }

export default function SourcesPage() {
  const { id: connectionId } = useConnection()
  const usesOf = useSourceUses()
  const columns = useMemo(() => sourceColumns(connectionId, usesOf), [connectionId, usesOf])
  return (
    <RecordList
      resource={sourceResource}
      lead="Tables that charts, dashboards and alerts read, and what their columns mean."
      columns={columns}
      empty="Dashboards, alerts and the explorer read from sources."
      locked={useSourceLock()}
      usesOf={usesOf}
      renderNotice={(sources) => <MissingSources sources={sources} />}
    />
  )
}
