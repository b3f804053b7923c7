/** Silences, acknowledgements and pauses of an alert: sent, and confirmed by a message. */
import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ApiFailure } from '#console/api/failure.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { invalidate } from '#console/api/queries.ts'
import {
  acknowledgeAlert,
  pauseAlert,
  resumeAlert,
  silenceAlert,
  unacknowledgeAlert,
  unsilenceAlert,
} from '#console/records/alerts/operations.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { alerts, type Alert } from '#contract/stack/alerts.ts'

/** Why an operation is not available; undefined if it is. */
function useBlocker(operation: Parameters<typeof useFeatureOffer>[1], subject: string): string | undefined {
  const connection = useConnection()
  const isOffered = useFeatureOffer(connection, operation)
  return isOffered ? lockReason(connection) : `This deployment’s API does not offer ${subject}.`
}

/** An operation of an alert. Alerts are read again after it, and after a conflict or an unknown outcome. */
function useOperation<Input>(operate: (connectionId: string, input: Input) => Promise<Alert>) {
  const { id } = useConnection()
  return useMutation<Alert, ApiFailure, Input>({
    mutationFn: (input) => operate(id, input),
    onSettled: () => void invalidate(id, 'alerts'),
  })
}

interface SilenceInput {
  /** The alert as it was shown. */
  alert: Alert
  body: Parameters<typeof silenceAlert>[2]
}

/** Silencing an alert, and ending a silence. */
export function useSilences(alert: Alert) {
  const silence = useOperation((connectionId, input: SilenceInput) =>
    silenceAlert(connectionId, input.alert, input.body),
  )
  const unsilence = useOperation((connectionId, group: string | undefined) =>
    unsilenceAlert(connectionId, alert, group),
  )
  return {
    blocked: useBlocker(alerts.silence, 'silences of alerts'),
    silence,
    ending: unsilence.isPending ? (unsilence.variables ?? '') : undefined,
    /** Ends the silence of a group; without one, that of the whole alert. */
    end: (group: string | undefined) =>
      unsilence.mutate(group, {
        onSuccess: () => toast({ tone: 'ok', text: 'Silence removed. Notifications are sent again.' }),
        onError: toastFailure,
      }),
  }
}

interface AcknowledgementInput {
  /** The alert as it was shown. */
  alert: Alert
  note: string
}

/** Saying that somebody takes care of a firing alert, and withdrawing that. */
export function useAcknowledgement() {
  const acknowledge = useOperation((connectionId, { alert, note }: AcknowledgementInput) =>
    acknowledgeAlert(connectionId, alert, note === '' ? {} : { note }),
  )
  const withdraw = useOperation(unacknowledgeAlert)
  const { mutate } = withdraw
  return {
    blocked: useBlocker(alerts.acknowledge, 'acknowledgements of alerts'),
    acknowledge,
    withdrawing: withdraw.isPending,
    withdraw: useCallback((alert: Alert) => mutate(alert, toastOnSuccess('Acknowledgement withdrawn')), [mutate]),
  }
}

/** Pausing the evaluation of an alert, after a confirmation, and resuming it. */
export function usePause(alert: Alert, name: string) {
  const pause = useOperation(pauseAlert)
  const resume = useOperation(resumeAlert)
  const { mutate: sendPause } = pause
  const { mutate: sendResume } = resume
  const ask = useCallback(async () => {
    const sure = await confirm({
      title: `Pause alert ${name}?`,
      body: 'The alert is not evaluated until somebody resumes it. Nothing fires, nothing is sent, and windows of this time are never evaluated. To keep evaluating without messages, silence it instead.',
      action: 'Pause alert',
    })
    if (sure) sendPause(alert, toastOnSuccess(`Alert ${name} paused. It is not evaluated.`))
  }, [alert, name, sendPause])
  return {
    blocked: useBlocker(alerts.pause, 'pausing of alerts'),
    pending: pause.isPending || resume.isPending,
    pause: ask,
    resume: useCallback(
      () => sendResume(alert, toastOnSuccess(`Alert ${name} resumed. Evaluation continues with the newest window.`)),
      [alert, name, sendResume],
    ),
  }
}

const toastOnSuccess = (text: string) => ({ onSuccess: () => toast({ tone: 'ok', text }), onError: toastFailure })
