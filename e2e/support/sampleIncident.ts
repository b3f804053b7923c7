/** The incident of the sample: its telemetry, and the alert that fired in it, in a stack that has no sample. */
import { alert as alertSchema } from '../../src/contract/alerts.ts'
import { savedSearches } from '../../src/contract/savedSearches.ts'
import { paymentsAlert, sampleSearches } from '../../src/stack/sample/sampleAlerts.ts'
import { sendSlices } from '../../src/stack/sample/sampleSender.ts'
import { incidentSlices, paymentEvaluations } from '../../src/stack/testing/samplePayments.ts'
import { stack } from './dashboards.ts'
import { credentials, ports } from './environment.ts'
import { storeEvaluations } from './evaluations.ts'
import type { StackApi } from './test.ts'
import { now } from './now.ts'

const hour = 3_600_000
const day = 24 * hour
/** The time of the day at which the sample was started: the traffic of its incident is always the same. */
const startedAt = (17 * 60 + 17) * 60_000

/** A time at which a sample may have been started, within the last day. */
export const sampleAnchor = (): number => Math.floor((now() - startedAt) / day) * day + startedAt

/**
 * The four hours around the incident, 30 to 54 hours ago, and the alert with its evaluations in them and in the twelve hours
 * after: at any time of the day, the page of the alert loads all of them at once. `anchor` is when the sample would have been
 * started.
 */
export async function plantIncident(api: StackApi): Promise<{ id: string; name: string; anchor: number }> {
  const anchor = sampleAnchor()
  const [webhook] = await api.webhooks()
  const id = await watchedSearch(api, anchor)
  const alert = await stack(alertSchema, 'POST', '/alerts', paymentsAlert(id, webhook?.id ?? ''))
  await storeEvaluations(
    paymentEvaluations(alert, anchor, anchor - 18 * hour).map((one) => ({ ...one, alertId: alert.id })),
  )
  return { id: alert.id, name: alert.name ?? '', anchor }
}

/** The ID of the saved search. Where it is, its rows are: a repeated test would send them twice. */
async function watchedSearch(api: StackApi, anchor: number): Promise<string> {
  const { payments } = sampleSearches(await api.sources())
  const name = `${payments.name}, ${new Date(anchor).toISOString()}`
  const searches = await stack(savedSearches.list.result, 'GET', '/saved-searches')
  const known = searches.find((search) => search.name === name)
  if (known) return known.id
  const sender = { collectorUrl: `http://127.0.0.1:${ports.otlpHttp}`, ingestionKey: () => credentials().ingestionKey }
  await sendSlices(anchor, incidentSlices, sender, AbortSignal.timeout(60_000))
  return (await stack(savedSearches.create.result, 'POST', '/saved-searches', { ...payments, name })).id
}
