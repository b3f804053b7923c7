import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { alertName, useNames } from '#console/usages/alertNames.ts'
import { alertsWithoutWebhook } from '#console/usages/usage.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { counted } from '#domain/text/words.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { alerts } from '#contract/stack/alerts.ts'
import { webhooks, type Webhook } from '#contract/stack/webhooks.ts'
import type { Uses } from '#console/records/record/resource.ts'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import { receiverKindOf, receiverKinds, receiverName, receiverNames } from '#domain/alerting/receivers/receiverKinds.ts'
import { useWebhookLock, useWebhookUses, webhookResource } from './webhookResource.tsx'
import * as css from './webhooks.module.css'

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

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
function webhookColumns(connectionId: string, usesOf: ((id: string) => Uses) | undefined): Column<Webhook>[] {
  return [
    nameColumn({
      grow: 0.7,
      width: 150,
      name: (hook) => hook.name,
      to: (hook) => paths.webhook(connectionId, hook.id),
    }),
    {
      id: 'service',
      title: 'Receiver',
      width: 130,
      type: 'choice',
      options: receiverKinds.map((kind) => ({ value: kind, label: receiverNames[kind] })),
      value: (hook) => receiverKindOf(hook) ?? hook.service,
      cell: (hook) => <StatusChip tone="neutral">{receiverName(hook)}</StatusChip>,
    },
    // A URL may contain a token: not even the search may see the rest of it.
    {
      id: 'address',
      title: 'URL',
      grow: 1,
      width: 200,
      value: (hook) => hook.url && maskAddress(hook.url),
      cell: (hook) => hook.url && <code>{maskAddress(hook.url)}</code>,
    },
    {
      id: 'usedBy',
      title: 'Alerts',
      width: 80,
      type: 'number',
      value: (hook) => usesOf?.(hook.id).count,
    },
    { id: 'description', title: 'Description', grow: 0.8, width: 140, value: (hook) => hook.description },
    { id: 'updated', title: 'Updated', width: 120, type: 'timestamp', hidden: true, value: (hook) => hook.updatedAt },
    idColumn(230),
  ]
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
