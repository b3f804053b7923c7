import { hint } from '#console/ui/hint/hint.ts'
import { Bell, BellMinus, BellRing } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useRef, useState } from 'react'
import type { Alert } from '#contract/stack/alerts.ts'
import { isEvaluated, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { browserSettings } from '#console/shell/browserSettings.ts'
import { isChordOpen } from '#console/shell/keyChord.ts'
import { listsRows } from '#console/charting/tiles/tileQuery.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import type { Span } from '#domain/time/span.ts'
import { tileName } from '../model/diff.ts'
import type { TileData } from '../model/dataScope.ts'
import { TileBody } from './TileBody.tsx'
import { TileFrame, type TileView } from './TileFrame.tsx'
import type { TileExport } from './tiles/tileExport.ts'
import { useNearViewport } from '#console/ui/base/useNearViewport.ts'
import * as css from './dashboardView.module.css'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { paths } from '#console/paths/paths.ts'
import { lastRunFailed, neverEvaluated, problemsBeside } from '#console/usages/alertStatus.ts'
import { counted } from '#domain/text/words.ts'
import { stateWord, worstState } from '../model/alertStates.ts'

interface TileCardProps {
  tile: Tile
  data: TileData
  /** Alerts that watch the tile. */
  alerts: readonly Alert[]
  syncId?: string
  onZoom: (span: Span) => void
  /** Its actions, from what it draws: null for nothing. */
  actions?: ((drawn: TileExport | null) => Action[]) | undefined
  /** In front of the name: the handle that drags. */
  handle?: ReactNode
  selected?: boolean
}

/** A tile with its name, state and actions. */
export const TileCard = memo(function TileCard(props: TileCardProps) {
  const { tile, data, alerts, syncId, onZoom, actions, handle, selected = false } = props
  const [ref, near] = useNearViewport()
  const [view, setView] = useState<TileView>('chart')
  const [state, setState] = useState<{ loading: boolean; notes: readonly string[] }>({ loading: false, notes: [] })
  const name = tileName(tile)
  const isText = tile.config?.displayType === 'markdown'
  const drawn = useRef<TileExport | null>(null)
  const notes = [tile.description, ...state.notes].filter(Boolean).join(' ')
  const isTable = tile.config && (tile.config.displayType === 'table' || listsRows(tile.config))
  return (
    // The keys of the menu work wherever the focus is in the tile.
    <TileFrame
      ref={ref}
      name={name}
      notes={notes}
      view={isText || isTable ? undefined : view}
      onView={setView}
      handle={handle}
      status={<AlertBell alerts={alerts} tile={tile} />}
      isLoading={state.loading}
      menu={actions && <ActionMenu label={`Actions of ${name}`} actions={() => actions(drawn.current)} />}
      aria-busy={state.loading}
      data-selected={selected}
      onKeyDown={(event) => actions && runKey(event, actions(drawn.current))}
    >
      <TileBody
        config={tile.config}
        label={name}
        data={data}
        near={near}
        view={view}
        syncId={syncId}
        onZoom={onZoom}
        onState={setState}
        drawn={drawn}
      />
    </TileFrame>
  )
})

/** Runs the action of a key, unless the key is typed into a field or means something where the focus is. */
function runKey(event: KeyboardEvent, actions: readonly Action[]): void {
  const { target, key, ctrlKey, metaKey, altKey } = event
  if (event.defaultPrevented || event.repeat || ctrlKey || metaKey || altKey) return
  if (!browserSettings().singleKeys || isChordOpen()) return
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, select, [contenteditable], [role=menu]'))
    return
  const action = actions.find((candidate) => candidate.key === key)
  if (!action || action.disabled !== undefined) return
  event.preventDefault()
  // The page has keys of its own.
  event.stopPropagation()
  action.run()
}

/** How many alerts watch a tile and the worst of their states; leads to it. */
function AlertBell({ alerts, tile }: { alerts: readonly Alert[]; tile: Tile }) {
  const { id: connectionId } = useConnection()
  const worst = worstState(alerts, () => isEvaluated(tile))
  const [first] = alerts
  if (!first) return null
  const problems = new Set(alerts.flatMap((alert) => problemsBeside(alert, tile)))
  const words = [`${counted(alerts.length, 'alert')}, ${stateWord(worst)}`, ...problems].join('. ')
  const firing = worst === 'ALERT'
  const doubtful = problems.size > 0 || worst === lastRunFailed || worst === neverEvaluated
  const Icon = firing ? BellRing : doubtful ? BellMinus : Bell
  return (
    <span {...hint(words)} className={css.alertLink}>
      <TextLink
        to={alerts.length === 1 ? paths.alert(connectionId, first.id) : paths.alerts(connectionId)}
        aria-label={words}
        className={css.tileLink}
        style={{ color: firing ? 'var(--bad)' : doubtful ? 'var(--warn)' : 'var(--muted)' }}
      >
        <Icon size={14} aria-hidden />
      </TextLink>
    </span>
  )
}
