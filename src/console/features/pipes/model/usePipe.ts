/** Reads one pipe, and polls it more often while something is in progress. */
import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { nextPollDelay, changeProgress, usePendingChange } from '#console/shell/pendingChanges/pendingChanges.ts'
import { pipes } from '#contract/pipes.ts'
import { effectiveValues } from './scalingParameters.ts'
import { isOneTimeLoad, isTransitional } from './pipeLabels.ts'

/** Poll intervals of a pipe, milliseconds. */
const pollIntervals = {
  usual: 30_000,
  /** The pipe completes by itself. */
  ending: 10_000,
  /** The state is about to change. */
  passing: 3000,
}

/** The key of a pipe in pending changes and in the change log. */
export const pipeKey = (connectionId: string, pipeId: string) => `${connectionId}/pipe/${pipeId}`

/** The pipe of the current route. */
export function usePipe() {
  const connection = useConnection()
  const params = { serviceId: useRouteParam('serviceId'), dataPipeId: useRouteParam('dataPipeId') }
  const pendingChange = usePendingChange(pipeKey(connection.id, params.dataPipeId))
  const query = useQuery({
    ...q(connection.id, pipes.get, { params }),
    refetchInterval: ({ state: { data } }) => {
      const now = Date.now()
      const waits =
        pendingChange && data && changeProgress(pendingChange, effectiveValues(data), now).state !== 'reached'
      if (waits) return nextPollDelay(pendingChange, now)
      if (data && isTransitional(data)) return pollIntervals.passing
      return data && isOneTimeLoad(data) ? pollIntervals.ending : pollIntervals.usual
    },
  })
  return { ...query, params }
}
