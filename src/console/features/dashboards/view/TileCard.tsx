import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Expand, Info, Table2 } from 'lucide-react'
import { memo, useId, useState, type ReactNode } from 'react'
import type { Alert } from '#contract/alerts.ts'
import type { Tile } from '#contract/dashboards.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import type { Span } from '#console/ui/time/range.ts'
import { tileName } from '../model/diff.ts'
import { AddAlert } from './AddAlert.tsx'
import { AlertBell } from './AlertBell.tsx'
import type { TileData } from '../model/dataScope.ts'
import { useTileEvents } from './useTileEvents.ts'
import { TileBody } from './TileBody.tsx'
import { useNearViewport } from './useNearViewport.ts'

interface TileCardProps {
  tile: Tile
  data: TileData
  /** Alerts that watch the tile. */
  alerts: readonly Alert[]
  /** Set if an alert on the tile can be created. */
  dashboardId?: string
  syncId?: string
  onZoom: (span: Span) => void
  onExpand?: (tileId: string) => void
  /** Actions of the tile; the way to its events by default. */
  actions?: (() => Action[]) | undefined
  /** In front of the name: the handle that drags. */
  handle?: ReactNode
  selected?: boolean
}

/** A tile with its name, state and actions. */
export const TileCard = memo(function TileCard(props: TileCardProps) {
  const { tile, data, alerts, dashboardId, syncId, onZoom, onExpand, actions, handle, selected = false } = props
  const [ref, near] = useNearViewport()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const [state, setState] = useState<{ loading: boolean; notes: readonly string[] }>({ loading: false, notes: [] })
  const titleId = useId()
  const name = tileName(tile)
  const isText = tile.config?.displayType === 'markdown'
  const viewEvents = useTileEvents(tile.config, data)
  const hasTableView = !isText && tile.config?.displayType !== 'table'
  return (
    <Card
      ref={ref}
      component="section"
      aria-labelledby={titleId}
      aria-busy={state.loading}
      sx={{
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        overflow: 'hidden',
        ...(selected && { outline: 2, outlineColor: 'primary.main', outlineOffset: -2 }),
        '& .quiet': { opacity: { md: 0 }, transition: 'opacity 120ms' },
        '&:hover .quiet, &:focus-within .quiet': { opacity: 1 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, pl: 2.5, pr: 1, minHeight: 34, flexShrink: 0 }}>
        {handle}
        <Typography
          id={titleId}
          variant="h3"
          component="h2"
          sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', unicodeBidi: 'plaintext' }}
          title={name}
        >
          {name}
        </Typography>
        <AlertBell alerts={alerts} tile={tile} />
        <Box sx={{ flexGrow: 1 }} />
        {state.loading && <CircularProgress size={12} aria-label="Loading" sx={{ mx: 1 }} />}
        {state.notes.length > 0 && (
          <Tooltip title={state.notes.join(' ')}>
            <Box
              component="span"
              role="img"
              aria-label={state.notes.join(' ')}
              sx={{ display: 'inline-flex', color: 'text.secondary', px: 1 }}
            >
              <Info size={14} aria-hidden />
            </Box>
          </Tooltip>
        )}
        {dashboardId !== undefined && alerts.length === 0 && <AddAlert dashboardId={dashboardId} tile={tile} />}
        {hasTableView && (
          <TileButton
            label={view === 'chart' ? `Show ${name} as table` : `Show ${name} as chart`}
            pressed={view === 'table'}
            onClick={() => setView(view === 'chart' ? 'table' : 'chart')}
          >
            <Table2 size={14} aria-hidden />
          </TileButton>
        )}
        {onExpand && tile.id && (
          <TileButton label={`Full screen: ${name}`} onClick={() => onExpand(tile.id!)}>
            <Expand size={14} aria-hidden />
          </TileButton>
        )}
        {(actions || !isText) && <ActionMenu label={`Actions of ${name}`} actions={actions ?? viewEvents} />}
      </Box>
      <TileBody
        config={tile.config}
        label={name}
        data={data}
        near={near}
        view={view}
        syncId={syncId}
        onZoom={onZoom}
        onState={setState}
      />
    </Card>
  )
})

interface TileButtonProps {
  label: string
  pressed?: boolean
  onClick: () => void
  children: ReactNode
}

function TileButton({ label, pressed, onClick, children }: TileButtonProps) {
  return (
    <Tooltip title={label}>
      <IconButton
        className="quiet"
        aria-label={label}
        aria-pressed={pressed}
        onClick={onClick}
        sx={{ width: 24, height: 24, ...(pressed && { color: 'primary.main', opacity: '1 !important' }) }}
      >
        {children}
      </IconButton>
    </Tooltip>
  )
}
