import { useMemo, useState, useEffect, useEffectEvent } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { setBrowserSettings } from '#console/shell/browserSettings.ts'
import { usePageActions } from '#console/shell/pageActions.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { RefreshPicker } from '#console/ui/time/RefreshPicker.tsx'
import { useAutoRefresh } from '#console/ui/time/refresh.ts'
import { TimeRangePicker } from '#console/ui/time/TimeRangePicker.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { ExplorerResult } from './ExplorerResult.tsx'
import { blockerOf, isReady } from './blocker.ts'
import { problemsOf } from './query.ts'
import { QueryPanel } from './QueryPanel.tsx'
import type { ExplorerState } from './state.ts'
import { useExplorer } from './useExplorer.ts'
import { useKnownFields } from '#console/charting/useKnownFields.ts'
import { useExplorerData } from './useExplorerData.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './explorer.module.css'

/** The page itself, once the sources are known. */
export function Explorer({ connection, sources }: { connection: Connection; sources: readonly Source[] }) {
  const explorer = useExplorer(sources)
  const { state, draft, dirty, problems, apply } = explorer
  const [submitted, setSubmitted] = useState(false)
  const [activated, setActivated] = useState(false)
  const fieldsOf = useKnownFields(connection.id, sources, activated ? draft.series.map(({ sourceId }) => sourceId) : [])
  const blocker = blockerOf(state)
  const stateProblems = problemsOf(state, sources)
  const ready = isReady(state, sources)
  const query = useExplorerData(connection.id, state, sources, ready)
  const sent = dirty ? {} : query.error ? fieldProblems(query.error) : stateProblems

  const run = () => {
    setSubmitted(true)
    if (Object.keys(problems).length > 0) return
    if (dirty) apply(draft)
    else void query.refetch({ cancelRefetch: true })
  }
  useRunKey(run)
  useAutoRefresh(state.refresh, () => void query.refetch({ cancelRefetch: false }))
  const actions = useMemo(() => [{ label: 'Reset explorer', run: () => apply(blankQuery) }], [apply])
  usePageActions(actions)

  return (
    <Page
      title="Explorer"
      actions={
        <>
          <TimeRangePicker
            range={state}
            zone={state.tz}
            onChange={({ from, to }) => apply({ from, to })}
            onZoneChange={(tz) => {
              setBrowserSettings({ zone: tz })
              apply({ tz })
            }}
          />
          <RefreshPicker refresh={state.refresh} onChange={(refresh) => apply({ refresh })} />
        </>
      }
    >
      <div className={css.content}>
        {explorer.notices.map((notice) => (
          <Notice key={notice} tone="warning" role="status">
            {notice}
          </Notice>
        ))}
        {blocker && (
          <Notice
            tone="error"
            role="alert"
            action={blocker.fix && <Button onClick={() => apply(blocker.fix ?? {})}>{blocker.fixLabel}</Button>}
          >
            {blocker.message}
          </Notice>
        )}
        <QueryPanel
          explorer={explorer}
          sources={sources}
          fieldsOf={fieldsOf}
          onActivate={() => setActivated(true)}
          problems={submitted && Object.keys(problems).length > 0 ? problems : sent}
          onRun={run}
        />
        <ExplorerResult
          connection={connection}
          explorer={explorer}
          sources={sources}
          query={query}
          blocked={blocker !== null}
          ready={ready}
        />
      </div>
    </Page>
  )
}

const blankQuery: Partial<ExplorerState> = {
  series: [],
  groupBy: [],
  formula: '',
  from: 'now-1h',
  to: 'now',
  g: 'auto',
  over: '',
  match: '',
}

/** Errors that the deployment put on fields. */
function fieldProblems(error: unknown): Record<string, string> {
  return Object.fromEntries((asFailure(error).fields ?? []).map(({ path, message }) => [path, message]))
}

/** Ctrl or Cmd with Enter runs the query, wherever the focus is on the page; dialogs, menus and forms have their own keys. */
export function useRunKey(run: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (event.target instanceof Element && event.target.closest(elsewhere)) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

const elsewhere = 'form, dialog, [role="dialog"], [role="alertdialog"], [role="menu"]'
