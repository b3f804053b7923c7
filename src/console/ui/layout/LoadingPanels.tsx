import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import * as css from './layout.module.css'

/** The places of panels that are still loading, by their heights in pixels. */
export function LoadingPanels({ heights }: { heights: readonly number[] }) {
  return (
    <div aria-busy className={css.loadingPanels}>
      {heights.map((height, at) => (
        // They have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Skeleton key={at} variant="rounded" width="100%" height={height} className={css.loadingPanel} />
      ))}
    </div>
  )
}
