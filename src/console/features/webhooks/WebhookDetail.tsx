import Box from '@mui/material/Box'
import { useNavigate } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { DetailPage } from '#console/shell/record/DetailPage.tsx'
import type { PageAction } from '#console/shell/pageActions.ts'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { PanelGrid } from '#console/ui/layout/PanelGrid.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { stringifyJson } from '#contract/json.ts'
import { webhooks, type Webhook } from '#contract/webhooks.ts'
import { AlertLinks } from './AlertLinks.tsx'
import { useDeleteWebhook } from './useDeleteWebhook.tsx'
import { useWebhookLock, useWebhookUses } from './useWebhooks.ts'
import { hidesBody } from './webhookForm.ts'
import { formatService } from './webhookLabels.ts'

/** Everything that can be read about one webhook, and who depends on it. */
export function WebhookDetail({ webhook }: { webhook: Webhook }) {
  const connection = useConnection()
  const { remove, dialog } = useDeleteWebhook()
  const actions = useActions(webhook, remove)
  const address = webhook.url && maskAddress(webhook.url)
  return (
    <DetailPage
      title={webhook.name}
      state={<StatusChip tone="neutral">{formatService(webhook.service)}</StatusChip>}
      lead={webhook.description}
      actions={actions}
      command={() => curlOf(connection, webhooks.list, {})}
    >
      <PanelGrid>
        <Panel title="Where it goes">
          <DescriptionList
            rows={[
              ['Service', formatService(webhook.service)],
              ['Address', address && <code key="address">{address}</code>],
              ['Body', bodyOf(webhook)],
              ['Headers', webhook.service === 'slack' ? undefined : 'not readable: the API never answers them'],
              [
                'Query parameters',
                webhook.service === 'slack' ? undefined : 'not readable: the API never answers them',
              ],
            ]}
          />
        </Panel>
        <Panel title="Used by">
          <Users webhook={webhook} />
        </Panel>
        <Panel title="Record">
          <DescriptionList
            rows={[
              ['Id', <CopyId key="id" id={webhook.id} />],
              ['Created', webhook.createdAt && <Timestamp key="created" iso={webhook.createdAt} />],
              ['Updated', webhook.updatedAt && <Timestamp key="updated" iso={webhook.updatedAt} />],
            ]}
          />
        </Panel>
        <Panel title="JSON" flush>
          <JsonView
            text={stringifyJson(address ? { ...webhook, url: address } : webhook, 2)}
            label="The webhook as JSON, its address masked"
          />
        </Panel>
      </PanelGrid>
      {dialog}
    </DetailPage>
  )
}

function bodyOf(webhook: Webhook) {
  if (webhook.service === 'slack') return undefined
  if (hidesBody(webhook)) return 'not readable for this service'
  return webhook.body ? (
    <Box component="code" key="body" sx={{ whiteSpace: 'pre-wrap' }}>
      {webhook.body}
    </Box>
  ) : (
    'the usual text'
  )
}

function useActions(webhook: Webhook, remove: ReturnType<typeof useDeleteWebhook>['remove']): PageAction[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const disabled = useWebhookLock()
  return useMemo(
    () => [
      {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        disabled,
        run: () => void remove(webhook, () => navigate({ to: paths.webhooks(connection.id) })),
      },
      {
        label: 'Edit',
        icon: Pencil,
        key: 'e',
        disabled,
        run: () => void navigate({ to: paths.editWebhook(connection.id, webhook.id) }),
      },
    ],
    [webhook, connection.id, disabled, navigate, remove],
  )
}

function Users({ webhook }: { webhook: Webhook }) {
  const uses = useWebhookUses()?.(webhook.id)
  if (!uses) return 'The alerts could not be read yet.'
  if (uses.length === 0) return 'No alert names this webhook. It can be deleted.'
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <AlertLinks uses={uses} />
      {uses.some((use) => use.guarded) && (
        <Notice tone="info">It cannot be deleted while it is the first channel of an alert.</Notice>
      )}
    </Box>
  )
}
