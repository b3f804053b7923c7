import { Minus, Plus } from 'lucide-react'
import type { ValueFilter } from '#console/charting/search/filters.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import type { SeriesStyle } from '#console/ui/series/palette.ts'
import * as base from '#console/ui/base/base.module.css'
import { formatValue } from '#domain/charts/units.ts'
import * as css from '../search.module.css'

interface FacetValueProps {
  field: string
  /** `(none)` for rows without a value. */
  label: string
  /** Null where it cannot be filtered by. */
  value: string | null
  count: number
  /** The count relative to that of the commonest value, 0 to 1. */
  share: number
  /** Its filter in the condition. */
  mode: ValueFilter['mode'] | null
  style: SeriesStyle | undefined
  onFilter: (filter: ValueFilter) => void
  onUnfilter: (filter: ValueFilter) => void
}

/** A click includes the value, the next one excludes it, the third removes the filter. */
export function FacetValue(props: FacetValueProps) {
  const { field, label, value, count, share, mode, style, onFilter, onUnfilter } = props
  const filter = (mode: ValueFilter['mode']) => () => {
    if (value !== null) onFilter({ expression: field, value, mode })
  }
  const next =
    mode === null
      ? { label: `Filter by ${field} ${label}, ${count} rows`, run: filter('in') }
      : mode === 'in'
        ? { label: `Included: exclude ${field} ${label} instead, ${count} rows`, run: filter('out') }
        : {
            label: `Excluded: remove the filter on ${field} ${label}`,
            run: () => value !== null && onUnfilter({ expression: field, value, mode }),
          }
  return (
    <li className={css.facetValue} style={{ backgroundSize: `${Math.round(share * 100)}% 100%` }} data-mode={mode}>
      <button
        type="button"
        className={`${base.plainButton} ${css.facetValueButton}`}
        disabled={value === null}
        onClick={next.run}
        title={label}
        aria-label={next.label}
        aria-pressed={mode !== null}
      >
        {style && <span className={css.facetValueSwatch} style={{ backgroundColor: `var(${style.variable})` }} />}
        <span className={css.facetValueText}>{label}</span>
      </button>
      {value !== null && (
        <span className={css.facetValueTools}>
          <IconButton aria-label={`Filter by ${field} ${label}`} onClick={filter('in')}>
            <Plus size={12} aria-hidden />
          </IconButton>
          <IconButton aria-label={`Exclude ${field} ${label}`} onClick={filter('out')}>
            <Minus size={12} aria-hidden />
          </IconButton>
        </span>
      )}
      <span className={css.facetValueCount}>{mode === 'out' ? 'excluded' : formatValue(count)}</span>
    </li>
  )
}
