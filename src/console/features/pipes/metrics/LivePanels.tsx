import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LiveCharts } from './LiveCharts.tsx'
import { UtilizationTable } from './UtilizationTable.tsx'
import { formatSamplingInterval, SamplingNote, SamplingErrorNotice } from '#console/charting/sampling/SamplingNote.tsx'
import type { LiveMetrics } from './useLiveMetrics.ts'
import { Text } from '#console/ui/base/Text.tsx'

/** The utilization table and the live charts. */
export function LivePanels({ live }: { live: LiveMetrics }) {
  const { sampling, sampled, range, setSampleRange, utilization, last, unavailable, isShared } = live
  const { state, error, retry } = sampling
  const oldest = Math.min(...sampled.map((sampledPipe) => sampledPipe.samples[0]?.at ?? Infinity))
  if (error && !last && unavailable === undefined) {
    return (
      <Column gap={12}>
        <Panel>
          <QueryError error={error} onRetry={retry} />
        </Panel>
        {state && <Text color="textSecondary">{formatSamplingInterval(state)}</Text>}
      </Column>
    )
  }
  if (unavailable !== undefined) {
    return (
      <Panel title="Resource utilization">
        <Text color="textSecondary">{unavailable}</Text>
      </Panel>
    )
  }
  return (
    <Column gap={12}>
      <SamplingErrorNotice sampling={sampling} />
      <Panel title="Resource utilization" flush aside={isShared ? 'All database pipes' : 'Per replica'}>
        <UtilizationTable utilization={utilization} sample={last} range={range} />
      </Panel>
      {state && (
        <SamplingNote
          state={state}
          since={Number.isFinite(oldest) ? oldest : undefined}
          range={range}
          onRange={setSampleRange}
        />
      )}
      <LiveCharts pipes={sampled} range={range} until={state?.at ?? null} />
    </Column>
  )
}
