/** Keys by which receivers recognize an event: docs/DEPLOYMENTS.md#notifications. */
import { createHash } from 'node:crypto'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'

/** The key of an incident: equal when an alert fires and when it is resolved, different for each webhook and group. */
export function eventIdOf(webhookId: string, { alertId, group, groupKey, groups }: NotifiedEvent): string {
  const isGrouped = group !== null || groups !== undefined
  return hash({
    alertId,
    channel: { type: 'webhook', id: webhookId },
    isGrouped,
    ...(isGrouped && !groups && { groupId: groupKey }),
  })
}

/** Equal for every attempt to send an event, so that a receiver can ignore repetitions. */
export function idempotencyKeyOf(eventId: string, event: NotifiedEvent): string {
  const { start, end, state, cause, clockSetBack } = event
  // The window at the end of a silence may have been sent before the silence.
  const sentAgain = cause === 'silence_ended'
  return hash({
    eventId,
    startTime: start,
    endTime: end,
    state,
    ...(sentAgain && { cause }),
    ...(clockSetBack && { clockSetBack }),
  })
}

/** The key of a delivery that somebody sends once more although it was delivered. */
export function repeatedKeyOf(idempotencyKey: string, repetition: string): string {
  return hash({ idempotencyKey, repetition })
}

function hash(value: object): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('hex')
}
