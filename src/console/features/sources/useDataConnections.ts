import { useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { dataConnections, type DataConnection } from '#contract/stack/dataConnections.ts'

interface DataConnections {
  /** Undefined where the deployment has no list of them, and where it could not be read. */
  listed: readonly DataConnection[] | undefined
  isLoading: boolean
}

/** The data connections that sources of the deployment can name. */
export function useDataConnections(): DataConnections {
  const connection = useConnection()
  const { offered } = useOffer(connection, 'dataConnections', dataConnections.list.variants)
  const { data, isLoading } = useQuery({ ...q(connection.id, dataConnections.list, {}), enabled: offered })
  return { listed: offered && data && data.length > 0 ? data : undefined, isLoading }
}
