/** Silences, pauses and resends of an alert: sent, and confirmed by a message. */
import { useCallback } from 'react'
import { useFeatureOffer } from '#console/api/offers.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'

/** Why an operation is not available; undefined if it is. */
function useBlocker(operation: Parameters<typeof useFeatureOffer>[1], subject: string): string | undefined {
  const connection = useConnection()
  const isOffered = useFeatureOffer(connection, operation)
  return isOffered ? lockReason(connection) : `This deployment’s API does not offer ${subject}.`
}

/** Silencing an alert, and ending a silence. */
export function useSilences({ id }: Pick<Alert, 'id'>) {
  const connection = useConnection()
  const silence = useApiMutation(connection.id, alerts.silence)
  const unsilence = useApiMutation(connection.id, alerts.unsilence, {
    onSuccess: () => toast({ tone: 'ok', text: 'The silence was removed. Notifications are sent again.' }),
    onError: toastFailure,
  })
  return {
    blocked: useBlocker(alerts.silence, 'silences of alerts'),
    silence,
    ending: unsilence.isPending ? (unsilence.variables.query?.group ?? '') : undefined,
    /** Without a group: the silence of the whole alert. */
    end: (group: string | undefined) =>
      unsilence.mutate({ params: { alertId: id }, ...(group !== undefined && { query: { group } }) }),
  }
}

/** Pausing the evaluation of an alert, after a confirmation, and resuming it. */
export function usePause({ id, name }: { id: string; name: string }) {
  const connection = useConnection()
  const options = (text: string) => ({ onSuccess: () => toast({ tone: 'ok', text }), onError: toastFailure })
  const pause = useApiMutation(connection.id, alerts.pause, options(`${name} is paused. It is not evaluated.`))
  const resume = useApiMutation(
    connection.id,
    alerts.resume,
    options(`${name} is resumed. Evaluation continues with the newest window.`),
  )
  const { mutate: sendPause } = pause
  const { mutate: sendResume } = resume
  const ask = useCallback(async () => {
    const sure = await confirm({
      title: `Pause ${name}?`,
      body: 'The alert is not evaluated until somebody resumes it. Nothing fires, nothing is sent, and windows of this time are never evaluated. To keep evaluating without messages, silence it instead.',
      action: 'Pause alert',
    })
    if (sure) sendPause({ params: { alertId: id }, body: {} })
  }, [id, name, sendPause])
  return {
    blocked: useBlocker(alerts.pause, 'pausing of alerts'),
    pending: pause.isPending || resume.isPending,
    pause: ask,
    resume: useCallback(() => sendResume({ params: { alertId: id } }), [id, sendResume]),
  }
}
