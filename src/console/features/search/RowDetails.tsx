import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import Typography from '@mui/material/Typography'
import { ChevronDown, ChevronUp, LocateFixed, X } from 'lucide-react'
import { useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import type { Language } from '#console/telemetry/conditions.ts'
import { addFilter, type ValueFilter } from '#console/telemetry/search/filters.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { JsonView } from '#console/ui/JsonView.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { absoluteRange } from '#console/ui/time/range.ts'
import { inZone, type Zone } from '#console/ui/time/zone.ts'
import { stringifyJson } from '#contract/json.ts'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import { AttributeTree } from './row/AttributeTree.tsx'
import type { ResultColumn, ResultRow } from './row/columns.ts'
import { detailsPanelStyle } from './row/detailsPanelStyle.ts'
import { severityTone } from './row/rowFormat.ts'
import type { SearchState } from './state.ts'
import { useRow } from './row/useRow.ts'

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
  const { connection, source, row, columns, zone, language, onFilter, onAround, onStep, onClose } = props
  const [view, setView] = useState<'attributes' | 'json'>('attributes')
  const { data, error, isPending, refetch } = useRow(connection.id, source, row, columns)
  const valueOf = (wanted: (column: ResultColumn) => boolean) => row.values[columns.findIndex(wanted)] ?? ''
  const severity = valueOf(({ role }) => role === 'severity')
  const service = source.serviceNameExpression ?? 'ServiceName'
  const serviceName = valueOf(({ expression }) => expression === service)
  const around = (q: string) => () =>
    onAround({ ...absoluteRange({ from: row.at - aroundMs, to: row.at + aroundMs }), q, order: '', row: row.key })
  return (
    <Box
      component="section"
      aria-label="Row details"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      sx={detailsPanelStyle}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        {severity && <StatusChip tone={severityTone(severity)}>{severity}</StatusChip>}
        <Typography component="h2" variant="h2" noWrap sx={{ minWidth: 0 }}>
          {serviceName || source.name}
        </Typography>
        <Typography variant="caption" color="textSecondary" noWrap>
          {Number.isNaN(row.at) ? row.time : inZone(row.at, zone).format('HH:mm:ss.SSS')}
        </Typography>
        <Box sx={{ flexGrow: 1 }} />
        <IconButton aria-label="Previous row" onClick={() => onStep(-1)}>
          <ChevronUp size={15} aria-hidden />
        </IconButton>
        <IconButton aria-label="Next row" onClick={() => onStep(1)}>
          <ChevronDown size={15} aria-hidden />
        </IconButton>
        <IconButton aria-label="Close row details" onClick={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </Box>
      <Typography component="div" sx={{ my: 2, overflowWrap: 'anywhere', maxHeight: 160, overflow: 'auto' }}>
        {valueOf(({ wide }) => wide)}
      </Typography>
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap' }}>
        <MenuButton
          icon={LocateFixed}
          label="Show around"
          choices={[
            { icon: LocateFixed, label: 'All rows', detail: '1 minute before and after', run: around('') },
            ...(serviceName
              ? [
                  {
                    icon: LocateFixed,
                    label: `Rows of ${serviceName}`,
                    detail: '1 minute before and after',
                    run: around(addFilter('', { expression: service, value: serviceName, mode: 'in' }, language) ?? ''),
                  },
                ]
              : []),
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
      </Box>
      <Tabs
        value={view}
        onChange={(_, chosen: typeof view) => setView(chosen)}
        aria-label="Row details"
        sx={{ my: 1.5 }}
      >
        <Tab value="attributes" label="Attributes" />
        <Tab value="json" label="JSON" />
      </Tabs>
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton variant="rounded" height={180} />}
      {data === null && <Notice tone="info">The row could not be found again. It may have expired.</Notice>}
      {data && view === 'attributes' && <AttributeTree row={data} language={language} onFilter={onFilter} />}
      {data && view === 'json' && <JsonView text={stringifyJson(data, 2)} label="The row as JSON" />}
    </Box>
  )
}

const aroundMs = 60_000
