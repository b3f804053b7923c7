import { TextLink } from '#console/shell/LinkButton.tsx'
import { RowCheckbox } from '#console/ui/table/RowCheckbox.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatShort } from '#domain/charts/units.ts'
import { shortShare } from '#domain/sizing/advice.ts'
import type { UsedResource } from '#contract/console/sampling/sizeLoads.ts'
import type { SizingRow } from './sizingRow.ts'
import { certaintyText, differenceText, effectText, missingText, percent } from './sizingTexts.ts'
import * as base from '#console/ui/base/base.module.css'
import * as css from '../pipes.module.css'

interface SizingTableProps {
  rows: readonly SizingRow[]
  /** IDs of rows. */
  selected: ReadonlySet<string>
  onSelect: (id: string, isSelected: boolean) => void
  /** Why nothing can be changed. */
  locked: string | undefined
}

/** Pipes and services with size, load, and what another size would do. Those with another size can be selected. */
export function SizingTable({ rows, selected, onSelect, locked }: SizingTableProps) {
  return (
    <SmallTable
      label="Sizes of pipes and services"
      heads={[
        'Pipe or service',
        'Size now',
        'Measured load',
        'Suggested',
        'What it would do',
        'How sure',
        { title: 'Per month', number: true },
      ]}
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          row={row}
          isSelected={selected.has(row.id)}
          onSelect={(isSelected) => onSelect(row.id, isSelected)}
          locked={locked}
        />
      ))}
    </SmallTable>
  )
}

interface RowProps {
  row: SizingRow
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  locked: string | undefined
}

function Row({ row, isSelected, onSelect, locked }: RowProps) {
  const { name, kind, service, path, sizeNow, load, limits, next } = row
  const missing = missingText(row)
  const [cpu, memory] = [shownLoad(load?.cpu, limits.cpu), shownLoad(load?.memory, limits.memory)]
  return (
    <tr className={css.rightSizingRow} data-selected={isSelected || undefined}>
      <th scope="row">
        <div className={css.rightSizingName}>
          <RowCheckbox
            label={`Select ${name}`}
            checked={isSelected}
            disabled={!next || locked !== undefined}
            onChange={onSelect}
          />
          <div>
            <TextLink to={path} row>
              {name}
            </TextLink>
            <div className={css.rightSizingQuiet}>
              {service === null || kind === 'Shared size' ? kind : `${kind}, ${service}`}
            </div>
          </div>
        </div>
      </th>
      <td className={css.rightSizingSize}>{sizeNow}</td>
      <td>
        {cpu && <LoadBar title="CPU" used={cpu} limit={limits.cpu} />}
        {memory && <LoadBar title="Memory" used={memory} limit={limits.memory} />}
        {!cpu && !memory && (
          <span className={css.rightSizingQuiet}>{load?.cpu || load?.memory ? 'none of its own' : 'not known'}</span>
        )}
      </td>
      <td className={css.rightSizingSize}>
        {next ? (
          <StatusChip tone={next.kind === 'larger' ? 'warn' : 'accent'}>{next.text}</StatusChip>
        ) : (
          <span className={css.rightSizingQuiet}>{missing ? 'none yet' : 'as it is'}</span>
        )}
      </td>
      <td className={css.effect}>{missing || effectText(row)}</td>
      <td>{missing ? '' : certaintyText(row)}</td>
      <td className={base.tableNumber}>
        {next && (next.difference ? differenceText(next.difference) : 'price not entered')}
      </td>
    </tr>
  )
}

/** The load to draw. A pipe without a size reports none: its work is that of its service. */
const shownLoad = (used: UsedResource | null | undefined, limit: number | null) =>
  used && (limit !== null || used.peak > 0) ? used : undefined

interface LoadBarProps {
  title: string
  used: UsedResource
  /** The limit of the present size; null if it is not known. */
  limit: number | null
}

/** The measured use against the size: filled up to the 95th percentile, with a mark at the peak, and both as text. */
function LoadBar({ title, used, limit }: LoadBarProps) {
  if (limit === null) {
    const amount = title === 'CPU' ? `${formatShort(used.peak / 1000)} vCPU` : formatShort(used.peak, 'bytes')
    return (
      <div className={css.load}>
        {title} peak {amount}
      </div>
    )
  }
  const [p95, peak] = [used.p95 / limit, used.peak / limit]
  return (
    <div className={css.load}>
      <span>
        {title} <span className={css.rightSizingQuiet}>p95</span> {percent(p95)}{' '}
        <span className={css.rightSizingQuiet}>peak</span> {percent(peak)}
      </span>
      <svg
        className={css.rightSizingBar}
        data-short={peak >= shortShare || undefined}
        aria-hidden
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
      >
        <rect className={css.rightSizingTrack} width={100} height={6} rx={2} />
        <rect className={css.used} width={Math.min(100, p95 * 100)} height={6} rx={2} />
        <rect className={css.peak} x={Math.min(98, peak * 100)} width={2} height={6} />
      </svg>
    </div>
  )
}
