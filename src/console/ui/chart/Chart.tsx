import { lazyComponent } from '../base/lazyComponent.tsx'
import { Skeleton } from '../base/Skeleton.tsx'

/** The chart of a page whose queries do not wait for its code: `reads` of the page preloads it beside them. */
export const Chart = lazyComponent(
  async () => (await import('./TimeSeriesChart.tsx')).TimeSeriesChart,
  ({ height }) => <Skeleton variant="rounded" {...(height === undefined ? {} : { height })} />,
)
