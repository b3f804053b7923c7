/** Alerts on both variants: docs/DEPLOYMENTS.md#deletion-and-references, #omitted-fields, #alerts. */
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { channelsOf, type AlertChannel, type alerts } from '#contract/stack/alerts.ts'
import { hasProductNames } from '#contract/wire/naming.ts'
import { isLatePass } from '#domain/alerting/latePass.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { StackContext } from './context.ts'
import { notFound, Refusal, refuse } from '../refusal.ts'
import { isObjectId } from '../ids.ts'
import { requireRoom } from '../store/requireRoom.ts'
import type { Queries, Store } from '../store/store.ts'
import { changedAlert, newAlert, type AlertDocument, type AlertInput } from '../documents/alertDocument.ts'
import { withNames, withoutWatchedNames } from '../documents/alertNames.ts'
import { crossingsOf, evaluationsOf } from '../documents/alertEvaluations.ts'
import { resumeEvaluation } from '../documents/alertCursors.ts'
import { lastPass } from '../documents/alertPasses.ts'
import { alertLimit, alertRows, setAuthor } from '../documents/alertRows.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import { alertOnSqlTile } from '../documents/sqlTiles.ts'
import { webhookRows } from '../documents/webhookRows.ts'
import { alertTestHandlers } from '../notifications/alertTestHandlers.ts'
import { deliveryHandlers } from '../notifications/deliveryHandlers.ts'
import { sourceRows } from './sources.ts'
import { databasesFor } from './sourceTables.ts'

export const alertHandlers: Handlers<typeof alerts, StackContext> = {
  async list({ query }, { store, ...context }) {
    const [items, total] = [await alertRows.list(store, query), await alertRows.count(store)]
    if (!isNamed(context)) return { items, total, ...query }
    return { items: await withNames(JSON.parse(items.text) as AlertDocument[], store), total, ...query } // stored alerts
  },

  async get({ params }, { store, ...context }) {
    const alert = await alertRows.text(store, params.alertId)
    if (!alert) throw notFound('Alert')
    return isNamed(context) ? named(JSON.parse(alert.text) as AlertDocument, store) : alert // a stored alert
  },

  create({ body }, { store, identity, member, ...context }) {
    return store.write(async (transaction) => {
      await requireRoom(transaction, alertLimit)
      await checkReferences(body, transaction)
      const alert = newAlert(await withoutWatchedNames(body, transaction), identity.teamId)
      await alertRows.insert(transaction, alert)
      if (member) await setAuthor(transaction, alert.id, member.id)
      return isNamed(context) ? named(alert, transaction) : alert
    })
  },

  update({ params, body }, { store, ...context }) {
    return store.write(async (transaction) => {
      const stored = await alertRows.get(transaction, params.alertId)
      if (!stored) throw notFound('Alert')
      await checkReferences(body, transaction)
      const alert = changedAlert(stored, await withoutWatchedNames(body, transaction))
      await alertRows.update(transaction, alert)
      return isNamed(context) ? named(alert, transaction) : alert
    })
  },

  delete({ params }, { store }) {
    return store.write(async (transaction) => {
      if (!(await alertRows.delete(transaction, params.alertId))) throw notFound('Alert')
    })
  },

  async evaluations({ params, query }, { store }) {
    await requireAlert(store, params.alertId)
    return evaluationsOf(store, params.alertId, query)
  },

  async evaluationStatus(_, { store, unevaluated }) {
    const pass = await lastPass(store)
    return {
      lastPassAt: pass && new Date(pass.ended).toISOString(),
      late: pass !== null && isLatePass(pass, currentTime(), currentTime() - performance.now()),
      ...(unevaluated !== undefined && { unevaluated }),
    }
  },

  async history({ params, query }, { store }) {
    await requireAlert(store, params.alertId)
    return crossingsOf(store, params.alertId, query)
  },

  silence: ({ params, body }, { store }) =>
    operate(store, params.alertId, (alert) => {
      const { mutedUntil: until, reason, group, recurring } = body
      const at = currentIsoTime()
      const silence = { at, until, ...(reason && { reason }), ...(recurring && { recurring }) }
      if (group === undefined) return { ...alert, silenced: silence }
      const others = (alert.silencedGroups ?? []).filter((silencedGroup) => silencedGroup.group !== group)
      if (others.length >= maxSilencedGroups) throw refuse(`At most ${maxSilencedGroups} groups can be silenced`)
      return { ...alert, silencedGroups: [...others, { ...silence, group }] }
    }),

  unsilence: ({ params, query: { group } }, { store }) =>
    operate(store, params.alertId, (alert) => {
      const { silenced, silencedGroups, ...rest } = alert
      if (group === undefined) return { ...rest, ...(silencedGroups && { silencedGroups }) }
      const others = (silencedGroups ?? []).filter((silencedGroup) => silencedGroup.group !== group)
      return { ...rest, ...(silenced && { silenced }), ...(others.length > 0 && { silencedGroups: others }) }
    }),

  acknowledge: ({ params, body: { note, by } }, { store }) =>
    operate(store, params.alertId, (alert) => {
      if (alert.state !== 'ALERT') throw new Refusal(409, 'The alert does not fire, so there is nothing to acknowledge')
      return { ...alert, acknowledged: { at: currentIsoTime(), ...(by && { by }), ...(note && { note }) } }
    }),

  unacknowledge: ({ params }, { store }) => operate(store, params.alertId, unacknowledged),

  pause: ({ params, body }, { store }) =>
    operate(store, params.alertId, (alert) => {
      if (alert.paused) return alert
      const paused = { at: currentIsoTime(), ...(body.reason && { reason: body.reason }) }
      return { ...unacknowledged(alert), state: 'DISABLED', paused }
    }),

  resume: ({ params }, { store }) =>
    operate(store, params.alertId, async ({ paused, ...alert }, transaction) => {
      if (!paused) return alert
      const { pendingWindows: _, ...rest } = alert
      return { ...rest, state: await resumeEvaluation(transaction, alert) }
    }),

  ...alertTestHandlers<StackContext>({
    check: checkReferences,
    readable: async (context) => ({
      sources: await sourceRows.all(context.store),
      databases: await databasesFor(context),
    }),
  }),
  ...deliveryHandlers((queries, id) => alertRows.get(queries, id)),
}

/** Clients of the product's managed API expect a display name and tags in every answer. */
const isNamed = ({ caller, names }: Pick<StackContext, 'caller' | 'names'>): boolean =>
  caller !== null && hasProductNames(names)

/** An alert with its display name and tags. */
async function named(alert: AlertDocument, queries: Queries): Promise<AlertDocument> {
  const [named] = await withNames([alert], queries)
  return named ?? alert
}

function unacknowledged(alert: AlertDocument): AlertDocument {
  const { acknowledged: _, ...rest } = alert
  return rest
}

const maxSilencedGroups = 100

async function requireAlert(queries: Queries, id: string): Promise<void> {
  if (!(await alertRows.text(queries, id))) throw notFound('Alert')
}

/** Changes what is not part of a save, and leaves `updatedAt`. */
function operate(
  store: Store,
  id: string,
  change: (alert: AlertDocument, transaction: Queries) => AlertDocument | Promise<AlertDocument>,
): Promise<AlertDocument> {
  return store.write(async (transaction) => {
    const stored = await alertRows.get(transaction, id)
    if (!stored) throw notFound('Alert')
    const alert = await change(stored, transaction)
    await alertRows.update(transaction, alert)
    return alert
  })
}

/** Checks what an alert refers to. The checks and their order are those of docs/DEPLOYMENTS.md#alerts. */
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
