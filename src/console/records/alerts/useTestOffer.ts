import { useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { useFeatureAnswer } from '#console/api/offers/useFeatureOffer.ts'
import type { Operation } from '#console/api/offers/offers.ts'
import { useConnection } from '#console/shell/connection.tsx'

/**
 * Whether a deployment offers tests: of alerts, or of webhooks. Nothing but a test tells it, which sends one. Deployments that
 * have them have the status of the evaluation.
 */
export function useTestOffer(operation: Operation): boolean {
  const connection = useConnection()
  const answer = useFeatureAnswer(connection, operation)
  useQuery({
    queryKey: [connection.id, 'alertEvaluation'],
    queryFn: async ({ signal }) => {
      const { alerts } = await import('#contract/stack/alerts.ts')
      return call(connection.id, alerts.evaluationStatus, {}, { priority: 'background', signal })
    },
    enabled: answer === undefined,
    retry: false,
  })
  return answer !== 'notOffered'
}
