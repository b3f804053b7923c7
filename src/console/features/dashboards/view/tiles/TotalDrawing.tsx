import { type Ref, useImperativeHandle } from 'react'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import {
  type AutomaticUnit,
  isGroup,
  type TileLine,
  tileLines,
  tileTotal,
  type TileTotal,
} from '#console/charting/tiles/tileData.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { hasSparkline, type QueryPlan } from '#console/charting/tiles/tileQuery.ts'
import { frameOf } from '#console/ui/series/series.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { Span } from '#domain/time/span.ts'
import { isZeroWithoutRows } from './chartLook.ts'
import { NoData } from './NoData.tsx'
import { NumberTile } from './NumberTile.tsx'
import { type TileExport, totalLines } from './tileExport.ts'
import type { TileAnswers } from './useTileData.ts'
import * as css from './tiles.module.css'
import type { Unit } from '#domain/charts/units.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { othersColor, useListedColors } from './colors.ts'
import { Value } from './Value.tsx'
import * as charting from '#console/charting/charting.module.css'

const PieTile = lazyComponent(async () => (await import('./PieTile.tsx')).PieTile)

export interface TotalDrawingProps {
  config: TileConfig
  label: string
  view: 'chart' | 'table'
  answers: TileAnswers
  automatic: AutomaticUnit
  stale: boolean
  /** The range that is asked for. */
  span: Span
  /** The value of the range before; undefined while it is not known. */
  before: number | null | undefined
  drawn?: Ref<TileExport | null> | undefined
}

/** A value of the whole range, or one of each group: a number, a table, a pie or bars. */
export function TotalDrawing(props: TotalDrawingProps) {
  const { config, answers, automatic, span } = props
  const { plan, points, readAt } = answers
  return (
    <TotalView
      {...props}
      total={tileTotal(config, plan, points, span, automatic)}
      groupNames={splitExpressions(typeof config.groupBy === 'string' ? config.groupBy : '')}
      course={hasSparkline(config) ? courseOf(tileLines(config, plan, points)[0], plan, readAt) : undefined}
    />
  )
}

interface TotalViewProps extends Pick<
  TotalDrawingProps,
  'config' | 'label' | 'view' | 'stale' | 'span' | 'before' | 'drawn'
> {
  total: TileTotal
  groupNames: readonly string[]
  /** The values of a number over time. */
  course?: readonly (number | null)[] | undefined
}

/** Values that are known, as the tile shows them. */
export function TotalView(props: TotalViewProps) {
  const { config, label, view, stale, span, before, drawn, total, groupNames, course } = props
  const [ref, { width, height }] = useElementSize()
  const unit = total.columns[0]?.unit ?? 'number'
  const isNumber = config.displayType === 'number'
  useImperativeHandle(drawn, () => ({ lines: () => totalLines(total, groupNames) }))
  const drawTable = config.displayType === 'table' || view === 'table'
  return (
    <div ref={ref} className={css.totalTile} style={{ opacity: stale ? '0.45' : '1' }}>
      {total.rows.length === 0 && !isNumber ? (
        <NoData />
      ) : drawTable ? (
        <TotalTable total={total} label={label} groupNames={groupNames} />
      ) : isNumber ? (
        <NumberTile {...{ config, total, unit, span, before, course }} />
      ) : config.displayType === 'pie' ? (
        <PieTile total={total} unit={unit} label={label} size={Math.min(height, width * 0.45)} />
      ) : (
        <BarTile total={total} unit={unit} label={label} />
      )}
    </div>
  )
}

/** The values of a line without the bucket that is not complete: it would seem to fall. */
function courseOf(line: TileLine | undefined, { bucketMs, span, zone, aggFns }: QueryPlan, readAt: number) {
  if (!line) return undefined
  const missing = isZeroWithoutRows(aggFns) ? 'zero' : 'gap'
  const { times, rows } = frameOf([{ id: '', label: '', points: line.points }], missing, { ...span, bucketMs, zone })
  return rows[0]?.values.filter((_, at) => (times[at] ?? 0) + bucketMs <= readAt)
}

/** Maximum number of bars; a note shows the number of others. */
const maxBars = 100

/** Groups as bars with their numbers beside them: chart and table in one. */
function BarTile({ total, unit, label }: { total: TileTotal; unit: Unit; label: string }) {
  const groups = total.rows.filter(isGroup)
  const rows = [...groups.slice(0, maxBars), ...total.rows.filter((row) => !isGroup(row))]
  const nameOf = (group: readonly string[]) => group.join(' · ') || 'all'
  const colors = useListedColors(rows.filter(isGroup).map(({ group }) => nameOf(group)))
  const largest = Math.max(...rows.map(({ values }) => Math.abs(values[0] ?? 0)), 0)
  return (
    <ScrollRegion as="ul" label={label} className={css.barTile}>
      {rows.map(({ group, others, values: [value = null] }) => (
        <li key={others ? 'others' : JSON.stringify(group)} className={css.totalBar}>
          <div className={css.totalCaption}>
            <span className={css.totalGroupName}>{nameOf(group)}</span>
            <span>
              <Value value={value} unit={unit} approximate={total.columns[0]?.approximate} />
            </span>
          </div>
          <div className={css.totalTrack}>
            <div
              className={css.fill}
              style={{
                backgroundColor: others ? othersColor : colors.get(nameOf(group)),
                width: `${largest > 0 ? (Math.abs(value ?? 0) / largest) * 100 : 0}%`,
              }}
            />
          </div>
        </li>
      ))}
      {groups.length > maxBars && (
        <li className={css.limitNote}>
          Showing the first {maxBars} of {groups.length}.
        </li>
      )}
    </ScrollRegion>
  )
}

/** Maximum number of rows; a note shows the number of others. */
const maxRows = 200

interface TotalTableProps {
  total: TileTotal
  /** The headers of groups: the expressions that the tile is grouped by. */
  groupNames: readonly string[]
  label: string
}

/** Totals as a table, one row a group. */
function TotalTable({ total, groupNames, label }: TotalTableProps) {
  const groups = total.rows.filter(isGroup)
  const rows = [...groups.slice(0, maxRows), ...total.rows.filter((row) => !isGroup(row))]
  return (
    // Without a tab stop the arrow keys would have nothing to scroll.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.totalTable} tabIndex={0} role="region" aria-label={label}>
      <table className={charting.compactTable}>
        <thead>
          <tr>
            {groupNames.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {total.columns.map(({ name }) => (
              <th key={name} scope="col" className={charting.compactTableNumber}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ group, others, values }) => (
            <tr key={others ? 'others' : JSON.stringify(group)}>
              {groupNames.map((name, index) => (
                <td key={name} className={css.totalTableGroupName}>
                  {group[index] ?? ''}
                </td>
              ))}
              {values.map((value, index) => (
                <td key={total.columns[index]?.name} className={charting.compactTableNumber}>
                  <Value
                    value={value}
                    unit={total.columns[index]?.unit ?? 'number'}
                    approximate={total.columns[index]?.approximate}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > maxRows && (
        <div className={css.tileTableNote}>
          Showing the first {maxRows} of {groups.length} rows.
        </div>
      )}
    </div>
  )
}
