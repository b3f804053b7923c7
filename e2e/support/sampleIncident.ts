/** The incident of the sample: its telemetry, and the alert that fired in it, in a stack that has no sample. */
import { alert as alertSchema } from '../../src/contract/stack/alerts.ts'
import { savedSearches } from '../../src/contract/stack/savedSearches.ts'
import { paymentsAlert, sampleSearches } from '../../src/stack/sample/sampleAlerts.ts'
import { sendSlices } from '../../src/stack/sample/sampleSender.ts'
import { incidentSlices, paymentEvaluations } from '../../src/stack/testing/samplePayments.ts'
import { stack } from './dashboards.ts'
import { credentials, ports } from './environment.ts'
import { storeEvaluations } from './evaluations.ts'
import { test, type StackApi } from './test.ts'
import { now } from './now.ts'

const hour = 3_600_000
const day = 24 * hour
/** The time of the day at which the sample was started: the traffic of its incident is always the same. */
const startedAt = (17 * 60 + 17) * 60_000

/** A time at which a sample may have been started, within the last day. */
export const sampleAnchor = (): number => Math.floor((now() - startedAt) / day) * day + startedAt

interface Incident {
  /** The alert. */
  id: string
  name: string
  /** When the sample would have been started, epoch milliseconds. */
  anchor: number
}

/** A test that has the incident of the sample. Its alert is deleted afterwards: other tests have the same stack. */
export const incidentTest = test.extend<{ incident: Incident }>({
  incident: async ({ api }, run) => {
    const incident = await plantIncident(api)
    await run(incident)
    await api.deleteAlert(incident.id)
  },
})

/**
 * The four hours around the incident, 30 to 54 hours ago, and the alert with its evaluations in them and in the twelve hours
 * after: at any time of the day, the page of the alert loads all of them at once.
 */
async function plantIncident(api: StackApi): Promise<Incident> {
  const { searchId, anchor } = await plantedRows(api)
  const [webhook] = await api.webhooks()
  const alert = await stack(alertSchema, 'POST', '/alerts', paymentsAlert(searchId, webhook?.id ?? ''))
  await storeEvaluations(
    paymentEvaluations(alert, anchor, anchor - 18 * hour).map((evaluation) => ({ ...evaluation, alertId: alert.id })),
  )
  return { id: alert.id, name: alert.name ?? '', anchor }
}

/**
 * The saved search of the incident. Where there is one, its rows are there: another test would send them twice or, once a day,
 * with the next anchor.
 */
async function plantedRows(api: StackApi): Promise<{ searchId: string; anchor: number }> {
  const { payments } = sampleSearches(await api.sources())
  const prefix = `${payments.name}, `
  const searches = await stack(savedSearches.list.result, 'GET', '/saved-searches')
  const known = searches.find(({ name }) => name.startsWith(prefix))
  if (known) return { searchId: known.id, anchor: Date.parse(known.name.slice(prefix.length)) }
  const anchor = sampleAnchor()
  const sender = { collectorUrl: `http://127.0.0.1:${ports.otlpHttp}`, ingestionKey: () => credentials().ingestionKey }
  await sendSlices(anchor, incidentSlices, sender, AbortSignal.timeout(60_000))
  const name = `${prefix}${new Date(anchor).toISOString()}`
  const { id } = await stack(savedSearches.create.result, 'POST', '/saved-searches', { ...payments, name })
  return { searchId: id, anchor }
}
