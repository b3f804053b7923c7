/** Alerts on both variants: sections 1.8, 1.9 and 3 of the open-source reference. */
import { channelsOf, type AlertChannel, type alerts } from '#contract/alerts.ts'
import type { Handlers } from '#contract/kernel.ts'
import type { StackContext } from './context.ts'
import { notFound, refuse } from '../refusal.ts'
import { isObjectId } from '../ids.ts'
import { collection } from '../store/collection.ts'
import type { Queries } from '../store/store.ts'
import { changedAlert, newAlert, type AlertDocument, type AlertInput } from '../documents/alertDocument.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import { alertOnSqlTile } from '../documents/sqlTiles.ts'
import { webhookRows } from '../documents/webhookRows.ts'

export const alertRows = collection<AlertDocument>('alerts', {
  columns: (alert) => ({
    dashboard_id: alert.dashboardId ?? null,
    tile_id: alert.tileId ?? null,
    saved_search_id: alert.savedSearchId ?? null,
    webhook_id: alert.channel.webhookId ?? null,
  }),
})

export const alertHandlers: Handlers<typeof alerts, StackContext> = {
  async list({ query }, { store }) {
    return { items: await alertRows.list(store, query), total: await alertRows.count(store), ...query }
  },

  async get({ params }, { store }) {
    const alert = await alertRows.text(store, params.alertId)
    if (!alert) throw notFound('Alert')
    return alert
  },

  create({ body }, { store, identity }) {
    return store.write(async (transaction) => {
      await checkReferences(body, transaction)
      const alert = newAlert(body, identity.teamId)
      await alertRows.insert(transaction, alert)
      return alert
    })
  },

  update({ params, body }, { store }) {
    return store.write(async (transaction) => {
      const stored = await alertRows.get(transaction, params.alertId)
      if (!stored) throw notFound('Alert')
      await checkReferences(body, transaction)
      const alert = changedAlert(stored, body)
      await alertRows.update(transaction, alert)
      return alert
    })
  },

  delete({ params }, { store }) {
    return store.write(async (transaction) => {
      if (!(await alertRows.delete(transaction, params.alertId))) throw notFound('Alert')
    })
  },
}

/** Checks what an alert refers to. The checks and their order are those of reference 3.3. */
async function checkReferences(alert: AlertInput, queries: Queries): Promise<void> {
  if (alert.source === 'tile') await checkTile(alert, queries)
  else await checkSavedSearch(alert, queries)
  await checkChannels(channelsOf(alert), queries)
}

async function checkTile({ dashboardId, tileId }: AlertInput, queries: Queries): Promise<void> {
  if (!dashboardId || !isObjectId(dashboardId)) throw refuse('Invalid dashboard ID')
  const dashboard = await dashboardRows.get(queries, dashboardId)
  if (!dashboard) throw refuse('Dashboard not found')
  const tile = dashboard.tiles.find((tile) => tile.id === tileId)
  if (!tile) throw refuse('Tile not found')
  const problem = alertOnSqlTile(tile.config)
  if (problem) throw refuse(problem)
}

async function checkSavedSearch({ savedSearchId }: AlertInput, queries: Queries): Promise<void> {
  if (!savedSearchId || !isObjectId(savedSearchId)) throw refuse('Invalid saved search ID')
  if (!(await savedSearchRows.text(queries, savedSearchId))) throw refuse('Saved search not found')
}

async function checkChannels(channels: AlertChannel[], queries: Queries): Promise<void> {
  if (channels.length === 0) throw refuse('At least one notification channel is required')
  for (const { webhookId } of channels) {
    if (!webhookId || !isObjectId(webhookId)) throw refuse('Invalid webhook ID')
    if (!(await webhookRows.text(queries, webhookId))) throw refuse('Webhook not found')
  }
}
