/** Testing an alert: what sends a test, and why it cannot be sent. */
import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '#console/api/call.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { useTestOffer } from '#console/records/alerts/useTestOffer.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { alerts } from '#contract/stack/alerts.ts'
import type { AlertTestResult } from '#contract/stack/alertTests.ts'
import type { Input } from '#contract/wire/kernel.ts'

export type Trial = Input<typeof alerts.test>['body']

export interface AlertTest {
  /** Why no test can be sent; undefined if one can. */
  blocked: string | undefined
  /** Sends a test, on production after a confirmation. Resolves to whether it was sent. */
  start: (trial: Trial, name: string) => Promise<boolean>
  pending: boolean
  result: AlertTestResult | undefined
  error: ApiFailure | null
}

export function useAlertTest(): AlertTest {
  const connection = useConnection()
  const isOffered = useTestOffer(alerts.test)
  const { mutate, isPending, data, error } = useMutation<AlertTestResult, ApiFailure, Trial>({
    mutationFn: (body) => call(connection.id, alerts.test, { body }),
  })
  const start = useCallback(
    async (trial: Trial, name: string) => {
      const sure =
        connection.stage !== 'production' ||
        (await confirm({
          title: `Test alert ${name} on ${connection.name}?`,
          body: 'This is a production connection. The message goes out to all channels of the alert, marked as a test. Receivers that open incidents may page somebody; the incident is resolved at once.',
          action: 'Send test message',
        }))
      if (sure) mutate(trial)
      return sure
    },
    [connection, mutate],
  )
  return {
    blocked: isOffered ? lockReason(connection) : 'This deployment’s API does not offer tests of alerts.',
    start,
    pending: isPending,
    result: data,
    error,
  }
}
