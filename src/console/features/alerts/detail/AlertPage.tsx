import { useMemo, useState } from 'react'
import { z } from 'zod'
import { focusManager, useQuery } from '@tanstack/react-query'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { alertReads, alertResource, useAlertNames } from '../alertResource.ts'
import { watchedTile, formatAlertSubject, type Names } from '#console/usages/alertNames.ts'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import type { SearchLink } from '#console/charting/search/searchLink.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { useWatchedUnit } from '#console/charting/watched/useWatchedUnit.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { RecordPage } from '#console/records/record/RecordDetail.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import { windowLength } from '#domain/alerting/schedule.ts'
import type { Unit } from '#domain/charts/units.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { q } from '#console/api/queries.ts'
import { savedSearches } from '#contract/stack/savedSearches.ts'
import { AlertState } from '../AlertState.tsx'
import { conditionSentence } from '../alertLabels.ts'
import { LateEvaluation } from '../LateEvaluation.tsx'
import { evaluationWarning } from '../tileOptions.ts'
import { NotificationsPanel, QueryPanel, RecordFacts, ExecutionErrors, FactStrip } from './AlertPanels.tsx'
import { DeliveriesPanel } from './deliveries/DeliveriesPanel.tsx'
import { EvaluationsPanel } from './EvaluationsPanel.tsx'
import { factsOf } from './model/facts.ts'
import { LoadingMessage, MessagePanel } from './deliveries/MessagePanel.tsx'
import { lastWindowEvent } from './deliveries/previewedEvent.ts'
import { defaultRange, rangeNames, spanOf, type RangeName } from './model/ranges.ts'
import { SilenceNotices } from './silences/SilenceNotices.tsx'
import { silenceChip, silencesOf } from './silences/silences.ts'
import { useAlertActions } from './useAlertActions.ts'
import { useDeliveries, type Deliveries } from './deliveries/useDeliveries.ts'
import { isSettled, useAlertHistory, type AlertHistory } from './history/useAlertHistory.ts'
import { useWatchedRows } from './useWatchedRows.ts'
import { WatchedPanel } from './WatchedPanel.tsx'
import * as css from './alertDetail.module.css'

export { alertReads as reads }

/** Milliseconds: evaluations change the state of an alert. */
const pollInterval = 30_000

export default function AlertPage() {
  return (
    <ResourceLoader resource={alertResource} pollInterval={pollInterval}>
      {(alert) => <AlertDetail alert={alert} />}
    </ResourceLoader>
  )
}

// With MUI, which the rest of the page does without.
const SilencePopover = lazyComponent(async () => (await import('./silences/SilencePopover.tsx')).SilencePopover)
const AcknowledgeDialog = lazyComponent(
  async () => (await import('./silences/AcknowledgeDialog.tsx')).AcknowledgeDialog,
)
const AlertTestDialog = lazyComponent(async () => (await import('../test/AlertTestDialog.tsx')).AlertTestDialog)

const alertUrl = z.object({
  /** The range of the chart and the strip of states. */
  range: z.enum(rangeNames).optional().catch(undefined),
})

/** The range of the address, or the usual one for a window of this length. */
function useRange(windowLength: number | null): [RangeName, (range: RangeName) => void] {
  const [{ range }, change] = useUrlState(alertUrl)
  return [range ?? defaultRange(windowLength), (chosen) => change({ range: chosen })]
}

