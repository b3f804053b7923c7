/** Webhooks: section 6 of the open-source reference. */
import type { Handlers } from '#contract/kernel.ts'
import type { Webhook, webhooks } from '#contract/webhooks.ts'
import type { StackContext } from '../context.ts'
import { collection } from '../store/collection.ts'

export const webhookRows = collection<Webhook>('webhooks')

export const webhookHandlers: Handlers<typeof webhooks, StackContext> = {
  async list({ query }, { store }) {
    return { items: await webhookRows.list(store, query), total: await webhookRows.count(store), ...query }
  },
}
