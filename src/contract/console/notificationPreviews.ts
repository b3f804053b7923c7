/**
 * How a notification will look. The gateway renders it, within limits of time and size: templates do not run in the page, and
 * deployments have no route for it.
 */
import { z } from 'zod'

const text = (max: number) => z.string().max(max)

/** The fields of an alert that its notification uses. */
const previewedAlert = z.object({
  id: text(128).optional(),
  name: text(512).nullish(),
  message: text(4096).nullish(),
  note: text(4096).nullish(),
  threshold: z.number(),
  thresholdMax: z.number().nullish(),
  thresholdType: text(64),
  interval: text(16),
  source: text(64),
  dashboardId: text(128).nullish(),
  tileId: text(128).nullish(),
  savedSearchId: text(128).nullish(),
})

export const notificationPreviewInput = z.object({
  /** The webhook that would receive it. */
  webhook: z.object({
    service: text(64),
    /** The body template. Without one the default of the service is rendered. */
    body: text(16_384).nullish(),
  }),
  /** The subject. Sample values if it is left out. */
  event: z
    .object({
      alert: previewedAlert,
      /** The value that fires. Default: the threshold. */
      value: z.number().optional(),
      /** The window, epoch milliseconds. Default: the last minute. */
      start: z.number().optional(),
      end: z.number().optional(),
      group: z.record(text(256), text(4096).nullable()).nullish(),
      /** The key of the group, where it is known. */
      groupKey: text(16_384).optional(),
      watched: z.object({
        /** Name of the tile or saved search. */
        name: text(1024),
        dashboard: text(1024).optional(),
        query: text(65_536).optional(),
      }),
      /** Value and threshold in their unit. */
      inUnit: z.object({ value: text(256), threshold: text(256) }).optional(),
    })
    .optional(),
})
export type NotificationPreviewInput = z.infer<typeof notificationPreviewInput>

/** The notification that a receiver would get, or the problems of the templates. */
export interface NotificationPreview {
  title: string
  message: string
  link: string
  /** The body of the request; null if its template cannot be rendered. */
  payload: string | null
  /** One sentence each. */
  problems: string[]
}
