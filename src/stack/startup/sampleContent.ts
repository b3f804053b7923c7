/** The sample telemetry with its progress and dashboard in the store. */
import { z } from 'zod'
import { newDashboard } from '../documents/dashboardDocument.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { deleteDashboard } from '../resources/dashboards.ts'
import { sourceRows } from '../resources/sources.ts'
import { createSample, type Sample, type SampleOptions } from '../sample/sampleTelemetry.ts'
import { sampleDashboard } from '../sample/sampleDashboard.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import type { Store } from '../store/store.ts'

type SampleContentOptions = Pick<
  SampleOptions,
  'engine' | 'collectorUrl' | 'ingestionKey' | 'logger' | 'sinceLastQuery'
> & {
  store: Store
}

export function openSample({ store, ...options }: SampleContentOptions): Promise<Sample> {
  return createSample({
    ...options,
    state: {
      get: async () => (await readSetting(store, 'sample', z.unknown())) ?? null,
      set: (progress) => store.write((transaction) => writeSetting(transaction, 'sample', progress)),
    },
    dashboard: {
      create: () =>
        store.write(async (transaction) => {
          const dashboard = newDashboard(sampleDashboard(await sourceRows.all(transaction)))
          await dashboardRows.insert(transaction, dashboard)
          return dashboard.id
        }),
      delete: (id) => store.write((transaction) => deleteDashboard(transaction, id)),
    },
  })
}
