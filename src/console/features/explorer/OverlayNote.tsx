/** The connection whose answer to the same question is laid over the chart: a note about it, and the menu that chooses it. */
import { useState } from 'react'
import { recordOffer } from '#console/api/offers/offers.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { charts } from '#contract/stack/charts.ts'
import { withChosen } from './overlay.ts'
import type { ExplorerState } from './state.ts'
import type { Overlay } from './useOverlay.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './explorer.module.css'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Blend, Server, X } from 'lucide-react'
import { connectionsQuery } from '#console/api/connections.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { MenuChoice } from '#console/ui/actions/actions.ts'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'

const MatchTable = lazyComponent(async () => (await import('#console/charting/rows/MatchTable.tsx')).MatchTable)

interface OverlayNoteProps {
  overlay: Overlay
  match: string
  onChange: (part: Partial<ExplorerState>) => void
}

/** How the sources of the overlay are mapped, or why there is no overlay. */
export function OverlayNote({ overlay, match, onChange }: OverlayNoteProps) {
  const { connection, matches, candidates, reason, notOffered } = overlay
  const [open, setOpen] = useState(false)
  const pairs = matches.map(({ reference, to, how }) => `${reference.name} → ${to?.name ?? 'none'} (${how})`)
  const remove = <Button onClick={() => onChange({ over: '', match: '' })}>Remove overlay</Button>
  return (
    <div className={css.overlayNote}>
      {reason === null ? (
        <div className={css.overlayNoteSummary}>
          <Text variant="caption" color="textSecondary">
            Dashed: {connection?.name}. {pairs.length > 0 ? `Sources: ${pairs.join(', ')}.` : 'Loading its sources.'}
          </Text>
          {pairs.length > 0 && (
            <Button aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Close' : 'Change sources'}
            </Button>
          )}
        </div>
      ) : (
        <Notice
          tone="warning"
          role="status"
          action={
            notOffered && connection ? (
              <>
                <Button onClick={() => recordOffer(connection.id, charts.query, 'offered')}>Try anyway</Button>
                {remove}
              </>
            ) : (
              remove
            )
          }
        >
          {reason}
        </Notice>
      )}
      {candidates && (open || matches.some(({ to }) => to === null)) && (
        <MatchTable
          matches={matches}
          candidates={candidates}
          onChoose={(from, to) => onChange({ match: withChosen(match, from, to) })}
        />
      )}
    </div>
  )
}

interface OverlayMenuProps {
  own: Connection
  /** Id of the overlaid connection; empty is none. */
  over: string
  onChange: (over: string) => void
}

/** Chooses the second connection that answers the same question. */
export function OverlayMenu({ own, over, onChange }: OverlayMenuProps) {
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const others = connections.filter(({ id }) => id !== own.id)
  const chosen = others.find(({ id }) => id === over)
  const choices = others.map((connection): MenuChoice => ({
    icon: Server,
    label: connection.name,
    detail: detailOf(connection),
    run: () => onChange(connection.id),
  }))
  const none: MenuChoice = {
    icon: X,
    label: 'No overlay',
    detail: 'this connection only',
    run: () => onChange(''),
    ...(others.length === 0 && { disabled: 'No other connection. Add one under Connections.' }),
  }
  return (
    <MenuButton
      icon={Blend}
      label={chosen ? `Overlay: ${chosen.name}` : 'Overlay'}
      choices={over === '' && choices.length > 0 ? choices : [none, ...choices]}
    />
  )
}

function detailOf({ variant, environment }: Connection): string {
  const offers = charts.query.variants.includes(variant) ? '' : 'its API has no chart queries'
  return [environment, offers].filter(Boolean).join(' · ') || 'same query, drawn dashed'
}
