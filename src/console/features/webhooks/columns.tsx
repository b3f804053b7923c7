import { paths } from '#console/paths/paths.ts'
import type { Uses } from '#console/records/record/resource.ts'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { receiverKindOf, receiverKinds, receiverName, receiverNames } from '#domain/alerting/receivers/receiverKinds.ts'

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
export function webhookColumns(connectionId: string, usesOf: ((id: string) => Uses) | undefined): Column<Webhook>[] {
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
