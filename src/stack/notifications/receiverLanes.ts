/**
 * Keeps receivers apart. One that answered its last request gets several at the same time. Every other one, because it is new,
 * fails or hangs, gets one at a time, and all of these together at most half of the requests. So receivers that answer never
 * wait for those that do not.
 */
import type { ClaimLimits } from '../alerting/outbox.ts'
import type { SendResult } from '../alerting/deliveryRows.ts'

/** Requests at the same time to a receiver that answers. */
const perWebhook = 4

interface Lane {
  running: number
  /** It answered the last request. */
  isTrusted: boolean
  /** Epoch milliseconds before which nothing is sent. */
  pausedUntil: number
}

type Limits = Pick<ClaimLimits, 'count' | 'perWebhook' | 'webhooks'>

export interface ReceiverLanes {
  /**
   * Deliveries that may be sent now: to receivers that answer, then to all others. `one` is one entry to any receiver that is not paused
   * or fully used.
   */
  limits(now: number): { trusted: Limits; others: (taken: number) => Limits; one: (taken: number) => Limits }
  /** @returns a function to call when the request is over */
  enter(webhookId: string): () => void
  record(webhookId: string, outcome: SendResult['outcome'], pausedUntil: number): void
  /** Ends all pauses: their end is not known any more, because the clock was set back. */
  endPauses(): void
}

/** The lane of entries whose mentions are not looked up yet. They go to no receiver, so they never wait for one. */
export const mentionsLane = ''

export function createReceiverLanes(maxRequests: number): ReceiverLanes {
  const lanes = new Map<string, Lane>([[mentionsLane, { running: 0, isTrusted: true, pausedUntil: 0 }]])
  const laneOf = (webhookId: string): Lane => {
    const lane = lanes.get(webhookId) ?? { running: 0, isTrusted: false, pausedUntil: 0 }
    lanes.set(webhookId, lane)
    return lane
  }
  const ids = (matches: (lane: Lane) => boolean) =>
    [...lanes].filter(([, lane]) => matches(lane)).map(([webhookId]) => webhookId)
  const runningIn = (matches: (lane: Lane) => boolean) =>
    [...lanes.values()].filter(matches).reduce((sum, { running }) => sum + running, 0)

  return {
    limits(now) {
      const free = maxRequests - runningIn(() => true)
      const slow = maxRequests / 2 - runningIn(({ isTrusted }) => !isTrusted)
      const isFull = ({ isTrusted, running }: Lane) => running >= (isTrusted ? perWebhook : 1)
      const unavailable = ids((lane) => isFull(lane) || lane.pausedUntil > now)
      const blocked = ids((lane) => lane.isTrusted || lane.running > 0 || lane.pausedUntil > now)
      return {
        trusted: {
          count: free,
          perWebhook,
          webhooks: { only: ids(({ isTrusted, running }) => isTrusted && running < perWebhook) },
        },
        others: (taken) => ({ count: Math.min(free - taken, slow), perWebhook: 1, webhooks: { except: blocked } }),
        one: (taken) => ({ count: Math.min(free - taken, 1), perWebhook: 1, webhooks: { except: unavailable } }),
      }
    },
    enter(webhookId) {
      const lane = laneOf(webhookId)
      lane.running++
      return () => void lane.running--
    },
    record(webhookId, outcome, pausedUntil) {
      const lane = laneOf(webhookId)
      lane.isTrusted = outcome !== 'retry'
      lane.pausedUntil = outcome === 'retry' ? pausedUntil : 0
    },
    endPauses() {
      for (const lane of lanes.values()) lane.pausedUntil = 0
    },
  }
}
