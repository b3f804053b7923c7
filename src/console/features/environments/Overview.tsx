import { memo } from 'react'
import { visibleText } from '#domain/text/visibleText.ts'
import { ConnectionBadges, formatVariant } from '#console/frame/switcher/ConnectionBadges.tsx'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import * as base from '#console/ui/base/base.module.css'
import type { Connection } from '#contract/console/connections.ts'
import { useDrawnCount } from '#console/ui/useDrawnCount.ts'
import { useMediaQuery } from '#console/ui/useMediaQuery.ts'
import { BaselineDifference, Budget, ExpiringKey, Firing, LastChange, PipesInTrouble, Reachable } from './facts.tsx'
import { emptyColumn, type ColumnCounts } from './matrixRows.ts'
import type { Environment } from './useEnvironments.ts'
import * as css from './environments.module.css'

interface OverviewProps {
  environments: readonly Environment[]
  baseline: Connection | undefined
  counts: ReadonlyMap<string, ColumnCounts>
}

/** Each connection in one line: reachable, budget, what fires, what differs, who changed something last. */
export function Overview(props: OverviewProps) {
  const phone = useMediaQuery('(max-width: 760px)')
  return phone ? <OverviewCards {...props} /> : <OverviewTable {...props} />
}

/** Pixels of a line, kept free for those that are drawn later. */
const lineHeight = 33

function OverviewTable({ environments, baseline, counts }: OverviewProps) {
  const count = useDrawnCount(environments.length)
  const later = environments.length - count
  return (
    <div className={`${base.card} ${css.overviewScroller}`}>
      <table
        className={`${base.table} ${css.overview}`}
        aria-label="Connections"
        aria-rowcount={environments.length + 1}
      >
        <thead>
          <tr>
            <th>Connection</th>
            <th>Reachable</th>
            <th>Budget left</th>
            <th className="number">Firing</th>
            <th className="number">Pipes in trouble</th>
            <th>Against baseline</th>
            <th>Last change</th>
          </tr>
        </thead>
        <tbody>
          {environments.slice(0, count).map((environment) => (
            <OverviewRow
              key={environment.connection.id}
              environment={environment}
              baseline={baseline}
              {...(counts.get(environment.connection.id) ?? emptyColumn)}
            />
          ))}
          {later > 0 && <tr aria-hidden style={{ height: later * lineHeight }} />}
        </tbody>
      </table>
    </div>
  )
}

interface OverviewRowProps extends ColumnCounts {
  environment: Environment
  baseline: Connection | undefined
}

/** Drawn again only if something of its own has changed: there may be hundreds. */
const OverviewRow = memo(function OverviewRow({ environment, baseline, ...counts }: OverviewRowProps) {
  const { connection, problem } = environment
  return (
    <tr>
      <th scope="row">
        <ConnectionName environment={environment} />
        {problem !== undefined && <span className={css.overviewProblem}>{problem}</span>}
        <ExpiringKey connection={connection} />
      </th>
      <td>
        <Reachable {...environment} />
      </td>
      <td>
        <Budget {...environment} />
      </td>
      <td className="number">
        <Firing {...environment} />
      </td>
      <td className="number">
        <PipesInTrouble {...environment} />
      </td>
      <td>
        <BaselineDifference environment={environment} baseline={baseline} counts={counts} />
      </td>
      <td>
        <LastChange environment={environment} />
      </td>
    </tr>
  )
}, isSameLine)

function isSameLine(
  { environment: before, ...one }: OverviewRowProps,
  { environment: after, ...other }: OverviewRowProps,
) {
  const { column, ...facts } = before
  const { column: nextColumn, ...nextFacts } = after
  return hasSameValues(one, other) && hasSameValues(facts, nextFacts) && hasSameValues(column, nextColumn)
}

function hasSameValues<T extends object>(one: T, other: T): boolean {
  const values = Object.values(other)
  return Object.values(one).every((value, at) => value === values[at])
}

function ConnectionName({ environment: { connection } }: { environment: Environment }) {
  return (
    <span className={css.overviewName}>
      <StageDot stage={connection.stage} />
      <b>{visibleText(connection.name)}</b>
      <span className={css.overviewVariant}>{formatVariant(connection)}</span>
      <ConnectionBadges connection={connection} compact />
    </span>
  )
}

function OverviewCards({ environments, baseline, counts }: OverviewProps) {
  const count = useDrawnCount(environments.length)
  return (
    <ul className={css.overviewCards} aria-label="Connections">
      {environments.slice(0, count).map((environment) => {
        const { connection, problem } = environment
        return (
          <li key={connection.id} className={`${base.card} ${css.overviewCard}`}>
            <div className={css.cardHead}>
              <ConnectionName environment={environment} />
              <span className={css.against}>
                <BaselineDifference
                  environment={environment}
                  baseline={baseline}
                  counts={counts.get(connection.id) ?? emptyColumn}
                />
              </span>
            </div>
            <ExpiringKey connection={connection} />
            {problem === undefined ? (
              <dl className={css.overviewFacts}>
                <div>
                  <dt>alerts firing</dt>
                  <dd>
                    <Firing {...environment} />
                  </dd>
                </div>
                <div>
                  <dt>pipes in trouble</dt>
                  <dd>
                    <PipesInTrouble {...environment} />
                  </dd>
                </div>
                <div>
                  <dt>last change</dt>
                  <dd className={css.last}>
                    <LastChange environment={environment} />
                  </dd>
                </div>
              </dl>
            ) : (
              <div className={css.overviewProblem}>{problem}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
