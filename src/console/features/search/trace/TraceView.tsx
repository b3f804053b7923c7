import { CircleAlert, FoldVertical, ScrollText, UnfoldVertical } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { usePageActions } from '#console/shell/pageActions.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { collapsible, outlineOf } from '#domain/traces/outline.ts'
import { formatNanoseconds, formatShort, formatValue } from '#domain/charts/units.ts'
import type { Zone } from '#domain/time/zone.ts'
import { formatDatedMoment } from '#console/ui/time/formatTime.ts'
import { ClockNotice } from './ClockNotice.tsx'
import { serviceColors, Waterfall } from './Waterfall.tsx'
import { SpanDetails } from './SpanDetails.tsx'
import * as css from './trace.module.css'
import { maxSpans, type ReadSpan, type TimedTrace, type useTrace } from './useTrace.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { timeByService, type Trace } from '#domain/traces/trace.ts'

export interface TraceViewProps {
  connection: Connection
  traceId: string
  traces: Source
  logs: Source | undefined
  data: NonNullable<ReturnType<typeof useTrace>['data']>
  zone: Zone
  /** The ID of the span whose details are open. */
  selected: string
  onSelect: (id: string) => void
}

/** A trace: its figures, the waterfall of its spans, and the details of one. */
export function TraceView(props: TraceViewProps) {
  const { connection, traceId, traces, logs, data, zone, selected, onSelect } = props
  const [asRecorded, setAsRecorded] = useState(false)
  const timed = asRecorded ? data.recorded : data.aligned
  const { trace } = timed
  const { nodes } = trace
  const root = nodes[0]?.span
  const colors = useMemo(() => serviceColors(nodes.map(({ span }) => span.service)), [nodes])
  const failed = nodes.filter(({ span }) => span.failed).length
  const open = nodes.findIndex(({ span }) => span.id === selected)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => outlineOf(nodes, collapsed), [nodes, collapsed])
  const at = rows.findIndex(({ node }) => node.span.id === selected)
  const toggle = useCallback(
    (id: string) => setCollapsed((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
    [setCollapsed],
  )
  const nextFailed = () => {
    const next = nodes.findIndex(({ span }, index) => index > open && span.failed)
    setCollapsed(new Set())
    onSelect((nodes[next] ?? nodes.find(({ failedFirst }) => failedFirst))?.span.id ?? '')
  }
  useSpanKeys({
    step: (by) => onSelect(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.node.span.id ?? ''),
    nextFailed,
  })
  return (
    <Page
      title={root?.name || 'Trace'}
      state={root?.failed && <StatusChip tone="bad">Error</StatusChip>}
      lead={<CopyId id={traceId} />}
      actions={
        logs && (
          <LinkButton
            to={paths.search(connection.id)}
            search={{ source: logs.name, q: `TraceId:"${traceId}"`, ...timesAround(data.recorded) }}
            startIcon={<ScrollText size={14} aria-hidden />}
          >
            Logs of this trace
          </LinkButton>
        )
      }
    >
      <Figures data={data} timed={timed} zone={zone} />
      <div className={css.notices}>
        {data.cut && (
          <Notice tone="warning">
            The trace has more than {formatValue(maxSpans)} spans. The others are not shown.
          </Notice>
        )}
        {data.clocks.length > 0 && (
          <ClockNotice clocks={data.clocks} asRecorded={asRecorded} onToggle={() => setAsRecorded(!asRecorded)} />
        )}
      </div>
      <div className={css.traceResult} data-details={open >= 0 || undefined}>
        <div className={css.spans}>
          <TraceActions
            failed={failed}
            isCollapsed={collapsed.size > 0}
            onNextFailed={nextFailed}
            onCollapse={(collapses) => setCollapsed(collapses ? collapsible(nodes) : new Set())}
          />
          <Waterfall trace={trace} rows={rows} colors={colors} at={at} onSelect={onSelect} onToggle={toggle} />
          <TimeByService trace={trace} colors={colors} />
        </div>
        {open >= 0 && nodes[open] && (
          <SpanDetails
            key={selected}
            connection={connection}
            source={traces}
            span={nodes[open].span}
            duration={trace.duration}
            zone={zone}
            onClose={() => onSelect('')}
          />
        )}
      </div>
    </Page>
  )
}

interface SpanKeys {
  /** Selects a span that is so many rows further down. */
  step: (by: number) => void
  nextFailed: () => void
}

/** The keys of the page, registered once. */
function useSpanKeys({ step, nextFailed }: SpanKeys): void {
  const keys = useRef({ step, nextFailed })
  useEffect(() => {
    keys.current = { step, nextFailed }
  })
  const actions = useMemo(
    () => [
      { label: 'Next span', key: 'j', run: () => keys.current.step(1) },
      { label: 'Previous span', key: 'k', run: () => keys.current.step(-1) },
      { label: 'Next failed span', key: 'e', run: () => keys.current.nextFailed() },
    ],
    [],
  )
  usePageActions(actions)
}

interface TraceActionsProps {
  /** How many spans failed. */
  failed: number
  isCollapsed: boolean
  onNextFailed: () => void
  onCollapse: (collapses: boolean) => void
}

function TraceActions({ failed, isCollapsed, onNextFailed, onCollapse }: TraceActionsProps) {
  return (
    <div className={css.traceActions}>
      {failed > 0 && (
        <Button startIcon={<CircleAlert size={14} aria-hidden />} onClick={onNextFailed}>
          Errors {formatValue(failed)}
        </Button>
      )}
      <Button
        startIcon={isCollapsed ? <UnfoldVertical size={14} aria-hidden /> : <FoldVertical size={14} aria-hidden />}
        onClick={() => onCollapse(!isCollapsed)}
      >
        {isCollapsed ? 'Expand all' : 'Collapse'}
      </Button>
    </div>
  )
}

/** A minute more on either side, by the clocks of the hosts: logs have no other. */
function timesAround({ trace, start }: TimedTrace): { from: string; to: string } {
  return { from: String(start - 60_000), to: String(Math.ceil(start + trace.duration / 1e6) + 60_000) }
}

const without = (all: ReadonlySet<string>, id: string) => new Set([...all].filter((other) => other !== id))

interface FiguresProps extends Pick<TraceViewProps, 'data' | 'zone'> {
  /** The trace with the times that are shown. */
  timed: TimedTrace
}

function Figures({ data, timed: { trace, start }, zone }: FiguresProps) {
  const services = new Set(trace.nodes.map(({ span }) => span.service))
  const failed = trace.nodes.filter(({ span }) => span.failed).length
  return (
    <dl className={css.traceFigures}>
      <Figure name="Duration" value={formatNanoseconds(String(trace.duration))} />
      <Figure name="Started" value={formatDatedMoment(start, zone, 'millisecond')} />
      <Figure name="Spans" value={formatValue(trace.nodes.length)} />
      <Figure name="Services" value={String(services.size)} />
      <Figure name="Failed spans" value={formatValue(failed)} bad={failed > 0} />
      <Figure name="Logs" value={formatValue(data.logs.length)} />
    </dl>
  )
}

function Figure({ name, value, bad = false }: { name: string; value: string; bad?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-bad={bad || undefined}>{value}</dd>
    </div>
  )
}

interface TimeByServiceProps {
  trace: Trace<ReadSpan>
  colors: ReadonlyMap<string, string>
}

/** The critical path by service. */
function TimeByService({ trace, colors }: TimeByServiceProps) {
  const shares = timeByService(trace)
  return (
    <section aria-label="Where the time went" className={css.times}>
      <Text variant="h2">
        Where the time went <span className={css.traceDetail}>critical path by service</span>
      </Text>
      <div className={css.shares} aria-hidden>
        {shares.map(({ service, share }) => (
          <span key={service} style={{ width: `${share * 100}%`, background: colors.get(service) }} />
        ))}
      </div>
      <ul className={css.services}>
        {shares.map(({ service, time, share }) => (
          <li key={service}>
            <span className={css.traceSwatch} style={{ background: colors.get(service) }} />
            {service || '(none)'}{' '}
            <span className={css.traceShare}>
              {formatShort(share * 100, 'percent')} · {formatNanoseconds(String(time))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
