import { Fragment } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { channelsOf, type Alert } from '#contract/stack/alerts.ts'
import type { Tile } from '#contract/stack/dashboards/dashboards.ts'
import { alertName, formatChannels, watchedTile, formatAlertSubject, type Names } from '#console/usages/alertNames.ts'
import { shownState } from '#console/usages/alertStatus.ts'
import { silenceOf, stateOptions } from '#console/records/alerts/alertStates.ts'
import { isCountFunction } from '#domain/charts/units.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import { AlertState } from './AlertState.tsx'
import { ChannelName } from './ChannelName.tsx'
import { formatCondition } from './alertLabels.ts'
import { cachedChange, useRecentStates, formatRecentStates, lastChange } from './list/useRecentStates.ts'
import { hint } from '#console/ui/hint/hint.ts'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { useUnevaluatedLabel } from './list/evaluationQuery.ts'
import * as css from './alerts.module.css'

/** Its code reads tiles and sources, which the list itself does not need. */
const ConditionInUnit = lazyComponent(
  async () => (await import('./ConditionInUnit.tsx')).ConditionInUnit,
  ({ alert }) => formatCondition(alert),
)

interface ColumnOptions {
  connectionId: string
  names: Names
  /** Whether the last windows of alerts can be read. */
  history: boolean
}

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
export function alertColumns({ connectionId, names, history }: ColumnOptions): Column<Alert>[] {
  return [
    nameColumn({
      grow: 1.4,
      width: 200,
      name: (alert) => alertName(alert, names),
      to: (alert) => paths.alert(connectionId, alert.id),
    }),
    {
      id: 'state',
      title: 'State',
      width: 136,
      type: 'choice',
      options: stateOptions,
      value: (alert) => shownState(alert, watchedTile(alert, names)),
      cell: (alert) => (
        <>
          {history ? (
            <EvaluatedState alert={alert} names={names} />
          ) : (
            <AlertState alert={alert} tile={watchedTile(alert, names)} />
          )}{' '}
          {silenceOf(alert, undefined, Date.now()) && <StatusChip tone="neutral">Silenced</StatusChip>}
        </>
      ),
    },
    ...(history ? historyColumns(connectionId) : []),
    {
      id: 'condition',
      title: 'Condition',
      grow: 1.2,
      width: 170,
      value: (alert) => formatCondition(alert),
      cell: (alert) =>
        mayHaveUnit(watchedTile(alert, names)) ? <ConditionInUnit alert={alert} /> : formatCondition(alert),
    },
    {
      id: 'watches',
      title: 'Query',
      grow: 1.2,
      width: 120,
      value: (alert) => formatAlertSubject(alert, names),
      cell: (alert) => <Subject alert={alert} connectionId={connectionId} names={names} />,
    },
    {
      id: 'channels',
      title: 'Channels',
      grow: 0.8,
      width: 100,
      value: (alert) => formatChannels(alert, names),
      cell: (alert) =>
        channelsOf(alert).map((channel, at) => (
          <Fragment key={at}>
            {at > 0 && ', '}
            <ChannelName channel={channel} names={names} />
          </Fragment>
        )),
    },
    { id: 'updated', title: 'Updated', width: 120, type: 'timestamp', hidden: true, value: (alert) => alert.updatedAt },
    { id: 'created', title: 'Created', width: 120, type: 'timestamp', hidden: true, value: (alert) => alert.createdAt },
    { id: 'interval', title: 'Interval', width: 90, hidden: true, value: (alert) => alert.interval },
    {
      id: 'silenced',
      title: 'Silenced',
      width: 90,
      type: 'boolean',
      hidden: true,
      value: (alert) => silenceOf(alert, undefined, Date.now()) !== undefined,
    },
    idColumn(220),
  ]
}

/** Whether the values of a tile may have a unit. Counts have none, unless the tile formats them. */
function mayHaveUnit(tile: Tile | undefined): boolean {
  const { select, numberFormat, formulas } = tile?.config ?? {}
  const series = Array.isArray(select) ? select : []
  return (
    numberFormat != null ||
    (Array.isArray(formulas) && formulas.length > 0) ||
    series.some(({ aggFn = 'count', ...item }) => item['numberFormat'] != null || !isCountFunction(aggFn))
  )
}

/** The state of an alert whose last windows can be read. */
function EvaluatedState({ alert, names }: { alert: Alert; names: Names }) {
  const { states } = useRecentStates(useConnection().id, alert)
  return <AlertState alert={alert} tile={watchedTile(alert, names)} isUnevaluated={states?.windows.length === 0} />
}

/** Values of the evaluations. Both are read together, for rows in sight. */
function historyColumns(connectionId: string): Column<Alert>[] {
  return [
    {
      id: 'states',
      title: 'Last windows',
      width: 164,
      value: () => '',
      cell: (alert) => <RecentStates alert={alert} />,
    },
    {
      id: 'changed',
      title: 'Last change',
      width: 130,
      type: 'timestamp',
      value: (alert) => alert.paused?.at ?? cachedChange(connectionId, alert),
      cell: (alert) => <LastChange alert={alert} />,
    },
  ]
}

/** The subject of an alert, with a link where it can be opened. */
function Subject({ alert, connectionId, names }: { alert: Alert; connectionId: string; names: Names }) {
  const text = formatAlertSubject(alert, names)
  const { source, dashboardId, savedSearchId } = alert
  if (source === 'saved_search' && savedSearchId && names.savedSearches?.has(savedSearchId))
    return <TextLink to={paths.savedSearch(connectionId, savedSearchId)}>{text}</TextLink>
  if (dashboardId && names.dashboards.has(dashboardId))
    return <TextLink to={paths.dashboard(connectionId, dashboardId)}>{text}</TextLink>
  return text
}

/** Windows that are drawn. */
const shown = 24

/** The states of the last windows, oldest first. */
function RecentStates({ alert }: { alert: Alert }) {
  const { states, failed } = useRecentStates(useConnection().id, alert)
  const unevaluated = useUnevaluatedLabel()
  if (!states) return failed ? <Unknown /> : null
  const windows = states.windows.slice(0, shown)
  if (windows.length === 0) return <Quiet>{unevaluated}</Quiet>
  const text = formatRecentStates(windows)
  return (
    <span role="img" aria-label={text} {...hint(text)} className={css.strip}>
      {windows.toReversed().map(({ end, state }) => (
        <span key={end} data-state={state} />
      ))}
    </span>
  )
}

/** When the state last changed, as far as the windows that were read reach. */
function LastChange({ alert }: { alert: Alert }) {
  const { states, failed } = useRecentStates(useConnection().id, alert)
  if (alert.paused?.at) return <Timestamp iso={alert.paused.at} />
  if (!states) return failed ? <Unknown /> : null
  const change = lastChange(states)
  if (!change) return <Quiet>None yet</Quiet>
  if (!change.earlier) return <Timestamp iso={change.at} />
  return (
    <span {...hint('The state did not change in the windows that were read.')}>
      over <Timestamp iso={change.at} />
    </span>
  )
}

function Unknown() {
  return <span {...hint('The evaluations of this alert could not be read.')}>unknown</span>
}

function Quiet({ children }: { children: string }) {
  return <span className={css.quiet}>{children}</span>
}
