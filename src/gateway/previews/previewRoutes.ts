/** Renders notifications as a deployment would send them, without sending anything. */
import type { FastifyInstance } from 'fastify'
import { pagePaths } from '#contract/console/pagePaths.ts'
import {
  notificationPreviewInput,
  type NotificationPreview,
  type NotificationPreviewInput,
} from '#contract/console/notificationPreviews.ts'
import type { NotificationInput } from '#domain/alerting/notification/notified.ts'
import { sampleNotification } from '#domain/alerting/notification/sampleNotification.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { RendererBusy, type Renderer } from '#node/notifications/renderer.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { parsed } from '../http/requests.ts'

/** @param consoleUrl the URL of this console, for links */
export function registerPreviews(app: FastifyInstance, renderer: Renderer, consoleUrl: () => string): void {
  app.post(pagePaths.notificationPreview.replace('{connectionId}', ':connectionId'), (request) => {
    const input = parsed(notificationPreviewInput, request.body, 'The notification')
    return preview(renderer, notificationOf(input, consoleUrl(), currentTime()))
  })
}

/** @throws `failed` (503) if too many others are being rendered */
async function preview(renderer: Renderer, notification: NotificationInput): Promise<NotificationPreview> {
  const rendered = await renderer.render(notification).catch((error: unknown) => {
    if (error instanceof RendererBusy)
      throw new ApiFailure({ code: 'failed', message: error.message, status: 503 }, 503)
    throw error
  })
  const { title, message, link, payload, problems } = rendered
  return { title, message, link, payload, problems }
}

function notificationOf(
  { webhook, event }: NotificationPreviewInput,
  consoleUrl: string,
  now: number,
): NotificationInput {
  const { service, body } = webhook
  if (!event) return sampleNotification({ service, body, consoleUrl, state: 'ALERT', now })
  const { alert, value = alert.threshold, group = null, watched, inUnit } = event
  const id = alert.id ?? 'new'
  const { end = Math.floor(now / minute) * minute } = event
  return {
    alert: { ...alert, id },
    event: {
      alertId: id,
      state: 'ALERT',
      groupKey:
        event.groupKey ??
        Object.entries(group ?? {})
          .map((pair) => pair.join(':'))
          .join(', '),
      group,
      value,
      start: event.start ?? end - minute,
      end,
    },
    watched,
    inUnit,
    samples: [],
    consoleUrl,
    eventId: 'preview-event-id',
    service,
    body,
  }
}

const minute = 60_000
