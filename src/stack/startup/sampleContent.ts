/** The sample telemetry with its progress, dashboard, saved searches and alerts in the store. */
import { currentTime } from '#node/clock/wallClock.ts'
import { backfill } from '../alerting/backfill.ts'
import { newAlert } from '../documents/alertDocument.ts'
import { alertRows, alertsOnSearch } from '../documents/alertRows.ts'
import { newDashboard } from '../documents/dashboardDocument.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { newSavedSearch, savedSearchRows } from '../documents/savedSearchRows.ts'
import { webhookRows } from '../documents/webhookRows.ts'
import { deleteDashboard } from '../resources/dashboards.ts'
import { deleteSavedSearch } from '../resources/search/savedSearches.ts'
import { sourceRows } from '../resources/sources.ts'
import { sampleAlerts, sampleSearches } from '../sample/sampleAlerts.ts'
import { createSample, type Sample, type SampleOptions } from '../sample/sampleTelemetry.ts'
import { sampleDashboard } from '../sample/sampleDashboard.ts'
import { sampleProgress, type SampleContent } from '../sample/sampleProgress.ts'
import type { Identity } from '../store/identity.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'
import { addExampleWebhook } from './firstStart.ts'
import type { StagingPlace } from './sampleStaging.ts'

type SampleContentOptions = Omit<SampleOptions, 'engine' | 'state' | 'content'> & ContentDependencies

interface ContentDependencies {
  store: Store
  /** The environment that comes and goes with the sample. Default: none. */
  staging?: Pick<StagingPlace, 'staging' | 'remove'>
  identity: Identity
  engine: Engine
  readable: () => Promise<Readable>
}

const hour = 3_600_000
/** Milliseconds of history of the alert that fired. The incident was 30 hours before the sample was started. */
const historyLength = 48 * hour
/** Milliseconds for which an alert of the sample is silenced. */
const silencedFor = 7 * 24 * hour

const readProgress = async (queries: Queries) => (await readSetting(queries, 'sample', sampleProgress)) ?? null

export function openSample(parts: SampleContentOptions): Sample {
  const { store, identity, engine, readable, staging, ...options } = parts
  return createSample({
    ...options,
    engine,
    state: {
      get: () => readProgress(store),
      update: (work) =>
        store.write(async (transaction) => {
          const progress = work(await readProgress(transaction))
          await writeSetting(transaction, 'sample', progress)
          return progress
        }),
    },
    content: {
      create: () => store.write((transaction) => createContent(transaction, identity)),
      addAlerts: async (content, signal) => {
        await staging?.staging?.change()
        await addAlerts({ store, identity, engine, readable }, content, signal)
      },
      incidentAlertId: (content) => incidentAlertId(store, content),
      delete: async (content) => {
        await staging?.remove()
        await store.write((transaction) => deleteContent(transaction, content))
      },
    },
  })
}

async function createContent(transaction: Queries, { teamId }: Identity): Promise<SampleContent> {
  const sources = await sourceRows.all(transaction)
  const dashboard = newDashboard(sampleDashboard(sources))
  await dashboardRows.insert(transaction, dashboard)
  const searches = sampleSearches(sources)
  const payments = newSavedSearch(searches.payments, teamId)
  const checkouts = newSavedSearch(searches.checkouts, teamId)
  await savedSearchRows.insert(transaction, payments)
  await savedSearchRows.insert(transaction, checkouts)
  return { dashboardId: dashboard.id, savedSearches: { payments: payments.id, checkouts: checkouts.id } }
}

/** Does nothing if they exist, or if what they watch was deleted meanwhile. */
async function addAlerts(parts: ContentDependencies, content: SampleContent, signal: AbortSignal): Promise<void> {
  const { store, identity } = parts
  const watched = await readWatched(store, content)
  if (!watched || (await alertsOnSearch(store, watched.searches.payments.id)).length > 0) return
  const webhookId = await store.write(async (transaction) => {
    const [webhook] = await webhookRows.all(transaction)
    return webhook?.id ?? (await addExampleWebhook(transaction, identity))
  })
  const inputs = sampleAlerts({ ...watched, webhookId })
  const now = currentTime()
  const fired = newAlert(inputs.fired, identity.teamId)
  const writeFired = await backfill({ ...parts, signal }, fired, { from: now - historyLength, to: now })
  await store.write(async (transaction) => {
    await writeFired(transaction)
    await alertRows.insert(transaction, newAlert(inputs.pending, identity.teamId))
    await alertRows.insert(transaction, newAlert(inputs.invalid, identity.teamId))
    const silenced = {
      at: new Date(now).toISOString(),
      until: new Date(now + silencedFor).toISOString(),
      reason: 'The team works on it.',
    }
    await alertRows.insert(transaction, { ...newAlert(inputs.silenced, identity.teamId), silenced })
  })
}

async function readWatched(queries: Queries, { dashboardId, savedSearches }: SampleContent) {
  if (!dashboardId || !savedSearches) return null
  const dashboard = await dashboardRows.get(queries, dashboardId)
  const payments = await savedSearchRows.get(queries, savedSearches.payments)
  const checkouts = await savedSearchRows.get(queries, savedSearches.checkouts)
  return dashboard && payments && checkouts ? { dashboard, searches: { payments, checkouts } } : null
}

/** The alert of the incident is the one that groups by service; the others on its search have an error. */
async function incidentAlertId(queries: Queries, { savedSearches }: SampleContent): Promise<string | undefined> {
  if (!savedSearches) return undefined
  const alerts = await alertsOnSearch(queries, savedSearches.payments)
  return alerts.find(({ groupBy }) => groupBy === 'ServiceName')?.id
}

async function deleteContent(transaction: Queries, { dashboardId, savedSearches }: SampleContent): Promise<void> {
  if (dashboardId) await deleteDashboard(transaction, dashboardId)
  for (const id of Object.values(savedSearches ?? {})) await deleteSavedSearch(transaction, id)
}
