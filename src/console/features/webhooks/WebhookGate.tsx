import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { PendingPage } from '#console/shell/PendingPage.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { Page } from '#console/ui/Page.tsx'
import { webhooks, type Webhook } from '#contract/webhooks.ts'
import { notThere } from './useWebhooks.ts'

/** The webhook that the address names, once it is there; found in the list, since the API has no read of one. */
export function WebhookGate({ children }: { children: (webhook: Webhook) => ReactNode }) {
  const connection = useConnection()
  const webhookId = useRouteParam('webhookId')
  const { data, error, refetch } = useQuery(q(connection.id, webhooks.list, {}))
  const found = data?.find((webhook) => webhook.id === webhookId)
  if (found) return children(found)
  if (!data && !error) return <PendingPage />
  return (
    <Page title="Webhook">
      <QueryError
        error={error ?? notThere(webhookId)}
        onRetry={() => void refetch()}
        elsewhere={<LinkButton to={paths.webhooks(connection.id)}>All webhooks</LinkButton>}
      />
    </Page>
  )
}
