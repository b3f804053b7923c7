import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { ChevronDown, ChevronRight, Minus, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { splitGroupBy } from '#contract/expressionLists.ts'
import { excludedValues, filterMode, filterText, type ValueFilter } from '#console/telemetry/search/filters.ts'
import { groupFields } from '#console/telemetry/fields.ts'
import { useKnownFields } from '#console/telemetry/useKnownFields.ts'
import { formatError } from '#console/api/errors.ts'
import { type SeriesStyle } from '#console/ui/series/palette.ts'
import { useSeriesStyles } from '#console/ui/series/useSeriesStyles.ts'
import { SuggestInput } from '#console/ui/SuggestInput.tsx'
import type { Series } from '#console/ui/series/series.ts'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import { severityField, text } from './row/columns.ts'
import type { SearchState } from './state.ts'
import { useFacet, type useHistogram, type ValueCount } from './useCounts.ts'

interface FacetsProps {
  connection: Connection
  state: SearchState
  source: Source
  histogram: ReturnType<typeof useHistogram>
  onFilter: (filter: ValueFilter) => void
  onUnfilter: (filter: ValueFilter) => void
  onChange: (patch: Partial<SearchState>) => void
}

const noSeries: readonly Series[] = []

/** The commonest values of some fields, to filter by. */
export function Facets({ connection, state, source, histogram, onFilter, onUnfilter, onChange }: FacetsProps) {
  const [shown, setShown] = useState(false)
  const severity = severityField(source)
  const styles = useSeriesStyles(histogram.data?.series ?? noSeries, 0)
  const usual = [source.serviceNameExpression ?? 'ServiceName', text(source, 'spanNameExpression')].filter(
    (field) => field !== undefined,
  )
  const chosen = splitGroupBy(state.facets).filter((field) => field !== severity && !usual.includes(field))
  const shared = { connection, state, source, onFilter, onUnfilter }
  return (
    <Box component="section" aria-label="Facets" sx={{ minWidth: 0 }}>
      <Button
        onClick={() => setShown(!shown)}
        aria-expanded={shown}
        sx={{ display: { xs: 'inline-flex', md: 'none' } }}
      >
        Facets
      </Button>
      <Box sx={{ display: { xs: shown ? 'block' : 'none', md: 'block' }, mt: { xs: 2, md: 0 } }}>
        <ValueList
          {...shared}
          field={severity}
          values={histogram.data?.values}
          styles={styles}
          problem={histogram.error ? formatError(histogram.error).title : undefined}
        />
        {usual.map((field, at) => (
          <Facet key={field} {...shared} field={field} startsOpen={at === 0} />
        ))}
        {chosen.map((field) => (
          <Facet
            key={field}
            {...shared}
            field={field}
            startsOpen
            onRemove={() => onChange({ facets: chosen.filter((one) => one !== field).join(',') })}
          />
        ))}
        <AddFacet
          connection={connection}
          source={source}
          onAdd={(field) => onChange({ facets: [...chosen, field].join(',') })}
        />
      </Box>
    </Box>
  )
}

interface FacetProps {
  connection: Connection
  state: SearchState
  source: Source
  field: string
  onFilter: (filter: ValueFilter) => void
  onUnfilter: (filter: ValueFilter) => void
  onRemove?: () => void
}

function Facet({ startsOpen, ...props }: FacetProps & { startsOpen: boolean }) {
  const [open, setOpen] = useState(startsOpen)
  const { connection, state, source, field } = props
  const { data, error } = useFacet(connection.id, state, source, field, open)
  return (
    <ValueList
      {...props}
      values={data}
      problem={error ? formatError(error).title : undefined}
      open={open}
      onToggle={() => setOpen(!open)}
    />
  )
}

const mostValues = 8

interface ValueListProps extends FacetProps {
  /** Undefined while they are loading. */
  values: readonly ValueCount[] | undefined
  problem: string | undefined
  open?: boolean
  onToggle?: () => void
  /** The colors of the values in the histogram: the facet is its legend. */
  styles?: ReadonlyMap<string, SeriesStyle>
}

function ValueList(props: ValueListProps) {
  const { field, values, problem, state, open = true, onToggle, onFilter, onUnfilter, onRemove, styles } = props
  const excluded = excludedValues(state.q, field, state.lang).filter(
    (value) => !values?.some((one) => one.value === value),
  )
  const most = values?.[0]?.count ?? 1
  const Icon = open ? ChevronDown : ChevronRight
  return (
    <Box sx={{ mb: 3 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 26 }}>
        <ButtonBase
          aria-expanded={open}
          disabled={!onToggle}
          onClick={onToggle}
          sx={{
            flexGrow: 1,
            justifyContent: 'flex-start',
            gap: 1,
            font: 'inherit',
            fontWeight: 600,
            minWidth: 0,
            minHeight: 24,
          }}
        >
          {onToggle && <Icon size={13} aria-hidden />}
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {field}
          </Box>
        </ButtonBase>
        {onRemove && (
          <IconButton aria-label={`Remove facet ${field}`} onClick={onRemove} sx={{ p: 0.75 }}>
            <X size={13} aria-hidden />
          </IconButton>
        )}
      </Box>
      {open && problem && (
        <Typography variant="caption" color="textSecondary">
          {problem}
        </Typography>
      )}
      {open && !problem && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {[...(values ?? []).slice(0, mostValues), ...excluded.map((value) => ({ value, count: 0 }))].map(
            ({ value, count }) => (
              <FacetValue
                key={value}
                field={field}
                value={value}
                count={count}
                share={count / most}
                filterable={
                  value !== '(none)' && filterText({ expression: field, value, mode: 'in' }, state.lang) !== null
                }
                mode={filterMode(state.q, { expression: field, value }, state.lang)}
                style={styles?.get(value)}
                onFilter={onFilter}
                onUnfilter={onUnfilter}
              />
            ),
          )}
        </Box>
      )}
      {open && !problem && (values?.length ?? 0) > mostValues && (
        <Typography variant="caption" color="textSecondary">
          {mostValues} of {values?.length.toLocaleString('en-US')} values
        </Typography>
      )}
    </Box>
  )
}

