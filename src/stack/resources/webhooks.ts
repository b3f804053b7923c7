/** Webhooks: docs/DEPLOYMENTS.md#deletion-and-references, #omitted-fields, #webhooks. */
import type { Handlers } from '#contract/wire/kernel.ts'
import type { webhooks } from '#contract/stack/webhooks.ts'
import type { StackContext } from './context.ts'
import { notFound, Refusal, refuse } from '../refusal.ts'
import { requireRoom } from '../store/requireRoom.ts'
import type { Queries } from '../store/store.ts'
import type { AddressPolicy } from '../net/webhookAddress.ts'
import { webhookTestHandlers } from '../notifications/webhookTestHandlers.ts'
import {
  answerOf,
  changedWebhook,
  isNameTaken,
  newWebhook,
  webhookLimit,
  webhookRows,
  type WebhookInput,
} from '../documents/webhookRows.ts'

export const webhookHandlers: Handlers<typeof webhooks, StackContext> = {
  async list({ query }, { store }) {
    const all = await webhookRows.all(store)
    const items = all.slice(query.offset, query.offset + query.limit).map(answerOf)
    return { items, total: all.length, ...query }
  },

  async create({ body }, { store, webhookAddresses }) {
    await checkAddress(body, webhookAddresses)
    return store.write(async (transaction) => {
      await requireRoom(transaction, webhookLimit)
      await refuseTakenName(transaction, body)
      const webhook = newWebhook(body)
      await webhookRows.insert(transaction, webhook)
      return answerOf(webhook)
    })
  },

  async update({ params, body }, { store, webhookAddresses }) {
    const read = await webhookRows.get(store, params.webhookId)
    if (!read) throw notFound('Webhook')
    // An unchanged URL was accepted before, such as that of the example webhook.
    if (read.url !== body.url || read.service !== body.service) await checkAddress(body, webhookAddresses)
    return store.write(async (transaction) => {
      const stored = await webhookRows.get(transaction, read.id)
      if (!stored) throw notFound('Webhook')
      // Resolving a name is slow, so it happens outside of the transaction.
      if (stored.updatedAt !== read.updatedAt) {
        throw new Refusal(409, 'Webhook was modified concurrently; please retry with the current state')
      }
      await refuseTakenName(transaction, body, stored.id)
      const webhook = changedWebhook(stored, body)
      await webhookRows.update(transaction, webhook)
      return answerOf(webhook)
    })
  },

  delete({ params }, { store }) {
    return store.write(async (transaction) => {
      if (!(await webhookRows.text(transaction, params.webhookId))) throw notFound('Webhook')
      const count = await countAlerts(transaction, params.webhookId)
      if (count > 0) {
        throw new Refusal(
          409,
          `Cannot delete webhook: ${count} alert(s) still reference it. Reassign or remove those alerts first.`,
        )
      }
      await webhookRows.delete(transaction, params.webhookId)
    })
  },

  ...webhookTestHandlers,
}

async function checkAddress({ url, service }: WebhookInput, problemOf: AddressPolicy): Promise<void> {
  const problem = await problemOf(url, service)
  if (problem !== null) throw refuse(problem)
}

async function refuseTakenName(queries: Queries, webhook: WebhookInput, except?: string): Promise<void> {
  if (await isNameTaken(queries, webhook, except)) throw refuse('A webhook with this service and name already exists')
}

/** Alerts that have this webhook as their first channel. Other channels are not checked, as on deployments. */
async function countAlerts(queries: Queries, webhookId: string): Promise<number> {
  const [row] = await queries.rows('SELECT count(*) AS total FROM alerts WHERE webhook_id = ?', [webhookId])
  return Number(row?.['total'])
}
