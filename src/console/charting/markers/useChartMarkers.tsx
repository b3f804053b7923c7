import { type ReactNode, useCallback, useMemo } from 'react'
import type { TimeSeriesChartProps } from '#console/ui/chart/TimeSeriesChart.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { toggleMarkers, useMarkerSettings } from './markerSettings.ts'

// Charts are drawn first, and then what changed.
const MarkerLayer = lazyComponent(async () => (await import('./MarkerLayer.tsx')).MarkerLayer)

interface ChartMarkers {
  /** Null where there is none. */
  connectionId: string | null
  serviceId?: string | undefined
  /** The connection whose data is shown, if it is another one. */
  deploymentsOf?: string | undefined
  dense?: boolean | undefined
}

/** The marks of a chart, for its `marks`; undefined while they are switched off. */
export function useChartMarkers(chart: ChartMarkers): TimeSeriesChartProps['marks'] {
  const { connectionId, serviceId, deploymentsOf, dense } = chart
  const { shown } = useMarkerSettings()
  const draw = useCallback<NonNullable<TimeSeriesChartProps['marks']>>(
    (place, onMarks): ReactNode =>
      connectionId !== null && <MarkerLayer {...{ connectionId, serviceId, deploymentsOf, dense, place, onMarks }} />,
    [connectionId, serviceId, deploymentsOf, dense],
  )
  return shown && connectionId !== null ? draw : undefined
}

/** The key that switches the marks of all charts on and off. Once on a page. */
export function useMarkerKey(): void {
  usePageActions(useMemo(() => [{ label: 'Show or hide changes in charts', key: 'm', run: toggleMarkers }], []))
}
