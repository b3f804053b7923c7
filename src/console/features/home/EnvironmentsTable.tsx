import { Check, TriangleAlert } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { baselineOf } from '#console/api/gateway/environments.ts'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { ConnectionBadges, formatVariant } from '#console/frame/switcher/ConnectionBadges.tsx'
import * as base from '#console/ui/base/base.module.css'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import { useDrawnCount } from '#console/ui/useDrawnCount.ts'
import { useMediaQuery } from '#console/ui/useMediaQuery.ts'
import { formatAmount } from '#domain/charts/amounts.ts'
import { formatValue } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import { formatAuthor } from './changeText.ts'
import type { HomeEnvironment } from './useHome.ts'
import * as css from './home.module.css'

interface EnvironmentsTableProps {
  environments: readonly HomeEnvironment[]
}

/** The columns of the table; on a phone, the lines of a card. */
const facts: { title: string; draw: (environment: HomeEnvironment, baselineId: string) => ReactNode }[] = [
  { title: 'Reachable', draw: (environment) => <Reachable {...environment} /> },
  { title: 'Firing', draw: (environment) => <Firing {...environment} /> },
  { title: 'Need attention', draw: (environment) => <NeedAttention {...environment} /> },
  {
    title: 'Drift from baseline',
    draw: (environment, baselineId) => <Drift {...environment} baselineId={baselineId} />,
  },
  { title: 'Last change', draw: (environment) => <LastChange {...environment} /> },
  { title: 'Cost this month', draw: (environment) => <Cost {...environment} /> },
]

/** Fixed widths of the columns beside the names, so that values that arrive in one move none of the others. */
const widths: Record<string, string> = {
  Reachable: '9%',
  Firing: '8%',
  'Need attention': '15%',
  'Drift from baseline': '16%',
  'Last change': '22%',
  'Cost this month': '11%',
}

/** Pixels of a line with one line of text, kept free for those that are drawn later. */
const lineHeight = 32

