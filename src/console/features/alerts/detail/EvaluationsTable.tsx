import { ChevronDown, ChevronRight } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import type { Unit } from '#domain/charts/units.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import * as base from '#console/ui/base/base.module.css'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { formatRecentSpan } from '#console/ui/time/formatRecent.ts'
import type { EvaluatedWindow, WindowGroup, WindowState } from './model/evaluatedWindows.ts'
import {
  formatFiring,
  formatFiringGroups,
  formatOtherGroups,
  formatReadTime,
  formatWindowState,
  formatWindowValue,
} from './model/evaluationLabels.ts'
import * as css from './alertDetail.module.css'

interface EvaluationsTableProps {
  /** All windows that were read, newest first. */
  windows: readonly EvaluatedWindow[]
  /** The windows to show. */
  shown: readonly EvaluatedWindow[]
  /** The unit of the values. */
  unit: Unit
  /** Whether it is known how long reading them took. */
  showsTime: boolean
  /** A link to the events of a window, or of one group of it. Undefined where there is none for any window. */
  renderLink: ((window: EvaluatedWindow, group: string | null) => ReactNode) | undefined
}

/** One row for each window. Those with groups can be opened. */
export function EvaluationsTable({ windows, shown, unit, showsTime, renderLink }: EvaluationsTableProps) {
  const now = useNow()
  // The newest one is open at first.
  const [open, setOpen] = useState<ReadonlySet<number> | null>(null)
  const newest = windows[0]?.end ?? 0
  const isOpen = (end: number) => (open ? open.has(end) : end === newest)
  const toggle = (end: number) =>
    setOpen((before) => {
      const next = new Set(before ?? [newest])
      if (!next.delete(end)) next.add(end)
      return next
    })
  const isGrouped = windows.some(({ groups }) => groups !== null)
  return (
    <ScrollRegion label="Evaluations" className={css.evaluationsTable}>
      <table aria-label="Evaluations" className={`${base.table} ${css.evaluationsHead}`} data-sticky="">
        <thead>
          <tr>
            <th>Window</th>
            <th>State</th>
            <th className={base.tableNumber}>{isGrouped ? 'Highest' : 'Value'}</th>
            {isGrouped && <th className={base.tableNumber}>Groups firing</th>}
            {showsTime && <th className={base.tableNumber}>Read in</th>}
            {renderLink && <th className={base.tableNumber}>Events</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((window) => {
            const label = formatRecentSpan(window.start, window.end, now)
            const expanded = isOpen(window.end) && (window.groups?.length ?? 0) > 0
            return (
              <Fragment key={window.end}>
                <tr>
                  <th scope="row" className={css.evaluationWindow}>
                    {(window.groups?.length ?? 0) > 0 && (
                      <IconButton
                        size="small"
                        aria-label={`Groups of ${label}`}
                        aria-expanded={expanded}
                        onClick={() => toggle(window.end)}
                        className={css.openButton}
                      >
                        {expanded ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
                      </IconButton>
                    )}
                    {label}
                  </th>
                  <td>
                    <StateText state={window.state} hollow={window.state === 'ok' && window.noRows}>
                      {formatWindowState(windows, windows.indexOf(window), now)}
                      {window.silenced && ', silenced'}
                    </StateText>
                  </td>
                  <td className={base.tableNumber}>
                    {window.state === 'unread' ? 'none' : formatWindowValue(window.value, unit)}
                  </td>
                  {isGrouped && <td className={base.tableNumber}>{formatFiringGroups(window)}</td>}
                  {showsTime && (
                    <td className={`${base.tableNumber} ${css.readTime}`}>{formatReadTime(window.readMs)}</td>
                  )}
                  {renderLink && <td className={base.tableNumber}>{renderLink(window, null)}</td>}
                </tr>
                {expanded && <GroupRows {...{ windows, window, unit, showsTime, renderLink, now }} />}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

interface GroupRowsProps extends Pick<EvaluationsTableProps, 'windows' | 'unit' | 'showsTime' | 'renderLink'> {
  window: EvaluatedWindow
  now: number
}

/** Groups that are OK are counted in one row. */
function GroupRows({ windows, window, unit, showsTime, renderLink, now }: GroupRowsProps) {
  const groups = window.groups ?? []
  const active = groups.filter(({ state }) => state !== 'ok')
  const shown = active.length > 0 ? active : groups.slice(0, 5)
  const others = window.groupsTotal - shown.length
  const at = windows.indexOf(window)
  const text = ({ key, state, noRows }: WindowGroup) =>
    state === 'firing'
      ? formatFiring(windows, at, key, now)
      : `${state === 'pending' ? 'Pending' : 'OK'}${noRows ? ', no row matched, counted as 0' : ''}`
  return (
    <>
      {shown.map((group) => (
        <tr key={group.key} className={css.evaluationGroup}>
          <th scope="row">{group.key || 'No rows of any group'}</th>
          <td>
            <StateText state={group.state} hollow={group.state === 'ok' && group.noRows}>
              {text(group)}
            </StateText>
          </td>
          <td className={base.tableNumber}>{formatWindowValue(group.value, unit)}</td>
          <td>{null}</td>
          {showsTime && <td>{null}</td>}
          {renderLink && <td className={base.tableNumber}>{group.key !== '' && renderLink(window, group.key)}</td>}
        </tr>
      ))}
      {others > 0 && (
        <tr className={css.evaluationGroup}>
          <th scope="row" colSpan={4 + Number(showsTime) + Number(renderLink !== undefined)}>
            {formatOtherGroups(others)}
            {groups.length < window.groupsTotal ? ', of which the deployment returns at most 50' : ''}
          </th>
        </tr>
      )}
    </>
  )
}

/** A state with its dot: hollow if no row matched or the window could not be read. */
function StateText({ state, hollow, children }: { state: WindowState; hollow: boolean; children: ReactNode }) {
  return (
    <span className={css.evaluationState} data-state={state}>
      <span aria-hidden className={css.evaluationDot} data-hollow={hollow || state === 'unread' || undefined} />
      <span>{children}</span>
    </span>
  )
}
