/** Dashboards as they are stored and returned: docs/DEPLOYMENTS.md#dashboards. */
import type { z } from 'zod'
import type { dashboardCreateStrict, dashboardUpdateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { collection } from '../store/collection.ts'
import type { Limit } from '../store/requireRoom.ts'

export type DashboardCreate = z.output<typeof dashboardCreateStrict>
export type DashboardUpdate = z.output<typeof dashboardUpdateStrict>
export type DashboardInput = DashboardCreate | DashboardUpdate

type InputTile = DashboardInput['tiles'][number]
export type StoredTile = InputTile & { id: string }
export type StoredFilter = NonNullable<DashboardUpdate['filters']>[number]

/** A type alias, because an interface does not fit the loose schemas of the contract. */
export type DashboardDocument = {
  id: string
  name: string
  tiles: StoredTile[]
  tags: string[]
  filters: StoredFilter[]
  savedQuery: string | null
  savedQueryLanguage: string | null
  savedFilterValues: NonNullable<DashboardInput['savedFilterValues']>
  /** Absent if there are none. */
  containers?: NonNullable<DashboardInput['containers']>
}

/** Sorted by name, descending, as on deployments. */
export const dashboardRows = collection<DashboardDocument>('dashboards', {
  order: 'name DESC, seq',
  columns: (dashboard) => ({ name: dashboard.name }),
})

export const dashboardLimit: Limit = {
  rows: dashboardRows,
  most: 20_000,
  owner: 'A stack',
  records: 'dashboards',
  remedy: 'Delete one first',
}
