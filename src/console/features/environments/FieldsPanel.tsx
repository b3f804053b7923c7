import { useQuery } from '@tanstack/react-query'
import { diffWordsWithSpace } from 'diff'
import { ArrowRightLeft, ExternalLink, History, Link2, Link2Off, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { comparedFieldsQuery, comparisonQuery, unmatchRecord } from '#console/api/gateway/environments.ts'
import { versionsQuery } from '#console/api/gateway/history.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { formatFieldValue } from '#console/records/runs/fieldPath.ts'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as base from '#console/ui/base/base.module.css'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { counted } from '#domain/text/words.ts'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { FieldComparisonView } from '#contract/console/environments.ts'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import { formatActor } from './facts.tsx'
import { cellText, type Cell, type MatrixRow } from './matrixRows.ts'
import { recordPath } from '#console/records/runs/recordPath.ts'
import type { Environment } from './useEnvironments.ts'
import * as css from './environments.module.css'

const MatchDialog = lazyComponent(async () => (await import('./MatchDialog.tsx')).MatchDialog)

interface FieldsPanelProps {
  row: MatrixRow
  baseline: Environment
  other: Environment
  environments: readonly Environment[]
  onClose: () => void
}

/** One cell of the matrix: what differs field by field, since when, and what can be done about it. */
export function FieldsPanel({ row, baseline, other, environments, onClose }: FieldsPanelProps) {
  const [matching, setMatching] = useState(false)
  const { cell, whole } = useWholeCell({ row, baseline, other, needsAll: matching })
  const elsewhere = environments.filter((environment) => environment !== baseline && environment !== other)
  return (
    <section className={`${base.card} ${css.fieldsPanel}`} aria-label={`${row.name} on ${other.connection.name}`}>
      <div className={css.fieldsHead}>
        <h2>{row.name}</h2>
        <StatusChip tone={tones[cell.state] ?? 'neutral'}>{cellText(cell, row)}</StatusChip>
        <span className={css.fieldsSpacer} />
        <IconButton aria-label="Close" size="small" onClick={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      <div className={css.fieldsBody}>
        {whole.error ? (
          <QueryError error={whole.error} onRetry={() => void whole.refetch()} />
        ) : (
          <CellDetail row={row} cell={cell} baseline={baseline} other={other} />
        )}
        <dl className={css.fieldsFacts}>
          {(cell.baselineId !== undefined || cell.id !== undefined) && (
            <>
              <dt>Changed</dt>
              <dd>
                <Changed connection={baseline.connection} row={row} id={cell.baselineId} />
                <Changed connection={other.connection} row={row} id={cell.id} />
              </dd>
            </>
          )}
          {elsewhere.length > 0 && (
            <>
              <dt>Elsewhere</dt>
              <dd>
                {elsewhere.map(({ connection }) => {
                  const cell = row.cells.get(connection.id)
                  return cell && <div key={connection.id}>{`${cellText(cell, row)} on ${connection.name}`}</div>
                })}
              </dd>
            </>
          )}
        </dl>
      </div>
      <div className={css.fieldsActions}>
        <PromoteLink row={row} id={cell.id} from={other.connection} to={baseline.connection} />
        {cell.state !== 'notOffered' && (
          <PromoteLink row={row} id={cell.baselineId} from={baseline.connection} to={other.connection} />
        )}
        <RecordLinks row={row} id={cell.baselineId} connection={baseline.connection} />
        <RecordLinks row={row} id={cell.id} connection={other.connection} />
        {cell.byHand && cell.id !== undefined ? (
          <Button
            startIcon={<Link2Off size={13} aria-hidden />}
            onClick={() => void unmatch({ kind: row.kind, connectionId: other.connection.id, id: cell.id ?? '' })}
          >
            Undo match
          </Button>
        ) : (
          (cell.id !== undefined || cell.baselineId !== undefined) && (
            <Button startIcon={<Link2 size={13} aria-hidden />} onClick={() => setMatching(true)}>
              Match by hand…
            </Button>
          )
        )}
      </div>
      {matching && (
        <MatchDialog
          row={row}
          cell={cell}
          baseline={baseline}
          other={other}
          rows={whole.data?.rows}
          onClose={() => setMatching(false)}
        />
      )}
    </section>
  )
}

interface WholeCellProps extends Omit<CellDetailProps, 'cell'> {
  /** Whether all rows of the comparison are needed. */
  needsAll: boolean
}

/** A cell with its records. Those of cells that are the same are not in the list of comparisons: they are read when one is opened. */
function useWholeCell({ row, baseline, other, needsAll }: WholeCellProps) {
  const listed: Cell = row.cells.get(other.connection.id) ?? { state: 'reading' }
  const isShort = listed.state === 'same' && listed.id === undefined
  const pair = { connectionId: other.connection.id, baseline: baseline.connection.id }
  const whole = useQuery({ ...comparisonQuery(pair, other.read), enabled: isShort || needsAll })
  const found = whole.data?.rows.find(({ kind, name }) => kind === row.kind && name === row.name)
  return { cell: isShort ? { ...listed, ...found } : listed, whole }
}

const tones: Partial<Record<Cell['state'], ChipTone>> = { differs: 'warn', onlyHere: 'accent', same: 'ok' }

async function unmatch(record: Parameters<typeof unmatchRecord>[0]): Promise<void> {
  await runWithToast(() => unmatchRecord(record))
}

interface CellDetailProps {
  row: MatrixRow
  cell: Cell
  baseline: Environment
  other: Environment
}

function CellDetail({ row, cell, baseline, other }: CellDetailProps) {
  const isBoth = cell.id !== undefined && cell.baselineId !== undefined
  const query = useQuery({
    ...comparedFieldsQuery(
      { connectionId: other.connection.id, baseline: baseline.connection.id },
      row.kind,
      row.name,
      other.read,
    ),
    enabled: isBoth,
  })
  if (!isBoth)
    return <p className={css.fieldsText}>{sentenceOf(cell, baseline.connection.name, other.connection.name)}</p>
  if (query.error) return <QueryError error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton variant="rounded" height={140} width="100%" />
  const { changes, changeCount, same, notCounted, reason } = query.data
  return (
    <>
      {reason && <p className={css.fieldsText}>{reason}</p>}
      {changes.length > 0 && (
        <table className={`${base.table} ${css.fields}`} aria-label="Fields that differ">
          <thead>
            <tr>
              <th>Field</th>
              <ColumnHead connection={baseline.connection} />
              <ColumnHead connection={other.connection} />
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <FieldRow key={change.field} {...change} />
            ))}
          </tbody>
        </table>
      )}
      {changeCount > changes.length && <p className={css.fieldsText}>and {changeCount - changes.length} more</p>}
      <dl className={css.fieldsFacts}>
        <dt>Same</dt>
        <dd>{counted(same, 'field')}</dd>
        {notCounted.length > 0 && (
          <>
            <dt>Not counted</dt>
            <dd>{notCounted.join(', ')}</dd>
          </>
        )}
      </dl>
    </>
  )
}