interface FacetValueProps {
  field: string
  value: string
  count: number
  /** Of the commonest value, 0 to 1. */
  share: number
  filterable: boolean
  /** Its filter in the condition. */
  mode: ValueFilter['mode'] | null
  style: SeriesStyle | undefined
  onFilter: (filter: ValueFilter) => void
  onUnfilter: (filter: ValueFilter) => void
}

/** A click includes the value, the next one excludes it, the third removes the filter. */
function FacetValue(props: FacetValueProps) {
  const { field, value, count, share, filterable, mode, style, onFilter, onUnfilter } = props
  const filter = (mode: ValueFilter['mode']) => () => onFilter({ expression: field, value, mode })
  const next =
    mode === null
      ? { label: `Filter by ${field} ${value}, ${count} rows`, run: filter('in') }
      : mode === 'in'
        ? { label: `Included: exclude ${field} ${value} instead, ${count} rows`, run: filter('out') }
        : {
            label: `Excluded: remove the filter on ${field} ${value}`,
            run: () => onUnfilter({ expression: field, value, mode }),
          }
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        position: 'relative',
        alignItems: 'center',
        height: 26,
        borderRadius: 1,
        '--share': `${Math.round(share * 100)}%`,
        background: 'linear-gradient(90deg, var(--accent-soft) var(--share), transparent var(--share))',
        '& .tools': { opacity: 0 },
        '&:hover .tools, &:focus-within .tools': { opacity: 1 },
      }}
    >
      <ButtonBase
        disabled={!filterable}
        onClick={next.run}
        title={value}
        aria-label={next.label}
        aria-pressed={mode !== null}
        sx={{ flexGrow: 1, minWidth: 0, height: 26, px: 1.5, gap: 1.5, justifyContent: 'flex-start', font: 'inherit' }}
      >
        {style && (
          <Box
            component="span"
            sx={{ width: 9, height: 9, borderRadius: '2px', flexShrink: 0, bgcolor: `var(${style.variable})` }}
          />
        )}
        <Box
          component="span"
          sx={{
            ...(mode === 'in' && { fontWeight: 600 }),
            ...(mode === 'out' && { textDecoration: 'line-through', color: 'text.secondary' }),
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
          }}
        >
          {value}
        </Box>
      </ButtonBase>
      {filterable && (
        <Box
          component="span"
          className="tools"
          sx={{ display: 'flex', position: 'absolute', right: 0, borderRadius: 1, bgcolor: 'background.paper' }}
        >
          <IconButton aria-label={`Filter by ${field} ${value}`} onClick={filter('in')} sx={{ p: 0.75 }}>
            <Plus size={12} aria-hidden />
          </IconButton>
          <IconButton aria-label={`Exclude ${field} ${value}`} onClick={filter('out')} sx={{ p: 0.75 }}>
            <Minus size={12} aria-hidden />
          </IconButton>
        </Box>
      )}
      <Box component="span" sx={{ px: 1, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
        {mode === 'out' ? 'excluded' : count.toLocaleString('en-US')}
      </Box>
    </Box>
  )
}

interface AddFacetProps {
  connection: Connection
  source: Source
  onAdd: (field: string) => void
}

function AddFacet({ connection, source, onAdd }: AddFacetProps) {
  const [adding, setAdding] = useState(false)
  const [typed, setTyped] = useState('')
  const fieldsOf = useKnownFields(connection.id, [source], adding ? [source.id] : [])
  if (!adding) {
    return (
      <Button startIcon={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
        Add field
      </Button>
    )
  }
  const add = () => {
    if (typed.trim() !== '') onAdd(typed.trim())
    setTyped('')
    setAdding(false)
  }
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
      sx={{ display: 'flex', flexDirection: 'column', gap: 1, alignItems: 'flex-start' }}
    >
      <Box sx={{ width: '100%' }}>
        <SuggestInput label="Field" value={typed} suggestions={groupFields(fieldsOf(source.id))} onChange={setTyped} />
      </Box>
      <Button type="submit">Add</Button>
    </Box>
  )
}
