/** The number of change requests that wait for approval. */
import { useQuery } from '@tanstack/react-query'
import { changeRequestCountsQuery } from '#console/api/gateway/changeRequestCounts.ts'
import { useFrameConnection } from '../connection.tsx'

/** @param enabled whether the number is shown. It is read only where a connection has two-person approval */
export function useWaitingCount(enabled: boolean): number {
  const { connections } = useFrameConnection()
  const isWanted = enabled && connections.some(({ fourEyes }) => fourEyes)
  const { data } = useQuery({ ...changeRequestCountsQuery, enabled: isWanted })
  return isWanted && data ? Object.values(data.waiting).reduce((sum, count) => sum + count, 0) : 0
}
