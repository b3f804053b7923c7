/** Saving a planned change of an alert on top of what it was planned for. */
import { call } from '#console/api/call.ts'
import { guardedWrite, storedNow } from '#console/api/guardedWrite.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { alerts, maxChannels, type Alert } from '#contract/alerts.ts'
import type { Connection } from '#contract/connections.ts'
import { alertBody } from '#domain/alerting/alertChange.ts'

/** Channels of one alert: the managed API has one. */
export const mostChannels = ({ variant }: Pick<Connection, 'variant'>) => (variant === 'managed' ? 1 : maxChannels)

/** Throws ApiFailure: `conflict` if somebody else changed the alert since `before` was read. Nothing is written then. */
export async function saveAlert(connectionId: string, before: Alert, after: Alert): Promise<Alert> {
  try {
    return await guardedWrite({
      base: before,
      record: alerts.update.result,
      unchanged: (now) => isSame(now, before),
      write: (base) =>
        call(
          connectionId,
          alerts.update,
          { params: { alertId: before.id }, body: alerts.update.body.parse(alertBody(after)) },
          { base },
        ),
    })
  } catch (error) {
    // A retry after a lost response: the change was stored the first time.
    const now = storedNow(error, alerts.update.result)
    if (now && isSame(now, after)) return now
    throw error
  }
}

/** Whether two alerts are the same, as far as a save is concerned. */
const isSame = (a: Alert, b: Alert) => sameValue(alertBody(a), alertBody(b))
