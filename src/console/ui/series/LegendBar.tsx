import { Fragment } from 'react'
import type { ChartEvents } from './chartEvents.ts'
import type { LegendRow } from './legend.ts'
import { type LegendActions, LegendButton, useLegendKeys, usePointedSeries, ViewEventsButton } from './LegendButton.tsx'
import { groupRows, type Series } from './series.ts'
import * as css from './series.module.css'

/** Height in pixels. */
export const legendBarHeight = 28

/** Series listed at most: the table view and the large chart list all. */
const maxListed = 40

interface LegendBarProps extends LegendActions {
  rows: readonly LegendRow[]
  /** The groups; none by default. */
  groupOf?: ((series: Series) => string) | undefined
  events?: ChartEvents | undefined
}

/** The legend of a small chart: names in one line that scrolls. The series that is pointed at offers its events. */
export function LegendBar({ rows, groupOf = noGroups, events, ...actions }: LegendBarProps) {
  const { pointed, handlers } = usePointedSeries(events !== undefined)
  const groups = groupRows(rows.slice(0, maxListed), groupOf)
  const listed = groups.flatMap((group) => group.rows)
  const { tabIndexOf, keys } = useLegendKeys(
    listed.map(({ series }) => series.id),
    handlers,
  )
  return (
    <div role="group" aria-label="Legend" className={css.legendBar} {...handlers} {...keys}>
      {groups.map((group) => (
        <Fragment key={group.name}>
          {groups.length > 1 && <span className={css.legendGroup}>{group.name}:</span>}
          {group.rows.map((row) => (
            <span key={row.series.id} className={css.legendEntry} data-series={row.series.id}>
              <LegendButton row={row} tabIndex={tabIndexOf(row.series.id)} {...actions}>
                <span>{row.series.label}</span>
              </LegendButton>
              {events && pointed === row.series.id && <ViewEventsButton events={events} series={row.series} />}
            </span>
          ))}
        </Fragment>
      ))}
      {rows.length > listed.length && <span className={css.legendMore}>and {rows.length - listed.length} more</span>}
    </div>
  )
}

const noGroups = () => ''
