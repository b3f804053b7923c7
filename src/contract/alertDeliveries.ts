/** Deliveries of notifications, and how a notification will look. Beyond the specification. */
import { z } from 'zod'
import { openEnum, pathId, wireNumber } from './kernel.ts'

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/** One request to a webhook. */
const deliveryAttempt = z.looseObject({
  at: z.string(),
  /** What happened, in a sentence. */
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

/** What a receiver would get, or what is wrong with the templates. */
export const notificationPreview = z.looseObject({
  title: z.string(),
  message: z.string(),
  link: z.string(),
  /** The body of the request; null if its template cannot be rendered, or for a service whose body is not returned. */
  payload: z.string().nullable(),
  problems: z.array(z.string()),
})

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

/** Operations on alerts: what was sent, sending it again, and what would be sent. */
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
  preview: {
    ...beyond,
    feature: 'previews',
    method: 'POST',
    path: '/alerts/preview',
    mutates: false,
    body: z.looseObject({
      /** An alert, with or without an id. */
      alert: z.looseObject({
        id: z.string().max(128).optional(),
        name: z.string().max(512).nullish(),
        message: z.string().max(4096).nullish(),
        note: z.string().max(4096).nullish(),
        threshold: z.number(),
        thresholdMax: z.number().nullish(),
        thresholdType: z.string().max(64),
        interval: z.string().max(16),
        source: z.string().max(64),
        dashboardId: z.string().max(128).nullish(),
        tileId: z.string().max(128).nullish(),
        savedSearchId: z.string().max(128).nullish(),
      }),
      state: z.enum(['ALERT', 'OK']).default('ALERT'),
      value: z.number().optional(),
      group: z.record(z.string().max(256), z.string().max(4096)).nullish(),
      /** The webhook that would receive it. */
      webhookId: z.string().max(128).optional(),
    }),
    result: notificationPreview,
  },
} as const