/** Everything about one alert. */
function AlertDetail({ alert }: { alert: Alert }) {
  const { names, nameOf } = useAlertNames(alert)
  const watchedName = useWatchedName(alert, names)
  const tile = watchedTile(alert, names)
  const warning = alert.source === 'tile' && evaluationWarning(tile)
  const now = useVisibleNow()
  const silences = silencesOf(alert, now)
  const chip = silenceChip(silences)
  const [range, setRange] = useRange(windowLength(alert))
  const span = useMemo(() => spanOf(range, now), [range, now])
  const history = useAlertHistory(alert, span)
  const { evaluations, recorded, computed } = history
  const unit = useWatchedUnit(useConnection(), alert)
  const { linkOf, mayLink, newest } = useWatchedRows(history)
  const deliveries = useDeliveries(alert.id)
  const groups = (evaluations.windows?.[0]?.groups ?? []).map(({ key }) => key).filter((key) => key !== '')
  const { moreActions, actions, popover, onAcknowledged, testing } = useAlertActions(
    alert,
    nameOf(alert),
    newest,
    SilencePopover.preload,
  )
  return (
    <RecordPage
      resource={alertResource}
      record={alert}
      nameOf={nameOf}
      state={
        <>
          <AlertState alert={alert} tile={tile} isUnevaluated={!computed && evaluations.windows?.length === 0} />
          {chip && <StatusChip tone="neutral">{chip}</StatusChip>}
        </>
      }
      lead={`Fires when the ${conditionSentence(alert, unit)}.`}
      actions={actions}
      moreActions={moreActions}
      overlay={
        <>
          {popover.anchor && <SilencePopover alert={alert} groups={groups} {...popover} />}
          {onAcknowledged && <AcknowledgeDialog alert={alert} onClose={onAcknowledged} />}
          {testing.isOpen && <AlertTestDialog {...testing} names={names} unit={unit} />}
        </>
      }
    >
      <Column>
        {!alert.paused && <LateEvaluation />}
        <SilenceNotices alert={alert} name={nameOf(alert)} silences={silences} />
        {warning && <Notice tone="warning">{warning}</Notice>}
        <ExecutionErrors alert={alert} />
        <AlertFacts alert={alert} history={history} deliveries={deliveries} unit={unit} now={now} />
        <div className={css.columns}>
          <Column>
            <WatchedPanel {...{ alert, history, range, span, now }} name={watchedName} onRange={setRange} />
            <EvaluationsPanel
              alert={alert}
              evaluations={recorded ?? evaluations}
              unit={unit}
              computed={computed && !recorded}
              renderLink={mayLink ? (window, group) => <RowsLink link={linkOf(window, group)} /> : undefined}
            />
            <QueryPanel alert={alert} names={names} unit={unit} />
          </Column>
          <Column>
            {isSettled(history) ? (
              <MessagePanel alert={alert} names={names} windowEvent={lastWindowEvent(alert, evaluations.windows)} />
            ) : (
              <LoadingMessage />
            )}
            <DeliveriesPanel alertId={alert.id} deliveries={deliveries} names={names} />
            <NotificationsPanel alert={alert} names={names} />
            <RecordFacts alert={alert} />
          </Column>
        </div>
      </Column>
    </RecordPage>
  )
}

interface AlertFactsProps {
  alert: Alert
  history: AlertHistory
  deliveries: Deliveries
  /** The unit of the watched values. */
  unit: Unit
  now: number
}

function AlertFacts({ alert, history, deliveries, unit, now }: AlertFactsProps) {
  const facts = factsOf({
    alert,
    firings: history.firings,
    windows: history.evaluations.windows,
    recorded: history.recorded?.windows,
    deliveries: deliveries.list,
    moreDeliveries: deliveries.hasMore,
    reading: { ...history.reading, deliveries: deliveries.offered && !deliveries.list && deliveries.error === null },
    unit,
    length: windowLength(alert),
    now,
  })
  return <FactStrip facts={facts} note={history.note} />
}

/** The time while the page is visible. A hidden page keeps the last one, so that it reads nothing. */
function useVisibleNow(): number {
  const now = useNow()
  const [shown, setShown] = useState(now)
  if (now !== shown && focusManager.isFocused()) setShown(now)
  return shown
}

/** The name of what an alert watches: "Orders / Errors", "Payment provider errors"; with the ID where the name is not known. */
function useWatchedName(alert: Alert, names: Names): string {
  const connection = useConnection()
  const isSearch = alert.source === 'saved_search'
  // The chart reads them too.
  const { data } = useQuery({ ...q(connection.id, savedSearches.list, {}), enabled: isSearch })
  const search = isSearch ? data?.find(({ id }) => id === alert.savedSearchId) : undefined
  return search?.name || formatAlertSubject(alert, names)
}

/** Opens the search page with the rows of a window. */
function RowsLink({ link }: { link: SearchLink | null }) {
  const connection = useConnection()
  if (!link) return null
  return (
    <TextLink to={paths.search(connection.id)} search={{ ...link }} className={css.rowsLink}>
      View events
    </TextLink>
  )
}
