import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { alertName, useNames } from '#console/references/alertNames.ts'
import { alertsWithoutWebhook } from '#console/references/usage.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { counted } from '#domain/text/words.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { alerts } from '#contract/stack/alerts.ts'
import { webhooks, type Webhook } from '#contract/stack/webhooks.ts'
import { webhookColumns } from './columns.tsx'
import { useWebhookLock, useWebhookUses, webhookResource } from './webhookResource.tsx'
import css from './WebhooksPage.module.css'

export const reads = listReads(webhookResource, alerts.list)

export default function WebhooksPage() {
  const connection = useConnection()
  const usesOf = useWebhookUses(useOffer(connection, 'webhooks', webhooks.list.variants).offered)
  const columns = useMemo(() => webhookColumns(connection.id, usesOf), [connection.id, usesOf])
  return (
    <RecordList
      resource={webhookResource}
      lead="Where alerts send their notifications. URLs are masked because they may hold a token."
      columns={columns}
      empty="Alerts send their notifications to webhooks."
      locked={useWebhookLock()}
      usesOf={usesOf}
      renderNotice={(all) => <MissingWebhooks all={all} />}
    />
  )
}

/** Alerts that refer to webhooks that do not exist. */
function MissingWebhooks({ all }: { all: readonly Webhook[] }) {
  const connection = useConnection()
  const names = useNames(connection)
  const { data } = useQuery(q(connection.id, alerts.list, {}))
  const broken = alertsWithoutWebhook(data ?? [], all)
  if (broken.length === 0) return null
  return (
    <div className={css.missingWebhooks}>
      <Notice tone="warning">
        {counted(broken.length, 'alert')} {broken.length === 1 ? 'refers' : 'refer'} to webhooks that do not exist:{' '}
        {broken.slice(0, 5).map((alert, at) => (
          <span key={alert.id}>
            {at > 0 && ', '}
            <TextLink underline="always" to={paths.alert(connection.id, alert.id)}>
              {alertName(alert, names)}
            </TextLink>
          </span>
        ))}
        {broken.length > 5 && ` and ${broken.length - 5} more`}.
      </Notice>
    </div>
  )
}
