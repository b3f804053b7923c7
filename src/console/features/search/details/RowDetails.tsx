import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { ChevronDown, ChevronUp, LocateFixed, X } from 'lucide-react'
import { useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import type { Language } from '#console/charting/conditions/conditions.ts'
import { addFilter, type ValueFilter } from '#console/charting/search/filters.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { MuiProvider } from '#console/ui/theme/MuiProvider.tsx'
import { absoluteRange } from '#console/ui/time/range.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Zone } from '#domain/time/zone.ts'
import { formatClock } from '#console/ui/time/formatTime.ts'
import type { ResultColumn, ResultRow } from '#console/charting/rows/columns.ts'
import { severityTone } from '#console/charting/rows/rowFormat.ts'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import type { SearchState } from '../query/state.ts'
import { AttributeTree } from './AttributeTree.tsx'
import * as css from '../search.module.css'
import { useRow } from './useRow.ts'

interface RowDetailsProps {
  connection: Connection
  source: Source
  row: ResultRow
  columns: readonly ResultColumn[]
  zone: Zone
  language: Language
  onFilter: (filter: ValueFilter) => void
  onAround: (patch: Partial<SearchState>) => void
  onStep: (by: 1 | -1) => void
  onClose: () => void
}

/** All columns of one row, to read, copy and filter by. */
export function RowDetails(props: RowDetailsProps) {
  const { connection, source, row, columns, language, onFilter, onClose } = props
  const [view, setView] = useState<'attributes' | 'json'>('attributes')
  const { data, error, isPending, refetch } = useRow(connection.id, source, row, columns)
  return (
    // Escape closes it, wherever the focus is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section aria-label="Row details" onKeyDown={(event) => event.key === 'Escape' && onClose()} className={css.panel}>
      <DetailsHead {...props} />
      <Text component="div" className={css.rowDetailsBody}>
        {valueOf(props, ({ wide }) => wide)}
      </Text>
      <DetailsActions {...props} />
      <MuiProvider>
        <Tabs
          value={view}
          onChange={(_, chosen: typeof view) => setView(chosen)}
          aria-label="Row details"
          sx={{ my: 1.5 }}
        >
          <Tab value="attributes" label="Attributes" />
          <Tab value="json" label="JSON" />
        </Tabs>
      </MuiProvider>
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton variant="rounded" height={180} />}
      {data === null && <Notice tone="info">The row could not be found again. It may have expired.</Notice>}
      {data && view === 'attributes' && <AttributeTree row={data} language={language} onFilter={onFilter} />}
      {data && view === 'json' && <JsonView text={stringifyJson(data, 2)} label="The row as JSON" />}
    </section>
  )
}

/** The value of the first column like this; empty without one. */
const valueOf = ({ row, columns }: RowDetailsProps, wanted: (column: ResultColumn) => boolean): string =>
  row.values[columns.findIndex(wanted)] ?? ''

function serviceOf(props: RowDetailsProps): { expression: string; name: string } {
  const service = props.source.serviceNameExpression ?? 'ServiceName'
  return { expression: service, name: valueOf(props, ({ expression }) => expression === service) }
}

function DetailsHead(props: RowDetailsProps) {
  const { source, row, zone, onStep, onClose } = props
  const severity = valueOf(props, ({ role }) => role === 'severity')
  return (
    <div className={css.panelHead}>
      {severity && <StatusChip tone={severityTone(severity)}>{severity}</StatusChip>}
      <Text variant="h2" noWrap className={css.rowDetailsTitle}>
        {serviceOf(props).name || source.name}
      </Text>
      <Text variant="caption" color="textSecondary" noWrap>
        {Number.isNaN(row.at) ? row.time : formatClock(row.at, zone, 'millisecond')}
      </Text>
      <Spacer />
      <IconButton aria-label="Previous row" onClick={() => onStep(-1)}>
        <ChevronUp size={15} aria-hidden />
      </IconButton>
      <IconButton aria-label="Next row" onClick={() => onStep(1)}>
        <ChevronDown size={15} aria-hidden />
      </IconButton>
      <IconButton aria-label="Close row details" onClick={onClose}>
        <X size={15} aria-hidden />
      </IconButton>
    </div>
  )
}

/** The ways from the row to others. */
function DetailsActions(props: RowDetailsProps) {
  const { connection, source, row, language, onFilter, onAround } = props
  const service = serviceOf(props)
  const around = (q: string) => ({
    icon: LocateFixed,
    detail: '1 minute before and after',
    run: () =>
      onAround({ ...absoluteRange({ from: row.at - aroundMs, to: row.at + aroundMs }), q, order: '', row: row.key }),
  })
  const ofService = addFilter('', { expression: service.expression, value: service.name, mode: 'in' }, language) ?? ''
  return (
    <div className={css.rowDetailsActions}>
      <MenuButton
        icon={LocateFixed}
        label="Show around"
        choices={[
          { label: 'All rows', ...around('') },
          ...(service.name ? [{ label: `Rows of ${service.name}`, ...around(ofService) }] : []),
        ]}
      />
      {row.traceId && (
        <LinkButton
          variant="contained"
          to={paths.trace(connection.id, row.traceId)}
          search={{ at: String(row.at), span: row.spanId }}
        >
          Open trace
        </LinkButton>
      )}
      {row.traceId && (
        <Button
          onClick={() =>
            onFilter({
              expression: String(source['traceIdExpression'] ?? 'TraceId'),
              value: row.traceId,
              mode: 'in',
            })
          }
        >
          Rows of this trace
        </Button>
      )}
    </div>
  )
}

const aroundMs = 60_000
