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