/** Each connection in one line, on a phone in a card; every figure leads to where it comes from. */
export function EnvironmentsTable({ environments }: EnvironmentsTableProps) {
  const phone = useMediaQuery('(max-width: 760px)')
  const baselineId = baselineOf(environments.map(({ connection }) => connection))?.id ?? ''
  const hasCosts = environments.some(({ problems }) => problems?.cost !== undefined)
  const hasDrift = environments.length > 1
  const shown = factsOf(hasDrift, hasCosts)
  const count = useDrawnCount(environments.length)
  const drawn = environments.slice(0, count)
  const later = environments.length - count
  if (phone) {
    return (
      <ul className={css.cards} aria-label="Environments">
        {drawn.map((environment) => (
          <Card
            key={environment.connection.id}
            {...environment}
            baselineId={baselineId}
            hasDrift={hasDrift}
            hasCosts={hasCosts}
          />
        ))}
      </ul>
    )
  }
  return (
    <div className={`${base.card} ${css.scroller}`}>
      <table
        className={`${base.table} ${css.environments}`}
        data-costs={hasCosts || undefined}
        aria-label="Environments"
        aria-rowcount={environments.length + 1}
      >
        <thead>
          <tr>
            <th scope="col">Environment</th>
            {shown.map(({ title }) => (
              <th key={title} scope="col" style={{ width: widths[title] }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map((environment) => (
            <Row
              key={environment.connection.id}
              {...environment}
              baselineId={baselineId}
              hasDrift={hasDrift}
              hasCosts={hasCosts}
            />
          ))}
          {later > 0 && <tr aria-hidden style={{ height: later * lineHeight }} />}
        </tbody>
      </table>
    </div>
  )
}

/** Leaves out the drift where there is only the baseline, and costs where none is known. */
function factsOf(hasDrift: boolean, hasCosts: boolean) {
  return facts.filter(
    ({ title }) => (title !== 'Drift from baseline' || hasDrift) && (title !== 'Cost this month' || hasCosts),
  )
}

interface LineProps extends HomeEnvironment {
  baselineId: string
  hasDrift: boolean
  hasCosts: boolean
}

/** Drawn again only if something of its own has changed: there may be hundreds. */
const Row = memo(function Row({ baselineId, hasDrift, hasCosts, ...environment }: LineProps) {
  return (
    <tr>
      <th scope="row">
        <Name {...environment} />
      </th>
      {factsOf(hasDrift, hasCosts).map(({ title, draw }) => (
        <td key={title}>{draw(environment, baselineId)}</td>
      ))}
    </tr>
  )
})

const Card = memo(function Card({ baselineId, hasDrift, hasCosts, ...environment }: LineProps) {
  return (
    <li className={`${base.card} ${css.card}`}>
      <Name {...environment} />
      <dl className={css.facts}>
        {factsOf(hasDrift, hasCosts).map(({ title, draw }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{draw(environment, baselineId)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
})

function Name({ connection, problem }: HomeEnvironment) {
  return (
    <>
      <span className={css.name}>
        {/* The dot stays beside the name where the rest goes to another line. */}
        <span className={css.dotted}>
          <StageDot stage={connection.stage} />
          <TextLink to={paths.connectionHome(connection.id)} row>
            {visibleText(connection.name)}
          </TextLink>
        </span>
        <span className={css.muted}>{formatVariant(connection)}</span>
        <ConnectionBadges connection={connection} compact />
      </span>
      {problem !== undefined && <span className={css.problem}>{problem}</span>}
    </>
  )
}

const Waiting = () => <Skeleton width={48} still />

function Unknown({ why, to }: { why: string; to?: string }) {
  return (
    <span className={css.muted} {...hint(why)}>
      {to === undefined ? 'unknown' : <TextLink to={to}>unknown</TextLink>}
    </span>
  )
}

/** Milliseconds below a second, then seconds with one decimal. */
const formatLatency = (ms: number) =>
  ms < 1_000 ? formatValue(Math.round(ms), 'ms') : formatValue(Math.round(ms / 100) / 10, 's')

/** Milliseconds beyond which a connection is slow. */
const slow = 1_000

function Reachable({ connection, state, problem }: HomeEnvironment) {
  const to = paths.editConnection(connection.id)
  if (problem !== undefined) {
    return (
      <span className={css.bad}>
        <TriangleAlert size={14} aria-hidden /> <TextLink to={to}>no</TextLink>
      </span>
    )
  }
  if (state?.latency === undefined) return <Waiting />
  const isSlow = state.latency > slow
  const Icon = isSlow ? TriangleAlert : Check
  return (
    <span className={isSlow ? css.warn : css.ok}>
      <Icon size={14} aria-hidden /> <TextLink to={paths.environments()}>{formatLatency(state.latency)}</TextLink>
    </span>
  )
}

function Firing({ connection, state, firing, firingUnknown }: HomeEnvironment) {
  const to = paths.alerts(connection.id)
  if (firingUnknown !== undefined) return <Unknown why={firingUnknown} to={to} />
  if (!firing || state?.counts.alerts === undefined) return <Waiting />
  return (
    <>
      {/* Its color alone would not set it apart from the text beside it. */}
      <TextLink to={to} underline="always" className={firing.length > 0 ? css.bad : ''}>
        {firing.length}
      </TextLink>{' '}
      <span className={css.muted}>of {state.counts.alerts}</span>
    </>
  )
}

function NeedAttention({ connection, problems, problem }: HomeEnvironment) {
  if (!problems) return <Waiting />
  if (!problems.offered) return <span className={css.muted}>no pipes or services</span>
  const to = paths.pipes(connection.id)
  if (problem !== undefined) return <Unknown why={problem} to={to} />
  const { pipes = [], overloaded = [], services = [], total, reason } = problems
  const parts = [
    { count: pipes.length + overloaded.length, noun: 'pipe', of: total?.pipes, at: to },
    { count: services.length, noun: 'service', of: total?.services, at: paths.services(connection.id) },
  ]
  const inTrouble = parts.filter(({ count }) => count > 0)
  if (inTrouble.length === 0 && reason !== undefined) return <Unknown why={reason} to={to} />
  if (!total && reason === undefined) return <Waiting />
  if (inTrouble.length === 0 && total) {
    return (
      <>
        <TextLink to={to} underline="always">
          0
        </TextLink>{' '}
        <span className={css.muted}>
          of {counted(total.pipes, 'pipe')}, {counted(total.services, 'service')}
          {problems.isLoadUnknown && ', load unknown'}
        </span>
      </>
    )
  }
  return (
    <>
      {inTrouble.map(({ count, noun, of, at }, place) => (
        <span key={noun}>
          {place > 0 && ', '}
          <TextLink to={at} underline="always" className={css.warn}>
            {counted(count, noun)}
          </TextLink>{' '}
          {of !== undefined && <span className={css.muted}>of {of}</span>}
        </span>
      ))}
      {reason !== undefined && (
        <span className={css.muted} {...hint(reason)}>
          , others unknown
        </span>
      )}
    </>
  )
}

function Drift({ connection, state, problem, isReading, baselineId }: HomeEnvironment & { baselineId: string }) {
  if (connection.id === baselineId) return <StatusChip tone="neutral">baseline</StatusChip>
  const to = paths.environments()
  if (problem !== undefined) return <Unknown why={problem} to={to} />
  if (state?.drift) {
    const { differences, notComparable } = state.drift
    return (
      <>
        <TextLink to={to}>{differences === 0 ? 'No differences' : counted(differences, 'difference')}</TextLink>
        {notComparable > 0 && <span className={css.muted}>, {notComparable} not comparable</span>}
      </>
    )
  }
  if (isReading || !state) return <Waiting />
  // Not compared here: the baseline could not be read, or it would be much work.
  return <TextLink to={to}>Compare</TextLink>
}

function Cost({ connection, problems }: HomeEnvironment) {
  if (problems?.cost === undefined) {
    const isFree = connection.stage === 'local'
    return <span className={css.muted}>{isFree ? 'no charges apply' : 'not known'}</span>
  }
  return <TextLink to={paths.usage(connection.id)}>{formatAmount(problems.cost, 'CHC')}</TextLink>
}

function LastChange({ connection, changes }: HomeEnvironment) {
  if (changes === null) return <Unknown why="The history could not be read." to={paths.history(connection.id)} />
  if (!changes) return <Waiting />
  const [last] = changes
  if (!last) return <TextLink to={paths.history(connection.id)}>none seen yet</TextLink>
  return (
    <>
      {visibleText(formatAuthor(last))}{' '}
      <TextLink
        to={paths.history(connection.id)}
        search={{ change: String(last.id) }}
        className={css.last}
        underline="always"
      >
        {formatRecentDay(last.at)}
        {last.name && `, ${visibleText(last.name)}`}
      </TextLink>
    </>
  )
}
