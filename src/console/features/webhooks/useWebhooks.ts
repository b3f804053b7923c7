/** Reading webhooks and the alerts that name them, and what may be done with them. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#console/api/call.ts'
import { useChangesOffer } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import { webhookUses, type WebhookUse } from '#console/references/usage.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { notThere } from '#console/shell/record/RecordLoader.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { alerts } from '#contract/alerts.ts'
import { variants } from '#contract/kernel.ts'
import { webhooks, type Webhook } from '#contract/webhooks.ts'

/** One webhook, found in the list: the API has no read of one. */
export async function readWebhook(connectionId: string, id: string): Promise<Webhook> {
  const all = await call(connectionId, webhooks.list, {}, { priority: 'readBack' })
  const found = all.find((one) => one.id === id)
  if (!found) throw notThere('webhook', id)
  return found
}

/** Why webhooks cannot be changed here; undefined where they can. There is nothing to ask beforehand: the first change tells. */
export function useWebhookLock(): string | undefined {
  const connection = useConnection()
  const { reason } = useChangesOffer(connection, 'webhooks', variants)
  return lockReason(connection) ?? reason
}

/** Which alerts name a webhook. Undefined until they are read. */
export function useWebhookUses(): ((id: string) => WebhookUse[]) | undefined {
  const { data } = useQuery(q(useConnection().id, alerts.list, {}))
  return useMemo(() => data && ((id: string) => webhookUses(id, data)), [data])
}
