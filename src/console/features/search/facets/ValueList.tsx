import { ChevronDown, ChevronRight, X, Minus, Plus } from 'lucide-react'
import { groupLabel, labeledValue } from '#console/charting/series/groupValues.ts'
import { excludedValues, filterMode, filterText, type ValueFilter } from '#console/charting/search/filters.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import type { SeriesStyle } from '#console/ui/series/palette.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { SearchState } from '../query/state.ts'
import type { ValueCount } from '../query/useCounts.ts'
import * as base from '#console/ui/base/base.module.css'
import { formatValue } from '#domain/charts/units.ts'
import * as css from '../search.module.css'

export interface FacetProps {
  connection: Connection
  state: SearchState
  source: Source
  field: string
  onFilter: (filter: ValueFilter) => void
  onUnfilter: (filter: ValueFilter) => void
  onRemove?: () => void
}

const maxValues = 8

interface ValueListProps extends FacetProps {
  /** Undefined while they are loading. */
  values: readonly ValueCount[] | undefined
  problem: string | undefined
  open?: boolean
  onToggle?: () => void
  /** The colors of the values in the histogram: the facet is its legend. */
  styles?: ReadonlyMap<string, SeriesStyle>
}

/** The values of one field, the commonest first. */
export function ValueList(props: ValueListProps) {
  const { field, values, problem, state, open = true, onToggle, onFilter, onUnfilter, onRemove, styles } = props
  const excluded = excludedValues(state.q, field, state.lang)
    .map((value) => ({ value: groupLabel(value), count: 0 }))
    .filter(({ value }) => !values?.some((valueCount) => valueCount.value === value))
  const most = values?.[0]?.count ?? 1
  const Icon = open ? ChevronDown : ChevronRight
  return (
    <div className={css.valueList}>
      <div className={css.valueListHead}>
        <button
          type="button"
          className={`${base.plainButton} ${css.valueListTitle}`}
          aria-expanded={open}
          disabled={!onToggle}
          onClick={onToggle}
        >
          {onToggle && <Icon size={13} aria-hidden />}
          <span className={css.valueListField}>{field}</span>
        </button>
        {onRemove && (
          <IconButton aria-label={`Remove facet ${field}`} onClick={onRemove}>
            <X size={13} aria-hidden />
          </IconButton>
        )}
      </div>
      {open && problem && (
        <Text variant="caption" color="textSecondary">
          {problem}
        </Text>
      )}
      {open && !problem && (
        <ul className={css.values}>
          {[...(values ?? []).slice(0, maxValues), ...excluded].map(({ value: label, count }) => {
            const value = labeledValue(label)
            const filterable =
              value !== null && filterText({ expression: field, value, mode: 'in' }, state.lang) !== null
            return (
              <FacetValue
                key={label}
                field={field}
                label={label}
                value={filterable ? value : null}
                count={count}
                share={count / most}
                mode={value === null ? null : filterMode(state.q, { expression: field, value }, state.lang)}
                style={styles?.get(label)}
                onFilter={onFilter}
                onUnfilter={onUnfilter}
              />
            )
          })}
        </ul>
      )}
      {open && !problem && (values?.length ?? 0) > maxValues && (
        <Text variant="caption" color="textSecondary">
          {maxValues} of {formatValue(values?.length)} values
        </Text>
      )}
    </div>
  )
}

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
function FacetValue(props: FacetValueProps) {
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
