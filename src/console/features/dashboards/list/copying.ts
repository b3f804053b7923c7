/** Creating dashboards from others, with their alerts: duplicate, import, undo of a delete. */
import { type Alert, alerts as alertEndpoints } from '#contract/stack/alerts.ts'
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { call } from '#console/api/call.ts'
import { asFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { counted } from '#domain/text/words.ts'
import { alertsForCopy, copyBody } from '../model/duplicate.ts'

export interface Copied {
  dashboard: Dashboard
  alerts: number
  /** Errors of alerts that could not be created. */
  failures: string[]
}

/** Creates a dashboard like the given one, then the alerts on its tiles. Throws ApiFailure when the dashboard itself is refused. */
export async function createCopy(
  connectionId: string,
  original: Dashboard,
  name: string,
  alerts: readonly Alert[],
): Promise<Copied> {
  const dashboard = await call(connectionId, dashboards.create, { body: copyBody(original, name) })
  const failures: string[] = []
  const inputs = alertsForCopy(original, dashboard, alerts)
  for (const body of inputs) {
    try {
      await call(connectionId, alertEndpoints.create, { body })
    } catch (error) {
      failures.push(asFailure(error).message)
    }
  }
  void invalidate(connectionId, 'dashboards')
  if (inputs.length > 0) void invalidate(connectionId, 'alerts')
  return { dashboard, alerts: inputs.length - failures.length, failures }
}

/** The result of a copy in a sentence: `Dashboard Shop created with 2 alerts`. */
export function formatCopied({ dashboard, alerts, failures }: Copied): string {
  const company = alerts === 0 ? '' : ` with ${counted(alerts, 'alert')}`
  const but = failures.length === 0 ? '' : `. ${failures.length} could not be created: ${failures[0]}`
  return `Dashboard ${dashboard.name} created${company}${but}`
}
