/** Whether the alerts of a deployment are evaluated, and how current that is. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { alerts } from '#contract/stack/alerts.ts'

export const evaluationQuery = (connectionId: string) =>
  queryOptions({
    // A key of its own, not one of the resource: a saved alert does not read it again.
    queryKey: [connectionId, 'alertEvaluation'],
    queryFn: ({ signal }) => call(connectionId, alerts.evaluationStatus, {}, { priority: 'background', signal }),
  })

/** The label of an alert without evaluations, which tells whether one is to come. Sends no request by itself. */
export function useUnevaluatedLabel(): string {
  const { data } = useQuery({ ...evaluationQuery(useConnection().id), enabled: false })
  return data?.unevaluated === undefined ? 'Not evaluated yet' : 'Not evaluated'
}
