import Box from '@mui/material/Box'
import { useNavigate } from '@tanstack/react-router'
import { CopyPlus, Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { curlOf } from '#console/api/curl.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { DetailPage } from '#console/shell/record/DetailPage.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { PageAction } from '#console/shell/pageActions.ts'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { PanelGrid } from '#console/ui/layout/PanelGrid.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { alertInput, alerts, channelsOf, type Alert } from '#contract/alerts.ts'
import type { Connection } from '#contract/connections.ts'
import { stringifyJson } from '#contract/json.ts'
import { writable } from './alertForm.ts'
import { alertName, useNames, watchedTile, formatAlertSubject } from '#console/references/alertNames.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { AlertState } from './AlertState.tsx'
import { ChannelName } from './ChannelName.tsx'
import { useDeleteAlert } from './deleting.ts'
import { ExecutionErrors } from './ExecutionErrors.tsx'
import { evaluationWarning } from './tileOptions.ts'
import { conditionSentence, formatCondition } from './alertLabels.ts'

// Few alerts have a note.
const Markdown = lazyComponent(async () => (await import('#console/ui/Markdown.tsx')).Markdown)

/** Everything about one alert. */
export function AlertDetail({ alert }: { alert: Alert }) {
  const connection = useConnection()
  const names = useNames(connection)
  const tile = watchedTile(alert, names)
  const warning = alert.source === 'tile' && evaluationWarning(tile)
  const actions = useActions(alert)
  return (
    <DetailPage
      title={alertName(alert, names)}
      state={
        <>
          <AlertState alert={alert} tile={tile} />
          {alert.silenced && <StatusChip tone="neutral">Silenced</StatusChip>}
        </>
      }
      lead={`Fires when the ${conditionSentence(alert)}.`}
      actions={actions}
      command={() => commandOf(connection, alert)}
    >
      <PanelGrid>
        {warning && (
          <Box sx={{ gridColumn: '1 / -1' }}>
            <Notice tone="warning">{warning}</Notice>
          </Box>
        )}
        <ExecutionErrors alert={alert} />
        <Panel title="Watches">
          <WatchedFacts alert={alert} />
        </Panel>
        <Panel title="Tells">
          <DescriptionList
            rows={[
              ['Channels', <Channels key="channels" alert={alert} />],
              ['Message', alert.message && <Text key="message">{alert.message}</Text>],
              ['Note', alert.note && <Markdown key="note" text={alert.note} />],
              ['Silenced', alert.silenced && <Silence key="silence" silenced={alert.silenced} />],
            ]}
          />
        </Panel>
        <Panel title="Record">
          <DescriptionList
            rows={[
              ['Id', <CopyId key="id" id={alert.id} />],
              ['Created', alert.createdAt && <Timestamp key="created" iso={alert.createdAt} />],
              ['Updated', alert.updatedAt && <Timestamp key="updated" iso={alert.updatedAt} />],
            ]}
          />
        </Panel>
        <Panel title="JSON" flush>
          <JsonView text={stringifyJson(alert, 2)} label="The alert as JSON" />
        </Panel>
      </PanelGrid>
    </DetailPage>
  )
}

function useActions(alert: Alert): PageAction[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const remove = useDeleteAlert()
  const disabled = lockReason(connection)
  return useMemo(
    () => [
      {
        label: 'Duplicate',
        icon: CopyPlus,
        disabled,
        run: () => void navigate({ to: paths.newAlert(connection.id), search: { from: alert.id } }),
      },
      {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        disabled,
        run: () => void remove(alert, () => navigate({ to: paths.alerts(connection.id) })),
      },
      {
        label: 'Edit',
        icon: Pencil,
        key: 'e',
        disabled,
        run: () => void navigate({ to: paths.editAlert(connection.id, alert.id) }),
      },
    ],
    [alert, connection.id, disabled, navigate, remove],
  )
}

/** The update that would leave the alert as it is; its read where the update would be refused. */
function commandOf(connection: Connection, alert: Alert): string | null {
  const body = alertInput.safeParse(writable(alert))
  const params = { alertId: alert.id }
  return body.success
    ? curlOf(connection, alerts.update, { params, body: body.data })
    : curlOf(connection, alerts.get, { params })
}

function WatchedFacts({ alert }: { alert: Alert }) {
  const connection = useConnection()
  const names = useNames(connection)
  const dashboard = names.dashboards.get(alert.dashboardId ?? '')
  return (
    <DescriptionList
      rows={[
        [
          alert.source === 'saved_search' ? 'Saved search' : 'Tile',
          dashboard ? (
            <TextLink key="board" to={paths.dashboard(connection.id, dashboard.id)}>
              {formatAlertSubject(alert, names)}
            </TextLink>
          ) : (
            formatAlertSubject(alert, names)
          ),
        ],
        ['Condition', formatCondition(alert)],
        ['Windows in a row', alert.numConsecutiveWindows],
        ['Group by', alert.groupBy && <code key="group">{alert.groupBy}</code>],
        ['Schedule offset', alert.scheduleOffsetMinutes ? `${alert.scheduleOffsetMinutes} min` : null],
        ['Schedule start', alert.scheduleStartAt],
      ]}
    />
  )
}

function Channels({ alert }: { alert: Alert }) {
  const names = useNames(useConnection())
  const channels = channelsOf(alert)
  if (channels.length === 0) return 'none: nobody is told'
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {channels.map((channel, at) => (
        <li key={at}>
          <ChannelName channel={channel} names={names} />
          {names.webhooks?.has(channel.webhookId ?? '') && (
            <Box component="span" sx={{ color: 'text.secondary' }}>{` (${channel.type})`}</Box>
          )}
        </li>
      ))}
    </Box>
  )
}

function Text({ children }: { children: string }) {
  return <Box sx={{ whiteSpace: 'pre-wrap' }}>{children}</Box>
}

function Silence({ silenced }: { silenced: NonNullable<Alert['silenced']> }) {
  return silenced.until ? (
    <>
      until <Timestamp iso={silenced.until} />
    </>
  ) : (
    'until it is resumed'
  )
}