function sentenceOf({ state, reason }: Cell, baseline: string, other: string): string {
  switch (state) {
    case 'missing':
      return `${baseline} has it, ${other} does not.`
    case 'onlyHere':
      return `${other} has it, ${baseline} does not.`
    case 'unknown':
      return reason ?? 'It could not be read.'
    case 'notOffered':
      return `${other} has no records of this kind.`
    case 'notThere':
      return `Neither ${baseline} nor ${other} has it.`
    case 'same':
    case 'differs':
    case 'baseline':
    case 'reading':
      return 'It is still being read.'
  }
}

function ColumnHead({ connection }: { connection: Connection }) {
  return (
    <th>
      <span className={css.fieldsColumn}>
        <StageDot stage={connection.stage} />
        {connection.name}
      </span>
    </th>
  )
}

function FieldRow({ field, before, after }: FieldComparisonView['changes'][number]) {
  const [left, right] = [formatFieldValue(before), formatFieldValue(after)]
  // Only what is shown is masked: the values themselves differ.
  const isMasked = left === right
  return (
    <tr>
      <th scope="row">{field}</th>
      {isMasked ? (
        <td colSpan={2}>
          {left} <span className={css.fieldsMuted}>differs in a part that may be a secret</span>
        </td>
      ) : (
        <>
          <td>{marked(left, right, 'before')}</td>
          <td>{marked(left, right, 'after')}</td>
        </>
      )}
    </tr>
  )
}

/** The text of one side, with the words that the other side does not have. */
function marked(before: string, after: string, side: 'before' | 'after'): ReactNode {
  const own = side === 'before' ? before : after
  if (own === '') return <span className={css.fieldsMuted}>none</span>
  return diffWordsWithSpace(before, after).map(({ value, added, removed }, at) => {
    if (side === 'before' ? added : removed) return null
    const Mark = side === 'before' ? 'del' : 'ins'
    // Words have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    return added || removed ? <Mark key={at}>{value}</Mark> : <span key={at}>{value}</span>
  })
}

interface SideProps {
  connection: Connection
  row: MatrixRow
  /** The record there; undefined if it has none. */
  id: string | undefined
}

/** Since when a side is as it is, where the history knows. */
function Changed({ connection, row, id }: SideProps) {
  const { data } = useQuery({ ...versionsQuery(connection.id, row.kind, id ?? ''), enabled: id !== undefined })
  const last = data?.find(({ isCurrent }) => isCurrent)
  if (id === undefined || !last) return null
  const by = last.change ? `, ${formatActor(last.change)}` : ', first seen then'
  return <div>{`${connection.name}: ${formatRecentDay(last.at)}${by}`}</div>
}

function PromoteLink({
  row,
  id,
  from,
  to,
}: {
  row: MatrixRow
  id: string | undefined
  from: Connection
  to: Connection
}) {
  if (id === undefined) return null
  return (
    <LinkButton
      to={paths.promote()}
      search={{ from: from.id, to: to.id, records: `${row.kind}/${id}` }}
      startIcon={<ArrowRightLeft size={13} aria-hidden />}
    >
      Promote to {to.name}…
    </LinkButton>
  )
}

function RecordLinks({ row, id, connection }: SideProps) {
  if (id === undefined) return null
  return (
    <>
      <LinkButton
        to={paths.history(connection.id)}
        search={{ kind: row.kind, record: id }}
        startIcon={<History size={13} aria-hidden />}
      >
        History on {connection.name}
      </LinkButton>
      <LinkButton to={recordPath(row.kind, connection.id, id)} startIcon={<ExternalLink size={13} aria-hidden />}>
        Open on {connection.name}
      </LinkButton>
    </>
  )
}
