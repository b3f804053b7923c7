/** What the notification of an alert is rendered from. */
import type { Names } from '#console/references/alertNames.ts'
import type { Alert } from '#contract/alerts.ts'
import type { NotificationPreviewInput } from '#contract/notificationPreviews.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { watchedSearchNames, watchedTileNames } from '#domain/alerting/notification/watchedNames.ts'
import { violates } from '#domain/alerting/threshold.ts'

type PreviewedEvent = NonNullable<NotificationPreviewInput['event']>

/** @param value the newest one. One that does not fire would contradict the message, so that the threshold stands in. */
export function previewedEvent(alert: Alert, names: Names, value: number | null): PreviewedEvent {
  const { id, name, message, note, threshold, thresholdMax, thresholdType, interval, source } = alert
  const { dashboardId, tileId, savedSearchId } = alert
  const watched =
    source === 'tile'
      ? watchedTileNames(names.dashboards.get(dashboardId ?? ''), tileId)
      : watchedSearchNames(names.savedSearches?.get(savedSearchId ?? ''))
  return {
    // States and errors are left out: with them it would be rendered again with every evaluation.
    alert: {
      id,
      name,
      message,
      note,
      threshold,
      thresholdMax,
      thresholdType,
      interval,
      source,
      dashboardId,
      tileId,
      savedSearchId,
    },
    ...(value !== null && violates(alert, value) && { value }),
    watched,
  }
}

/** Deployments do not return the body templates of incident.io webhooks. */
export const hasShownBody = ({ service }: Webhook): boolean => service !== 'incidentio'
