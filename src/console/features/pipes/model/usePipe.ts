/** One pipe, looked at as often as what is under way asks for. */
import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { nextPollDelay, changeProgress, usePendingChange } from '#console/shell/pendingChanges/pendingChanges.ts'
import { pipes } from '#contract/pipes.ts'
import { effectiveValues } from './scalingParameters.ts'
import { isOneTimeLoad, isTransitional } from './pipeLabels.ts'

/** Milliseconds between two reads of a pipe. */
const pollIntervals = {
  usual: 30_000,
  /** It runs and will end by itself. */
  ending: 10_000,
  /** Its state is about to change. */
  passing: 3000,
}

/** What a pipe is called where changes are followed and noted. */
export const pipeKey = (connectionId: string, pipeId: string) => `${connectionId}/pipe/${pipeId}`

/** The pipe that the address names. */
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
