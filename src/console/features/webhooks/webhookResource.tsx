/** Webhooks as a resource: endpoints, pages, what uses them, and what deleting one does. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useChangesOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { webhookUses } from '#console/usages/usage.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { defineResource, type Uses } from '#console/records/record/resource.ts'
import { counted } from '#domain/text/words.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { variants } from '#contract/wire/kernel.ts'
import { webhooks, type Webhook } from '#contract/stack/webhooks.ts'
import { AlertLinks } from './AlertLinks.tsx'
import { hidesBody, readForm, sameShown, withUrl, writeBody } from './form/webhookForm.ts'

export const webhookResource = defineResource({
  api: webhooks,
  idParams: ['webhookId'],
  paths: { list: paths.webhooks, new: paths.newWebhook, detail: paths.webhook, edit: paths.editWebhook },
  nameOf: ({ name }) => name,
  // A change of headers alone shows in the date only.
  unchanged: (now, before) => sameShown(now, before) && now.updatedAt === before.updatedAt,
  secretBody: true,
  uses: {
    read: async (connectionId, id, fresh) => {
      const reading = queryClient.fetchQuery({ ...q(connectionId, alerts.list, {}), ...(fresh && { staleTime: 0 }) })
      const all = await reading.catch(() => undefined)
      return all && usesIn(all, id)
    },
    blocked:
      'The API does not delete a webhook that is the first channel of an alert. Move these alerts to another webhook first, or delete them.',
    left: 'Alerts with it as an additional channel keep a reference to a missing webhook and send nothing there.',
    decidedBy: 'alerts',
  },
  deletion: {
    notRestored: (records) =>
      records.every(({ service }) => service === 'slack') ? '' : 'Headers and query parameters are not restored.',
    irreversible,
    body: (webhook) => writeBody(withUrl(readForm(webhook), webhook), null),
  },
})

/** A URL or a key in the body that was masked cannot be sent again, nor a body that the API does not return. */
function irreversible(webhook: Webhook): string | undefined {
  const { url, body } = webhook
  const restorable = url !== undefined && !url.includes('•') && !body?.includes('•') && !hidesBody(webhook)
  return restorable ? undefined : 'the URL or the body cannot be read'
}

/** Why webhooks cannot be changed here. No read shows it: the first change does. */
export function useWebhookLock(): string | undefined {
  const connection = useConnection()
  const { reason } = useChangesOffer(connection, 'webhooks', variants)
  return lockReason(connection) ?? reason
}

/** The uses of each webhook: alerts, which are read where webhooks are offered. */
export function useWebhookUses(offered = true): ((id: string) => Uses) | undefined {
  const { data } = useQuery({ ...q(useConnection().id, alerts.list, {}), enabled: offered })
  return useMemo(() => data && ((id: string) => usesIn(data, id)), [data])
}

function usesIn(all: readonly Alert[], id: string): Uses {
  const uses = webhookUses(id, all)
  return {
    count: uses.length,
    summary: uses.length > 0 ? counted(uses.length, 'alert') : '',
    blocking: uses.some(({ guarded }) => guarded),
    links: (newTab) => <AlertLinks webhookId={id} newTab={newTab} />,
  }
}
