import { formatShort } from '#domain/charts/units.ts'
import { shortShare } from '#domain/sizing/advice.ts'
import type { UsedResource } from '#contract/sizeLoads.ts'
import { percent } from './sizingTexts.ts'
import css from './RightSizing.module.css'

interface LoadBarProps {
  title: string
  used: UsedResource
  /** Of the size now; null if it is not known. */
  limit: number | null
}

/** The measured use against the size: filled up to the 95th percentile, with a mark at the peak, and both as text. */
export function LoadBar({ title, used, limit }: LoadBarProps) {
  if (limit === null) {
    const amount = title === 'CPU' ? `${formatShort(used.peak / 1000)} vCPU` : formatShort(used.peak, 'bytes')
    return (
      <div className={css.load}>
        {title} peak {amount}
      </div>
    )
  }
  const [p95, peak] = [used.p95 / limit, used.peak / limit]
  return (
    <div className={css.load}>
      <span>
        {title} <span className={css.quiet}>p95</span> {percent(p95)} <span className={css.quiet}>peak</span>{' '}
        {percent(peak)}
      </span>
      <svg
        className={css.bar}
        data-short={peak >= shortShare || undefined}
        aria-hidden
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
      >
        <rect className={css.track} width={100} height={6} rx={2} />
        <rect className={css.used} width={Math.min(100, p95 * 100)} height={6} rx={2} />
        <rect className={css.peak} x={Math.min(98, peak * 100)} width={2} height={6} />
      </svg>
    </div>
  )
}
