/** Reads the spans and the logs of one trace. */
import { useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { sqlIn } from '#domain/query/sqlValues.ts'
import { alignClocks, type ClockedSpan, type DifferentClock } from '#domain/traces/clocks.ts'
import { readTrace, type Trace } from '#domain/traces/trace.ts'
import { search, type SearchRow } from '#contract/stack/search.ts'
import type { Source } from '#contract/stack/sources.ts'
import { bodyFields, severityField, text, timeField, valueText } from '#console/charting/rows/columns.ts'
import { nanosecondsOf } from '#console/charting/rows/rowTime.ts'

/** The API answers at most this many rows at once; more spans than this are not read. */
const pageSize = 2000
export const maxSpans = 6000
const maxLogs = 1000

const day = 86_400_000

/** A period, epoch milliseconds. */
interface Period {
  from: number
  to: number
}

export interface ReadSpan extends ClockedSpan {
  /** The time as the engine writes it. */
  time: string
  /** How far its clock is ahead, in nanoseconds; 0 if it is drawn where it was recorded. */
  ahead: number
  status: string
  /** The logs that it wrote. */
  logs: TraceLog[]
}

interface TraceLog {
  time: string
  spanId: string
  severity: string
  body: string
  /** Nanoseconds since the start of the trace. */
  at: number
}

/** A trace by some clocks. */
export interface TimedTrace {
  trace: Trace<ReadSpan>
  /** Epoch milliseconds. */
  start: number
}

interface TraceData {
  /** By the clocks of those that called: spans of hosts whose clocks differ are in the spans that called them. */
  aligned: TimedTrace
  /** By the clocks of the hosts. */
  recorded: TimedTrace
  /** The clocks that differ; none if both are the same. */
  clocks: readonly DifferentClock[]
  logs: TraceLog[]
  /** There are more spans than were read. */
  cut: boolean
}

export interface TraceRequest {
  traceId: string
  traces: Source
  logs: Source | undefined
  /** Epoch milliseconds of one of its spans; undefined to look at the last seven days. */
  at: number | undefined
}

export function useTrace(connectionId: string, { traceId, traces, logs, at }: TraceRequest) {
  return useQuery({
    queryKey: [connectionId, 'search', 'trace', traceId, traces.id, logs?.id, at] as const,
    queryFn: async ({ signal }): Promise<TraceData | null> => {
      const readAll = (period: Period) => readTraceRows(connectionId, { traceId, traces, logs }, period, signal)
      const now = Date.now()
      // A host whose clock is ahead writes times that are still to come.
      if (at === undefined) return traceOf(await readAll({ from: now - 7 * day, to: now + day }))
      // Traces may be long, and the clocks of hosts far off. Deployments find the ID of a trace by an index.
      const near = await readAll({ from: at - day, to: at + day })
      return traceOf(lacksSpans(near) ? await readAll({ from: at - 7 * day, to: at + 7 * day }) : near)
    },
    staleTime: 60_000,
  })
}

interface TraceRows {
  spans: SearchRow[]
  logs: SearchRow[]
}

/** Reads the spans and logs of a trace within a period. */
async function readTraceRows(
  connectionId: string,
  { traceId, traces, logs }: Omit<TraceRequest, 'at'>,
  { from, to }: Period,
  signal: AbortSignal,
): Promise<TraceRows> {
  const read = async (
    source: Source,
    columns: Record<string, string>,
    page: { maxResults: number; offset: number },
  ) => {
    const body = {
      startTime: new Date(from).toISOString(),
      endTime: new Date(to).toISOString(),
      ...page,
      sourceId: source.id,
      where: sqlIn(text(source, 'traceIdExpression') ?? 'TraceId', [traceId]),
      whereLanguage: 'sql' as const,
      select: Object.entries(columns)
        .map(([name, expression]) => `${expression} AS __${name}`)
        .join(', '),
      orderBy: `${source.timestampValueExpression ?? 'Timestamp'} ASC`,
    }
    return (await call(connectionId, search.query, { body }, { signal })).data
  }
  const readSpans = async () => {
    const rows: SearchRow[] = []
    while (rows.length < maxSpans) {
      const next = await read(traces, spanColumns(traces), { maxResults: pageSize, offset: rows.length })
      rows.push(...next)
      if (next.length < pageSize) break
    }
    return rows
  }
  const [spans, lines] = await Promise.all([
    readSpans(),
    logs ? read(logs, logColumns(logs), { maxResults: maxLogs, offset: 0 }) : [],
  ])
  return { spans, logs: lines }
}

/** Whether there are no spans, or a span was called by one that is not among them. */
function lacksSpans({ spans }: TraceRows): boolean {
  const ids = new Set(spans.map((row) => valueText(row['__id'])))
  return (
    spans.length === 0 || spans.some((row) => valueText(row['__parent']) !== '' && !ids.has(valueText(row['__parent'])))
  )
}

const spanColumns = (source: Source): Record<string, string> => {
  const kind = text(source, 'spanKindExpression')
  return {
    time: timeField(source),
    id: text(source, 'spanIdExpression') ?? 'SpanId',
    parent: text(source, 'parentSpanIdExpression') ?? 'ParentSpanId',
    name: text(source, 'spanNameExpression') ?? 'SpanName',
    service: source.serviceNameExpression ?? 'ServiceName',
    duration: source.durationExpression ?? 'Duration',
    status: severityField(source),
    ...(kind !== undefined && { kind }),
  }
}

const logColumns = (source: Source) => ({
  time: timeField(source),
  span: text(source, 'spanIdExpression') ?? 'SpanId',
  severity: severityField(source),
  body: bodyFields(source)[0],
})

/** Null for a trace without spans. */
function traceOf({ spans, logs: lines }: TraceRows): TraceData | null {
  if (spans.length === 0) return null
  const first = spans.map((row) => valueText(row['__time'])).toSorted()[0] ?? ''
  const origin = nanosecondsOf(first) ?? 0n
  const since = (time: string) => Number((nanosecondsOf(time) ?? 0n) - origin)
  const logs = lines.map((row): TraceLog => {
    const time = valueText(row['__time'])
    return {
      time,
      at: since(time),
      spanId: valueText(row['__span']),
      severity: valueText(row['__severity']),
      body: valueText(row['__body']),
    }
  })
  const read = spans.map((row): ReadSpan => {
    const [time, id, status] = [valueText(row['__time']), valueText(row['__id']), valueText(row['__status'])]
    return {
      id,
      time,
      ahead: 0,
      status,
      parentId: valueText(row['__parent']),
      name: valueText(row['__name']),
      service: valueText(row['__service']),
      kind: valueText(row['__kind']),
      start: since(time),
      duration: Number(valueText(row['__duration'])) || 0,
      failed: /err/i.test(status),
      logs: logs.filter(({ spanId }) => spanId === id),
    }
  })
  const { spans: aligned, origin: later, ahead, clocks } = alignClocks(read)
  const timed = (all: readonly ReadSpan[], later: number): TimedTrace => ({
    trace: readTrace(all),
    start: Number((origin + BigInt(later)) / 1_000_000n),
  })
  const moved = aligned.map((span, at) => {
    const offset = ahead.get(at) ?? 0
    // The logs of a span are by the same clock.
    return { ...span, ahead: offset, logs: span.logs.map((log) => ({ ...log, at: log.at - offset - later })) }
  })
  return { aligned: timed(moved, later), recorded: timed(read, 0), clocks, logs, cut: spans.length >= maxSpans }
}
