/** Deliveries of notifications. Beyond the specification. */
import { z } from 'zod'
import { openEnum, pathId, wireNumber } from '../wire/kernel.ts'

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/** One request to a webhook. */
const deliveryAttempt = z.looseObject({
  at: z.string(),
  /** The outcome, in a sentence. */
  reason: z.string(),
  /** The HTTP status of the receiver, if it answered. */
  status: wireNumber.optional(),
  /** The beginning of the receiver's answer. */
  answer: z.string().optional(),
  /** Milliseconds. */
  duration: wireNumber.optional(),
})

/** An event of an alert for one webhook. URLs are masked. */
const alertDelivery = z.looseObject({
  id: z.string(),
  alertId: z.string(),
  webhookId: z.string().optional(),
  webhookName: z.string().optional(),
  service: z.string().optional(),
  url: z.string().optional(),
  /** `ALERT` fires, `OK` is resolved. */
  state: z.string(),
  groupKey: z.string().optional(),
  /** The number of groups of a summary. */
  groups: wireNumber.optional(),
  value: wireNumber.optional(),
  /** The window in epoch milliseconds: [start, end). */
  start: wireNumber,
  end: wireNumber,
  title: z.string().optional(),
  status: openEnum(deliveryStatuses),
  /** The newest attempts, oldest first. */
  attempts: z.array(deliveryAttempt),
  /** The number of all attempts. */
  attemptCount: wireNumber,
  nextAttemptAt: z.string().optional(),
  createdAt: z.string(),
  finishedAt: z.string().optional(),
})
export type AlertDelivery = z.infer<typeof alertDelivery>

const alertId = z.object({ alertId: pathId })
const deliveryPath = '/alerts/{alertId}/deliveries'
/** The specification has alerts without these. The stack serves them on both variants. */
const beyond = {
  scope: 'stack',
  variants: ['openSource'],
  alsoManaged: true,
  unspecified: true,
  feature: 'deliveries',
} as const

/** Newest first. */
const deliveryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Only deliveries that were created before this id. */
  before: pathId.optional(),
})

/** Operations on alerts: what was sent, and sending it again. */
export const deliveryEndpoints = {
  deliveries: {
    ...beyond,
    method: 'GET',
    path: deliveryPath,
    params: alertId,
    query: deliveryQuery,
    list: true,
    result: z.array(alertDelivery),
  },
  resend: {
    ...beyond,
    method: 'POST',
    path: `${deliveryPath}/{deliveryId}/resend`,
    params: alertId.extend({ deliveryId: pathId }),
    body: z.object({}).optional(),
    result: alertDelivery,
  },
} as const
