/** Dashboards on both variants: docs/DEPLOYMENTS.md#deletion-and-references, #omitted-fields, #dashboards. */
import { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { alertableDisplayTypes, type dashboards } from '#contract/stack/dashboards/dashboards.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { StackContext } from './context.ts'
import { notFound, refuse } from '../refusal.ts'
import { requireRoom } from '../store/requireRoom.ts'
import type { Queries } from '../store/store.ts'
import { check } from '../validation.ts'
import { changedDashboard, newDashboard } from '../documents/dashboardDocument.ts'
import { brokenReference, linkedDashboardIds } from '../documents/dashboardReferences.ts'
import {
  dashboardLimit,
  dashboardRows,
  type DashboardDocument,
  type DashboardInput,
} from '../documents/dashboardRows.ts'
import { sourceRows } from './sources.ts'

export const dashboardHandlers: Handlers<typeof dashboards, StackContext> = {
  list: (_, { store }) => dashboardRows.list(store),

  async get({ params }, { store }) {
    const dashboard = await dashboardRows.text(store, params.dashboardId)
    if (!dashboard) throw notFound('Dashboard')
    return dashboard
  },

  create({ body }, { store, identity }) {
    return store.write(async (transaction) => {
      await requireRoom(transaction, dashboardLimit)
      await checkReferences(body, transaction, identity.connectionId)
      const dashboard = newDashboard(body)
      await dashboardRows.insert(transaction, dashboard)
      return dashboard
    })
  },

  async validate({ body }, { store, identity }) {
    const checked = check(dashboardCreateStrict, body)
    if (!checked.ok) {
      return { valid: false, errors: checked.issues.map(({ path, message }) => ({ path, message })), normalized: null }
    }
    const problem = await problemOf(checked.data, store, identity.connectionId)
    if (problem !== null) return { valid: false, errors: [{ path: '', message: problem }], normalized: null }
    return { valid: true, errors: [], normalized: checked.data }
  },

  update({ params, body }, { store, identity }) {
    return store.write(async (transaction) => {
      const stored = await dashboardRows.get(transaction, params.dashboardId)
      if (!stored) throw notFound('Dashboard')
      await checkReferences(body, transaction, identity.connectionId, stored)
      const dashboard = changedDashboard(stored, body)
      await dashboardRows.update(transaction, dashboard)
      await deleteAlerts(transaction, dashboard.id, unwatchableTiles(stored, dashboard))
      return dashboard
    })
  },

  /** Deleting a missing dashboard succeeds, as on deployments. */
  delete({ params }, { store }) {
    return store.write((transaction) => deleteDashboard(transaction, params.dashboardId))
  },
}

/** Deletes a dashboard and the alerts on its tiles. */
export async function deleteDashboard(queries: Queries, id: string): Promise<void> {
  await dashboardRows.delete(queries, id)
  await queries.run('DELETE FROM alerts WHERE dashboard_id = ?', [id])
}

async function checkReferences(
  dashboard: DashboardInput,
  queries: Queries,
  connectionId: string,
  stored?: DashboardDocument,
): Promise<void> {
  const problem = await problemOf(dashboard, queries, connectionId, stored)
  if (problem !== null) throw refuse(problem)
}

async function problemOf(
  dashboard: DashboardInput,
  queries: Queries,
  connectionId: string,
  stored?: DashboardDocument,
): Promise<string | null> {
  const dashboardIds = new Set<string>()
  for (const id of linkedDashboardIds(dashboard)) {
    if (await dashboardRows.text(queries, id)) dashboardIds.add(id)
  }
  return brokenReference(dashboard, {
    sources: await sourceRows.all(queries),
    connectionIds: new Set([connectionId]),
    dashboardIds,
    stored,
  })
}

/** The IDs of tiles that were removed, or whose new display type alerts cannot use. */
function unwatchableTiles(before: DashboardDocument, after: DashboardDocument): string[] {
  const displayTypes = new Map(after.tiles.map((tile) => [tile.id, tile.config.displayType]))
  return before.tiles.flatMap(({ id, config }) => {
    const now = displayTypes.get(id)
    if (now === undefined) return [id]
    return now !== config.displayType && !alertableDisplayTypes.includes(now) ? [id] : []
  })
}

async function deleteAlerts(queries: Queries, dashboardId: string, tileIds: readonly string[]): Promise<void> {
  for (const tileId of tileIds) {
    await queries.run('DELETE FROM alerts WHERE dashboard_id = ? AND tile_id = ?', [dashboardId, tileId])
  }
}
