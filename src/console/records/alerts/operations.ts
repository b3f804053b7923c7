/** Silences, acknowledgements and pauses of an alert. Each starts from what was shown: what somebody else set meanwhile is not replaced. */
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import type { Input } from '#contract/wire/kernel.ts'
import { silenceOf } from './alertStates.ts'

type SilenceBody = Input<typeof alerts.silence>['body']

/** Throws ApiFailure: `conflict` if somebody else set or ended a silence of the same group since `alert` was read. */
export function silenceAlert(connectionId: string, alert: Alert, body: SilenceBody): Promise<Alert> {
  return guardedSilence(alert, body.group, (base) =>
    call(connectionId, alerts.silence, { params: { alertId: alert.id }, body }, { base }),
  )
}

/** Ends a silence: without a group, that of the whole alert. Throws as `silenceAlert` does. */
export function unsilenceAlert(connectionId: string, alert: Alert, group?: string): Promise<Alert> {
  const query = group === undefined ? {} : { query: { group } }
  return guardedSilence(alert, group, (base) =>
    call(connectionId, alerts.unsilence, { params: { alertId: alert.id }, ...query }, { base }),
  )
}

function guardedSilence(alert: Alert, group: string | undefined, write: (base: Alert) => Promise<Alert>) {
  const shown = (of: Alert) => silenceOf(of, group, Date.now())
  return guardedWrite({
    base: alert,
    record: alerts.get.result,
    unchanged: (now) => sameValue(shown(now), shown(alert)),
    write,
  })
}

type AcknowledgementBody = Input<typeof alerts.acknowledge>['body']

/** Throws ApiFailure: `conflict` if somebody else acknowledged the alert, or withdrew that, since it was read. */
export function acknowledgeAlert(connectionId: string, alert: Alert, body: AcknowledgementBody): Promise<Alert> {
  return guardedAcknowledgement(alert, (base) =>
    call(connectionId, alerts.acknowledge, { params: { alertId: alert.id }, body }, { base }),
  )
}

/** Throws as `acknowledgeAlert` does. */
export function unacknowledgeAlert(connectionId: string, alert: Alert): Promise<Alert> {
  return guardedAcknowledgement(alert, (base) =>
    call(connectionId, alerts.unacknowledge, { params: { alertId: alert.id } }, { base }),
  )
}

function guardedAcknowledgement(alert: Alert, write: (base: Alert) => Promise<Alert>): Promise<Alert> {
  return guardedWrite({
    base: alert,
    record: alerts.get.result,
    unchanged: (now) => sameValue(now.acknowledged ?? null, alert.acknowledged ?? null),
    write,
  })
}

/** Throws ApiFailure: `conflict` if somebody else paused or resumed the alert since it was read. */
export function pauseAlert(connectionId: string, alert: Alert): Promise<Alert> {
  return guardedPause(alert, (base) =>
    call(connectionId, alerts.pause, { params: { alertId: alert.id }, body: {} }, { base }),
  )
}

/** Throws as `pauseAlert` does. */
export function resumeAlert(connectionId: string, alert: Alert): Promise<Alert> {
  return guardedPause(alert, (base) => call(connectionId, alerts.resume, { params: { alertId: alert.id } }, { base }))
}

function guardedPause(alert: Alert, write: (base: Alert) => Promise<Alert>): Promise<Alert> {
  return guardedWrite({
    base: alert,
    record: alerts.get.result,
    unchanged: (now) => sameValue(now.paused ?? null, alert.paused ?? null),
    write,
  })
}
