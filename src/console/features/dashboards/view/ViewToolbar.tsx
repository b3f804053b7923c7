import { setBrowserSettings } from '#console/shell/browserSettings.ts'
import { hint } from '#console/ui/hint/hint.ts'
import { RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { granularitySeconds } from '#contract/stack/charts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { MarkersButton } from '#console/charting/markers/MarkersButton.tsx'
import { bucketOptions } from '#console/charting/queryBuilder/bucketOptions.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { RefreshPicker } from '#console/ui/time/RefreshPicker.tsx'
import { TimeRangePicker } from '#console/ui/time/TimeRangePicker.tsx'
import { tiledSources, useColumns } from '../model/useColumns.ts'
import { FilterBar } from './FilterBar.tsx'
import { type Query, queryOf } from './scope.ts'
import type { DashboardData } from './useDashboardData.ts'
import type { ViewState } from './viewState.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from './dashboardView.module.css'
import { languages } from '#console/charting/conditions/conditions.ts'
import { completions, type Field } from '#console/charting/fields.ts'
import { ConditionInput } from '#console/ui/suggest/ConditionInput.tsx'

interface ViewToolbarProps {
  dashboard: Dashboard
  state: ViewState
  onState: (patch: Record<string, string | undefined>, how?: { push?: boolean }) => void
  loaded: DashboardData
}

/** The query parameters of all tiles: condition, filters, range, bucket length, refresh. */
export function ViewToolbar({ dashboard, state, onState, loaded }: ViewToolbarProps) {
  const { data, from, span, problem, waiting, refresh } = loaded
  const [typing, setTyping] = useState(false)
  const tiled = useMemo(() => tiledSources(dashboard, from.sources), [dashboard, from.sources])
  const columns = useColumns(data, tiled, typing)
  return (
    <div className={css.viewToolbar}>
      <div className={css.toolbarControls}>
        <QueryBar
          query={queryOf(dashboard, state)}
          fields={columns}
          onActivate={() => setTyping(true)}
          onQuery={({ text, language }) => onState({ q: text, ql: language })}
        />
        <RangeControls state={state} onState={onState} />
        <SelectInput
          label="Bucket length"
          hiddenLabel
          value={state.granularity}
          options={bucketOptions(granularitySeconds('auto', span.from, span.to) * 1000)}
          onChange={(granularity) => onState({ granularity })}
          className={css.bucketLength}
        />
        <RefreshPicker refresh={state.refresh} onChange={(next) => onState({ refresh: next })} />
        {data.connectionId !== null && (
          <MarkersButton connectionId={data.saved.connectionId} deploymentsOf={data.connectionId} span={span} />
        )}
        <IconButton {...hint('Refresh (r)')} aria-label="Refresh" onClick={refresh}>
          <RefreshCw size={15} aria-hidden />
        </IconButton>
      </div>
      <FilterBar dashboard={dashboard} state={state} onState={onState} data={data} />
      {problem && (
        <Notice tone="warning" role="status">
          {problem}. Showing the last six hours instead.
        </Notice>
      )}
      {waiting && state.refresh !== 'off' && (
        <Notice tone="info" role="status">
          {waiting}
        </Notice>
      )}
    </div>
  )
}

/** The range picker of a dashboard; also in the tile that fills the window. */
export function RangeControls({ state, onState }: Pick<ViewToolbarProps, 'state' | 'onState'>) {
  return (
    <TimeRangePicker
      range={{ from: state.from, to: state.to }}
      zone={state.tz}
      onChange={({ from, to }) => onState({ from, to }, { push: true })}
      onZoneChange={(tz) => {
        setBrowserSettings({ zone: tz })
        onState({ tz })
      }}
    />
  )
}

interface QueryBarProps {
  query: Query
  onQuery: (query: Query) => void
  /** Columns of the sources that tiles read. */
  fields: readonly Field[]
  /** The field was focused: suggestions are needed. */
  onActivate: () => void
}

/** A condition over all tiles. It applies with Enter or when the field is left. */
function QueryBar({ query, onQuery, fields, onActivate }: QueryBarProps) {
  const [typed, setTyped] = useState(query.text)
  const [shown, setShown] = useState(query)
  if (shown.text !== query.text || shown.language !== query.language) {
    // The address changed under us.
    setShown(query)
    setTyped(query.text)
  }
  const apply = () => {
    if (typed !== query.text) onQuery({ ...query, text: typed })
  }
  return (
    <div onFocus={onActivate} className={css.queryBar}>
      <ConditionInput
        label="Condition for all tiles"
        hiddenLabel
        value={typed}
        complete={(text, cursor) => completions(text, cursor, fields, query.language)}
        placeholder={query.language === 'sql' ? "e.g. ServiceName = 'api'" : 'e.g. ServiceName:api'}
        onChange={setTyped}
        onEnter={apply}
        onBlur={apply}
      />
      <SelectInput
        label="Condition language"
        hiddenLabel
        value={query.language}
        options={languages}
        onChange={(language) => onQuery({ text: typed, language })}
      />
    </div>
  )
}
