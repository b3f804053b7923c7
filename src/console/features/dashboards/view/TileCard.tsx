import { hint } from '#console/ui/hint/hint.ts'
import { Bell, BellMinus, BellRing, Info, Table2 } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useId, useRef, useState } from 'react'
import type { Alert } from '#contract/alerts.ts'
import type { Tile } from '#contract/dashboards.ts'
import { browserSettings } from '#console/shell/browserSettings.ts'
import { isChordOpen } from '#console/shell/keyChord.ts'
import { listsRows } from '#console/telemetry/tiles/tileQuery.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import type { Span } from '#domain/time/span.ts'
import { tileName } from '../model/diff.ts'
import type { TileData } from '../model/dataScope.ts'
import { TileBody } from './TileBody.tsx'
import type { TileExport } from './tiles/tileExport.ts'
import { useNearViewport } from '#console/ui/base/useNearViewport.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import card from '#console/ui/base/card.module.css'
import css from './TileCard.module.css'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { paths } from '#console/paths/paths.ts'
import { lastRunFailed, neverEvaluated, problemsBeside } from '#console/references/alertStatus.ts'
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
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const [state, setState] = useState<{ loading: boolean; notes: readonly string[] }>({ loading: false, notes: [] })
  const titleId = useId()
  const name = tileName(tile)
  const isText = tile.config?.displayType === 'markdown'
  const drawn = useRef<TileExport | null>(null)
  const notes = [tile.description, ...state.notes].filter(Boolean).join(' ')
  const isTable = tile.config && (tile.config.displayType === 'table' || listsRows(tile.config))
  const hasTableView = !isText && !isTable
  return (
    // The keys of the menu work wherever the focus is in the tile.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={ref}
      aria-labelledby={titleId}
      aria-busy={state.loading}
      className={`${card.card} ${css.tileCard}`}
      data-selected={selected}
      onKeyDown={(event) => actions && runKey(event, actions(drawn.current))}
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
        {hasTableView && (
          <TileButton
            label={view === 'chart' ? `Show ${name} as table` : `Show ${name} as chart`}
            pressed={view === 'table'}
            onClick={() => setView(view === 'chart' ? 'table' : 'chart')}
          >
            <Table2 size={14} aria-hidden />
          </TileButton>
        )}
        {actions && <ActionMenu label={`Actions of ${name}`} actions={() => actions(drawn.current)} />}
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
        drawn={drawn}
      />
    </section>
  )
})

/** Runs the action of a key, unless the key is typed into a field or means something where the focus is. */
function runKey(event: KeyboardEvent, actions: readonly Action[]): void {
  const { target, key, ctrlKey, metaKey, altKey } = event
  if (event.defaultPrevented || event.repeat || ctrlKey || metaKey || altKey) return
  if (!browserSettings().singleKeys || isChordOpen()) return
  if (!(target instanceof HTMLElement) || target.closest('input, textarea, select, [contenteditable], [role=menu]'))
    return
  const action = actions.find((one) => one.key === key)
  if (!action || action.disabled !== undefined) return
  event.preventDefault()
  // The page has keys of its own.
  event.stopPropagation()
  action.run()
}

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

/** How many alerts watch a tile and the worst of their states; leads to it. */
function AlertBell({ alerts, tile }: { alerts: readonly Alert[]; tile: Tile }) {
  const { id: connectionId } = useConnection()
  const worst = worstState(alerts, [tile])
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
        className={css.link}
        style={{ color: firing ? 'var(--bad)' : doubtful ? 'var(--warn)' : 'var(--muted)' }}
      >
        <Icon size={14} aria-hidden />
      </TextLink>
    </span>
  )
}
