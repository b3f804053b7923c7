import { hint } from '#console/ui/hint/hint.ts'
import { Expand, Info, Table2 } from 'lucide-react'
import { memo, useId, useState, type ReactNode } from 'react'
import type { Alert } from '#contract/alerts.ts'
import type { Tile } from '#contract/dashboards.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import type { Span } from '#domain/time/span.ts'
import { tileName } from '../model/diff.ts'
import { AddAlert } from './AddAlert.tsx'
import { AlertBell } from './AlertBell.tsx'
import type { TileData } from '../model/dataScope.ts'
import { useTileEvents } from './useTileEvents.ts'
import { TileBody } from './TileBody.tsx'
import { useNearViewport } from './useNearViewport.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import card from '#console/ui/base/card.module.css'
import css from './TileCard.module.css'

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
  const notes = [tile.description, ...state.notes].filter(Boolean).join(' ')
  const hasTableView = !isText && tile.config?.displayType !== 'table'
  return (
    <section
      ref={ref}
      aria-labelledby={titleId}
      aria-busy={state.loading}
      className={`${card.card} ${css.tileCard}`}
      data-selected={selected}
    >
      <div className={css.header}>
        {handle}
        <Text id={titleId} variant="h3" component="h2" className={css.title} title={name}>
          {name}
        </Text>
        <AlertBell alerts={alerts} tile={tile} />
        <div className={css.spacer} />
        {state.loading && <span role="progressbar" aria-label="Loading" className={css.spinner} />}
        {notes && (
          <span {...hint(notes)} role="img" aria-label={notes} className={css.notes}>
            <Info size={14} aria-hidden />
          </span>
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
      </div>
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
    </section>
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
    <IconButton {...hint(label)} data-quiet aria-label={label} aria-pressed={pressed} onClick={onClick} size="small">
      {children}
    </IconButton>
  )
}
