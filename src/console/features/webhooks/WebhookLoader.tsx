import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { itemOf, RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import { webhooks, type Webhook } from '#contract/webhooks.ts'

/** The webhook that the address names, once it is there; found in the list, since the API has no read of one. */
export function WebhookLoader({ title, children }: { title: string; children: (webhook: Webhook) => ReactNode }) {
  const { id: connectionId } = useConnection()
  const all = useQuery(q(connectionId, webhooks.list, {}))
  const read = itemOf(all, useRouteParam('webhookId'), 'webhook')
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.webhooks(connectionId), label: 'All webhooks' }}>
      {children}
    </RecordLoader>
  )
}
