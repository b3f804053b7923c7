import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { pipes } from '#contract/pipes.ts'
import { LivePanels } from './LivePanels.tsx'
import { isDatabase } from './words.ts'

/** What the database pipes of a service do together with the size that they share. */
export function SharedPanels({ serviceId }: { serviceId: string }) {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(q(connection.id, pipes.list, { params: { serviceId } }))
  const database = useMemo(() => data?.filter(isDatabase), [data])
  if (database) return <LivePanels pipes={database} />
  if (!error) return null
  return (
    <Panel>
      <QueryError error={error} onRetry={() => void refetch()} />
    </Panel>
  )
}
