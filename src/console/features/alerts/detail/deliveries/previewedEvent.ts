/** The input of an alert's rendered notification. */
import type { Names } from '#console/usages/alertNames.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import type { NotificationPreviewInput } from '#contract/console/notificationPreviews.ts'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { inUnit } from '#domain/alerting/notification/inUnit.ts'
import { watchedSearchNames, watchedTileNames } from '#domain/alerting/notification/watchedNames.ts'
import { violates } from '#domain/alerting/threshold.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { EvaluatedWindow } from '../model/evaluatedWindows.ts'
import { withoutQuotes } from '#domain/alerting/tally.ts'

type PreviewedEvent = NonNullable<NotificationPreviewInput['event']>

/** A window that a message is about, and the group of it. */
export interface WindowEvent {
  start: number
  end: number
  /** Null where the window did not fire: the threshold stands in. */
  value: number | null
  /** The key of the group; empty for an alert without groups. */
  group: string
}

/** The newest window that fired, and the group that did; without one, the newest window. */
export function lastWindowEvent(alert: Alert, windows: readonly EvaluatedWindow[] = []): WindowEvent | null {
  const read = windows.filter(({ state }) => state !== 'unread')
  const window = read.find(({ state }) => state === 'firing') ?? read[0]
  if (!window) return null
  const { start, end, groups } = window
  const group = groups?.find(({ state }) => state === window.state) ?? groups?.[0]
  const value = group ? group.value : window.value
  return { start, end, value: value !== null && violates(alert, value) ? value : null, group: group?.key ?? '' }
}

export function previewedEvent(
  alert: Alert,
  names: Names,
  windowEvent: WindowEvent | null,
  unit: Unit,
): PreviewedEvent {
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
    ...(windowEvent && {
      start: windowEvent.start,
      end: windowEvent.end,
      ...(windowEvent.value !== null && { value: windowEvent.value }),
      ...(windowEvent.group !== '' && { group: groupOfKey(windowEvent.group), groupKey: windowEvent.group }),
    }),
    watched,
    inUnit: inUnit(alert, windowEvent?.value ?? threshold, unit),
  }
}

/** Deployments do not return the body templates of incident.io webhooks. */
export const hasShownBody = ({ service }: Webhook): boolean => service !== 'incidentio'

/**
 * The group of an alert from its key, such as `service:checkout, region:eu`. Names and values; null for `name IS
 * NULL`. A value in quotes may contain anything, others `:`, and `, ` as long as no `name:` follows it.
 */
export function groupOfKey(key: string): Record<string, string | null> {
  const parts = key.match(/[^\s:,]+:"(?:[^"\\]|\\.)*"(?=, |$)|.+?(?=, [^\s:,]+(?::| IS NULL(?:, |$))|$)/gs) ?? []
  return Object.fromEntries(
    parts.map((text) => {
      const part = text.replace(/^, /, '')
      const [, absent] = /^([^:]+) IS NULL$/.exec(part) ?? []
      if (absent !== undefined) return [absent, null]
      const colon = part.indexOf(':')
      return colon < 0 ? ['group', part] : [part.slice(0, colon), withoutQuotes(part.slice(colon + 1))]
    }),
  )
}
