import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CopyPlus, BellOff, Gauge, Timer, Webhook } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { z } from 'zod'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import type { Names } from '#console/usages/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { listReads } from '#console/records/record/recordCalls.ts'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { alertResource, useAlertNames } from './alertResource.ts'
import { alertColumns } from './columns.tsx'
import { LateEvaluation } from './LateEvaluation.tsx'
import { alertGroup, alertOrder, groupings, groupingLabels, type Grouping } from './list/alertGroups.ts'
import { useHasHistory, useReadCount } from './list/useRecentStates.ts'
import * as css from './alerts.module.css'
import { SelectInput } from '#console/ui/SelectInput.tsx'

export const reads = listReads(alertResource, dashboards.list)

/** Milliseconds between two reads of the states while the page is visible. */
const pollInterval = 30_000

const urlState = z.object({ group: z.enum(groupings).catch('none') })

export default function AlertsPage() {
  const connection = useConnection()
  const navigate = useNavigate()
  const { names, nameOf } = useAlertNames()
  const [{ group }, setUrl] = useUrlState(urlState)
  const columns = useAlertColumns(names)
  const order = useMemo(() => alertOrder(names), [names])
  const groupOf = useMemo(() => alertGroup(group, names), [group, names])
  const bulk = useBulkActions(names, nameOf)
  return (
    <RecordList
      resource={alertResource}
      lead="Send notifications when the value of a dashboard tile or a saved search crosses a threshold."
      columns={columns}
      nameOf={nameOf}
      order={order}
      groupOf={groupOf}
      view={
        <GroupingSelect value={group} onChange={(value) => setUrl({ group: value === 'none' ? undefined : value })} />
      }
      empty="An alert checks a dashboard tile or a saved search, and notifies a webhook when a threshold is crossed."
      renderState={(all) => <FiringChip alerts={all} />}
      renderNotice={(all) => all.length > 0 && <LateEvaluation className={css.alertsNotice} />}
      rowActions={(alert) => [
        {
          label: 'Duplicate',
          icon: CopyPlus,
          disabled: lockReason(connection),
          run: () => void navigate({ to: paths.newAlert(connection.id), search: { from: alert.id } }),
        },
      ]}
      bulkActions={bulk.actions}
      pollInterval={pollInterval}
    >
      {bulk.dialog}
    </RecordList>
  )
}

function useAlertColumns(names: Names) {
  const connection = useConnection()
  // The list itself reads it.
  const { data } = useQuery({ ...q(connection.id, alerts.list, {}), enabled: false })
  const history = useHasHistory(connection, data ?? [])
  const readCount = useReadCount(connection.id)
  return useMemo(
    () => alertColumns({ connectionId: connection.id, names, history }),
    // With every read, times of last changes become known.
    // oxlint-disable-next-line react/exhaustive-deps
    [connection.id, names, history, readCount],
  )
}

// Few visits change many alerts: the dialogs are loaded with the first that does.
const dialogs = {
  channels: lazyComponent(async () => (await import('./BulkChanges.tsx')).BulkChannels),
  interval: lazyComponent(async () => (await import('./BulkChanges.tsx')).BulkInterval),
  threshold: lazyComponent(async () => (await import('./BulkChanges.tsx')).BulkThreshold),
  silence: lazyComponent(async () => (await import('./BulkSilence.tsx')).BulkSilence),
}
type Kind = keyof typeof dialogs

/** Actions on selected alerts. `dialog` belongs on the page. */
function useBulkActions(
  names: Names,
  nameOf: (alert: Alert) => string,
): { actions: (selected: Alert[]) => Action[]; dialog: ReactNode } {
  const connection = useConnection()
  const [open, setOpen] = useState<{ kind: Kind; selected: Alert[] } | null>(null)
  const locked = lockReason(connection)
  const silences = useFeatureOffer(connection, alerts.silence)
  const silenceLock = silences ? locked : 'This deployment’s API does not offer silences of alerts.'
  const Dialog = open && dialogs[open.kind]
  return {
    actions: (selected) => {
      const action = (kind: Kind, label: string, icon: Action['icon'], disabled = locked): Action => ({
        label,
        icon,
        disabled,
        run: () => setOpen({ kind, selected }),
      })
      return [
        action('channels', 'Change channels', Webhook),
        action('interval', 'Change interval', Timer),
        action('threshold', 'Change threshold', Gauge),
        action('silence', 'Silence', BellOff, silenceLock),
      ]
    },
    dialog: open && Dialog && (
      <Dialog alerts={open.selected} names={names} nameOf={nameOf} onClose={() => setOpen(null)} />
    ),
  }
}

function FiringChip({ alerts }: { alerts: readonly Alert[] }) {
  const firing = alerts.filter((alert) => alert.state === 'ALERT').length
  return firing > 0 && <StatusChip tone="bad">{firing} firing</StatusChip>
}

interface GroupingSelectProps {
  value: Grouping
  onChange: (grouping: Grouping) => void
}

const options = groupings.map((value) => ({ value, label: groupingLabels[value] }))

/** How the rows of the list are grouped: one line high, for the toolbar. */
function GroupingSelect({ value, onChange }: GroupingSelectProps) {
  return (
    <SelectInput
      label="Group by"
      hiddenLabel
      value={value}
      options={options}
      shown={value === 'none' ? 'Not grouped' : `Group by ${groupingLabels[value].toLowerCase()}`}
      onChange={onChange}
      minWidth={150}
    />
  )
}
