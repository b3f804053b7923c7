/** The known state of one connection, a cell at a time. */
import { useQuery, useQueries } from '@tanstack/react-query'
import { Check, TriangleAlert } from 'lucide-react'
import { recentChangesQuery } from '#console/api/gateway/recentChanges.ts'
import { paths } from '#console/paths/paths.ts'
import { useKeyExpiry } from '#console/records/apiKeys/keyExpiry.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { sharesRecords } from '#contract/console/deployments.ts'
import type { Change } from '#contract/console/history.ts'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import { formatShort } from '#domain/charts/units.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { isPipeInTrouble, maxServicesRead } from '#console/usages/pipesInTrouble.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { services } from '#contract/cloud/services/services.ts'
import { formatDifferences, type Counts } from './matrixRows.ts'
import type { Environment } from './useEnvironments.ts'
import * as css from './environments.module.css'

/** Milliseconds beyond which a connection is slow. */
const slow = 1_000

const Waiting = () => <Skeleton width={48} still />

export function Reachable({ state, problem }: Environment) {
  if (problem !== undefined) {
    return (
      <span className={css.overviewBad} {...hint(problem)}>
        <TriangleAlert size={14} aria-hidden /> no
      </span>
    )
  }
  if (state?.latency === undefined) return <Waiting />
  const isSlow = state.latency > slow
  const Icon = isSlow ? TriangleAlert : Check
  return (
    <span className={isSlow ? css.warn : css.overviewOk}>
      <Icon size={14} aria-hidden /> {formatShort(state.latency, 'ms')}
    </span>
  )
}

/** Below this share, the bar is in another colour. */
const short = 0.5

export function Budget({ state }: Environment) {
  if (!state) return <Waiting />
  const { limit, remaining } = state.budget
  if (limit === null || remaining === null) return <span className={css.overviewMuted}>no limit</span>
  const share = Math.max(0, Math.min(1, remaining / limit))
  return (
    <span className={css.meter}>
      <span aria-hidden className={css.overviewTrack}>
        <span data-short={share < short} style={{ width: `${share * 100}%` }} />
      </span>
      {remaining} of {limit}
    </span>
  )
}

interface CountOfProps {
  count: number
  of: number
  /** The class of a count above zero. */
  tone: string | undefined
}

function CountOf({ count, of, tone }: CountOfProps) {
  return (
    <>
      <b className={count > 0 ? tone : css.overviewNone}>{count}</b> <span className={css.overviewMuted}>of {of}</span>
    </>
  )
}

export function Firing({ state }: Environment) {
  if (!state) return <Waiting />
  const all = state.counts.alerts
  if (state.firing === undefined || all === undefined) return <span className={css.overviewMuted}>unknown</span>
  return <CountOf count={state.firing.length} of={all} tone={css.overviewBad} />
}

export function PipesInTrouble({ connection, problem }: Environment) {
  const { offered, trouble, total, reason } = usePipesInTrouble(connection)
  if (!offered) return <span className={css.overviewMuted}>not available</span>
  if (reason !== undefined || problem !== undefined) {
    return (
      <span className={css.overviewMuted} {...hint(reason ?? problem ?? '')}>
        unknown
      </span>
    )
  }
  if (trouble === undefined || total === undefined) return <Waiting />
  return <CountOf count={trouble} of={total} tone={css.warn} />
}

interface PipeCount {
  offered: boolean
  /** Undefined until they are read, and where they could not be. */
  trouble?: number
  total?: number
  /** Why it is not known. */
  reason?: string
}

/** The pipes of a connection that need somebody, read behind all other requests. */
function usePipesInTrouble(connection: Connection): PipeCount {
  const { offered } = useOffer(connection, 'pipes', pipes.list.variants)
  const background = { priority: 'background' } as const
  const all = useQuery({ ...q(connection.id, services.list, {}, background), enabled: offered, retry: false })
  const ids = (all.data ?? []).map(({ id }) => id)
  const lists = useQueries({
    queries: ids.slice(0, maxServicesRead).map((serviceId) => ({
      ...q(connection.id, pipes.list, { params: { serviceId } }, background),
      retry: false,
    })),
  })
  if (!offered) return { offered: false }
  if (ids.length > maxServicesRead) return { offered: true, reason: `Too many services to count: ${ids.length}.` }
  if (all.error || lists.some(({ error }) => error)) return { offered: true, reason: 'They could not be read.' }
  if (!all.data || lists.some(({ data }) => data === undefined)) return { offered: true }
  const found = lists.flatMap(({ data }) => data ?? [])
  return {
    offered: true,
    total: found.length,
    trouble: found.filter(isPipeInTrouble).length,
  }
}

/** A key that ends soon, with the way to its rotation; nothing for keys that last. */
export function ExpiringKey({ connection }: Pick<Environment, 'connection'>) {
  const expiry = useKeyExpiry(connection)
  if (!expiry) return null
  const { id } = connection
  const to = expiry.apiKeyId ? paths.rotateApiKey(id, expiry.apiKeyId) : paths.apiKeys(id)
  return (
    <span className={css.expiringKey} data-own={expiry.own || undefined}>
      <TriangleAlert size={13} aria-hidden />
      <span>{expiry.text}</span>
      <TextLink to={to}>{expiry.apiKeyId ? 'Rotate' : 'API keys'}</TextLink>
    </span>
  )
}

interface BaselineDifferenceProps {
  environment: Environment
  baseline: Connection | undefined
  counts: Counts
}

export function BaselineDifference({ environment, baseline, counts }: BaselineDifferenceProps) {
  const { connection } = environment
  if (connection.id === baseline?.id) return <StatusChip tone="neutral">baseline</StatusChip>
  const { comparison, problem } = environment.column
  if (problem !== undefined) return <span className={css.overviewMuted}>unknown</span>
  if (!comparison) return <Waiting />
  return <>{formatDifferences(counts, baseline !== undefined && sharesRecords(baseline, connection))}</>
}

export function LastChange({ environment }: { environment: Environment }) {
  const { data: changes, isPending, isError } = useQuery(recentChangesQuery)
  if (isPending) return <Skeleton width={120} still />
  if (isError) return <span className={css.overviewMuted}>unknown</span>
  const last = changes[environment.connection.id]?.find(({ outcome }) => outcome === 'done' || outcome === 'found')
  if (!last) return <span className={css.overviewMuted}>none seen yet</span>
  return (
    <>
      {formatActor(last)}{' '}
      <span className={css.overviewMuted}>
        {formatRecentDay(last.at)}
        {last.name && `, ${last.name}`}
      </span>
    </>
  )
}

/** The author of a change: a browser, this console, or "outside this console". */
export function formatActor({ cause, actor }: Pick<Change, 'cause' | 'actor'>): string {
  if (cause === 'outside') return 'outside this console'
  return actor ? formatBrowser(actor) : 'this console'
}
