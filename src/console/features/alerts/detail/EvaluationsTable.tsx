import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { EvaluatedWindow, WindowGroup, WindowState } from './model/evaluatedWindows.ts'
import {
  formatFiring,
  formatFiringGroups,
  formatOtherGroups,
  formatReadTime,
  formatWindowState,
  formatWindowValue,
} from './model/evaluationLabels.ts'
import { formatWindow } from '../moments.ts'
import css from './EvaluationsTable.module.css'

interface EvaluationsTableProps {
  /** All windows that were read, newest first. */
  windows: readonly EvaluatedWindow[]
  /** Those to show. */
  shown: readonly EvaluatedWindow[]
  /** Whether it is known how long reading them took. */
  showsTime: boolean
  /** A link to the events of a window, or of one group of it. Undefined where there is none for any window. */
  renderLink: ((window: EvaluatedWindow, group: string | null) => ReactNode) | undefined
}

/** One row for each window. Those with groups can be opened. */
export function EvaluationsTable({ windows, shown, showsTime, renderLink }: EvaluationsTableProps) {
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
      <Table size="small" stickyHeader aria-label="Evaluations" sx={{ '& thead th': { whiteSpace: 'nowrap' } }}>
        <TableHead>
          <TableRow>
            <TableCell>Window</TableCell>
            <TableCell>State</TableCell>
            <TableCell align="right">{isGrouped ? 'Highest' : 'Value'}</TableCell>
            {isGrouped && <TableCell align="right">Groups firing</TableCell>}
            {showsTime && <TableCell align="right">Read in</TableCell>}
            {renderLink && <TableCell align="right">Events</TableCell>}
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((window) => {
            const label = formatWindow(window.start, window.end, now)
            const expanded = isOpen(window.end) && (window.groups?.length ?? 0) > 0
            return (
              <Fragment key={window.end}>
                <TableRow>
                  <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                    {(window.groups?.length ?? 0) > 0 && (
                      <IconButton
                        size="small"
                        aria-label={`Groups of ${label}`}
                        aria-expanded={expanded}
                        onClick={() => toggle(window.end)}
                        sx={{ width: 24, height: 24, ml: -1, mr: 1 }}
                      >
                        {expanded ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
                      </IconButton>
                    )}
                    {label}
                  </TableCell>
                  <TableCell>
                    <StateText state={window.state} hollow={window.state === 'ok' && window.noRows}>
                      {formatWindowState(windows, windows.indexOf(window), now)}
                      {window.silenced && ', silenced'}
                    </StateText>
                  </TableCell>
                  <TableCell align="right">
                    {window.state === 'unread' ? 'none' : formatWindowValue(window.value)}
                  </TableCell>
                  {isGrouped && <TableCell align="right">{formatFiringGroups(window)}</TableCell>}
                  {showsTime && (
                    <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                      {formatReadTime(window.readMs)}
                    </TableCell>
                  )}
                  {renderLink && <TableCell align="right">{renderLink(window, null)}</TableCell>}
                </TableRow>
                {expanded && <GroupRows {...{ windows, window, showsTime, renderLink, now }} />}
              </Fragment>
            )
          })}
        </TableBody>
      </Table>
    </ScrollRegion>
  )
}

interface GroupRowsProps extends Pick<EvaluationsTableProps, 'windows' | 'showsTime' | 'renderLink'> {
  window: EvaluatedWindow
  now: number
}

/** Groups that are OK are counted in one row. */
function GroupRows({ windows, window, showsTime, renderLink, now }: GroupRowsProps) {
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
        <TableRow key={group.key} sx={{ bgcolor: 'action.hover' }}>
          <TableCell component="th" scope="row" sx={{ pl: 8, overflowWrap: 'anywhere' }}>
            {group.key || 'No rows of any group'}
          </TableCell>
          <TableCell>
            <StateText state={group.state} hollow={group.state === 'ok' && group.noRows}>
              {text(group)}
            </StateText>
          </TableCell>
          <TableCell align="right">{formatWindowValue(group.value)}</TableCell>
          <TableCell />
          {showsTime && <TableCell />}
          {renderLink && <TableCell align="right">{group.key !== '' && renderLink(window, group.key)}</TableCell>}
        </TableRow>
      ))}
      {others > 0 && (
        <TableRow sx={{ bgcolor: 'action.hover' }}>
          <TableCell
            component="th"
            scope="row"
            sx={{ pl: 8 }}
            colSpan={4 + Number(showsTime) + Number(renderLink !== undefined)}
          >
            {formatOtherGroups(others)}
            {groups.length < window.groupsTotal ? ', of which the deployment returns at most 50' : ''}
          </TableCell>
        </TableRow>
      )}
    </>
  )
}

const stateColors: Record<WindowState, string> = {
  firing: 'error.main',
  pending: 'warning.main',
  ok: 'success.main',
  unread: 'text.secondary',
}

/** A state with its dot: hollow if no row matched or the window could not be read. */
function StateText({ state, hollow, children }: { state: WindowState; hollow: boolean; children: ReactNode }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'baseline', gap: 1.5, color: stateColors[state] }}>
      <Box
        component="span"
        aria-hidden
        sx={{
          flex: 'none',
          width: 8,
          height: 8,
          borderRadius: '50%',
          border: '1.5px solid currentColor',
          bgcolor: hollow || state === 'unread' ? 'transparent' : 'currentColor',
        }}
      />
      <span>{children}</span>
    </Box>
  )
}
