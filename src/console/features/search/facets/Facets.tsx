import { useState } from 'react'
import { Plus } from 'lucide-react'
import { formatError } from '#console/api/errors.ts'
import type { ValueFilter } from '#console/charting/search/filters.ts'
import { tooManyGroups } from '#console/api/groupErrors.ts'
import { Button } from '#console/ui/base/Button.tsx'
import type { Series } from '#console/ui/series/series.ts'
import { useSeriesStyles } from '#console/ui/series/useSeriesStyles.ts'
import type { Connection } from '#contract/console/connections.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import type { Source } from '#contract/stack/sources.ts'
import { severityField, text } from '#console/charting/rows/columns.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { SearchState } from '../query/state.ts'
import { useFacet, type useHistogram } from '../query/useCounts.ts'
import { type FacetProps, ValueList } from './ValueList.tsx'
import * as css from '../search.module.css'

interface FacetsProps {
  connection: Connection
  state: SearchState
  source: Source
  histogram: ReturnType<typeof useHistogram>
  /** The rows are there: values are read after them. */
  ready: boolean
  onFilter: (filter: ValueFilter) => void
  onUnfilter: (filter: ValueFilter) => void
  onChange: (patch: Partial<SearchState>) => void
}

const noSeries: readonly Series[] = []

/** The commonest values of some fields, to filter by. */
export function Facets({ connection, state, source, histogram, ready, onFilter, onUnfilter, onChange }: FacetsProps) {
  const [shown, setShown] = useState(false)
  const severity = severityField(source)
  const styles = useSeriesStyles(histogram.data?.series ?? noSeries, false)
  const usual = [source.serviceNameExpression ?? 'ServiceName', text(source, 'spanNameExpression')].filter(
    (field) => field !== undefined,
  )
  const chosen = splitExpressions(state.facets).filter((field) => field !== severity && !usual.includes(field))
  const shared = { connection, state, source, onFilter, onUnfilter }
  return (
    <section aria-label="Facets" className={css.facets}>
      <Button onClick={() => setShown(!shown)} aria-expanded={shown} className={css.facetsToggle}>
        Facets
      </Button>
      <div className={css.lists} data-shown={shown || undefined}>
        <ValueList
          {...shared}
          field={severity}
          values={histogram.data?.values}
          styles={styles}
          problem={histogram.error ? formatError(histogram.error).title : undefined}
        />
        {usual.map((field, at) => (
          <Facet key={field} {...shared} ready={ready} field={field} startsOpen={at === 0} />
        ))}
        {chosen.map((field) => (
          <Facet
            key={field}
            {...shared}
            ready={ready}
            field={field}
            startsOpen
            onRemove={() => onChange({ facets: chosen.filter((other) => other !== field).join(',') })}
          />
        ))}
        <AddFacet
          connection={connection}
          source={source}
          onAdd={(field) => onChange({ facets: [...chosen, field].join(',') })}
        />
      </div>
    </section>
  )
}

function Facet({ startsOpen, ready, ...props }: FacetProps & { startsOpen: boolean; ready: boolean }) {
  const [open, setOpen] = useState(startsOpen)
  const { connection, state, source, field } = props
  const { data, error } = useFacet(connection.id, state, source, field, open && ready)
  return (
    <ValueList
      {...props}
      values={data}
      problem={error ? problemOf(error) : undefined}
      open={open}
      onToggle={() => setOpen(!open)}
    />
  )
}

/** Why the values of a field are not listed. */
function problemOf(error: unknown): string {
  return tooManyGroups(error) ? 'Too many values: narrow the search or the time range' : formatError(error).title
}

const FacetForm = lazyComponent(async () => (await import('./FacetForm.tsx')).FacetForm)

interface AddFacetProps {
  connection: Connection
  source: Source
  onAdd: (field: string) => void
}

/** Adds a field whose values are listed. */
function AddFacet({ connection, source, onAdd }: AddFacetProps) {
  const [adding, setAdding] = useState(false)
  if (!adding) {
    return (
      <Button
        startIcon={<Plus size={14} aria-hidden />}
        onPointerEnter={FacetForm.preload}
        onFocus={FacetForm.preload}
        onClick={() => setAdding(true)}
      >
        Add field
      </Button>
    )
  }
  const add = (field: string) => {
    if (field !== '') onAdd(field)
    setAdding(false)
  }
  return <FacetForm connection={connection} source={source} onSubmit={add} />
}
