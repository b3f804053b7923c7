/** Dashboards as they are kept and answered: reference 4.2. */
import type { z } from 'zod'
import type { dashboardCreateStrict, dashboardUpdateStrict } from '#contract/dashboardRules.ts'
import { collection } from '../store/collection.ts'

export type DashboardCreate = z.output<typeof dashboardCreateStrict>
export type DashboardUpdate = z.output<typeof dashboardUpdateStrict>
export type DashboardInput = DashboardCreate | DashboardUpdate

type InputTile = DashboardInput['tiles'][number]
export type StoredTile = InputTile & { id: string }
export type StoredFilter = NonNullable<DashboardUpdate['filters']>[number]

/** A type alias, not an interface: only an alias fits the open records of the contract. */
export type DashboardDocument = {
  id: string
  name: string
  tiles: StoredTile[]
  tags: string[]
  filters: StoredFilter[]
  savedQuery: string | null
  savedQueryLanguage: string | null
  savedFilterValues: NonNullable<DashboardInput['savedFilterValues']>
  /** Only when there are any. */
  containers?: NonNullable<DashboardInput['containers']>
}

/** Listed by name, last first, as deployments do. */
export const dashboardRows = collection<DashboardDocument>('dashboards', {
  order: 'name DESC, seq',
  columns: (dashboard) => ({ name: dashboard.name }),
})
