import { Fragment } from 'react'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { channelsOf, type Alert } from '#contract/alerts.ts'
import {
  alertName,
  formatChannels,
  watchedTile,
  formatAlertSubject,
  type Names,
} from '#console/references/alertNames.ts'
import { shownState } from '#console/references/alertStatus.ts'
import { AlertState } from './AlertState.tsx'
import { ChannelName } from './ChannelName.tsx'
import { formatCondition, stateOptions } from './alertLabels.ts'

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
export function alertColumns(connectionId: string, names: Names): Column<Alert>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      grow: 1.4,
      width: 160,
      value: (alert) => alertName(alert, names),
      cell: (alert) => (
        <TextLink to={paths.alert(connectionId, alert.id)} sx={{ color: 'text.primary', fontWeight: 550 }}>
          {alertName(alert, names)}
        </TextLink>
      ),
    },
    {
      id: 'state',
      title: 'State',
      width: 140,
      type: 'choice',
      options: stateOptions,
      value: (alert) => shownState(alert, watchedTile(alert, names)),
      cell: (alert) => <AlertState alert={alert} tile={watchedTile(alert, names)} />,
    },
    { id: 'condition', title: 'Condition', grow: 1.2, width: 180, value: formatCondition },
    { id: 'watches', title: 'Query', grow: 1.2, width: 160, value: (alert) => formatAlertSubject(alert, names) },
    {
      id: 'channels',
      title: 'Channels',
      grow: 0.8,
      width: 160,
      value: (alert) => formatChannels(alert, names),
      cell: (alert) =>
        channelsOf(alert).map((channel, at) => (
          <Fragment key={at}>
            {at > 0 && ', '}
            <ChannelName channel={channel} names={names} />
          </Fragment>
        )),
    },
    { id: 'updated', title: 'Updated', width: 120, type: 'timestamp', value: (alert) => alert.updatedAt },
    { id: 'created', title: 'Created', width: 120, type: 'timestamp', hidden: true, value: (alert) => alert.createdAt },
    { id: 'interval', title: 'Interval', width: 90, hidden: true, value: (alert) => alert.interval },
    {
      id: 'silenced',
      title: 'Silenced',
      width: 90,
      type: 'boolean',
      hidden: true,
      value: (alert) => alert.silenced != null,
    },
    {
      id: 'id',
      title: 'ID',
      width: 220,
      hidden: true,
      value: (alert) => alert.id,
      cell: (alert) => <code>{alert.id}</code>,
    },
  ]
}
