import { useEffect, useLayoutEffect, useRef } from 'react'
import { paths } from '#console/paths/paths.ts'
import { visible } from '#console/ui/base/visible.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { Marker } from '#contract/console/markers.ts'
import type { Zone } from '#domain/time/zone.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { MarkerIcon } from './MarkerIcon.tsx'
import { nameOf, markerTitle, markerAuthor } from './markerText.ts'
import * as css from './markers.module.css'

interface MarkerCardProps {
  /** The mark, which is drawn before the card is placed. */
  anchor: () => HTMLElement | null
  members: readonly Marker[]
  connectionId: string
  serviceId: string | undefined
  zone: Zone
  /** Escape was pressed in it. */
  onClose: () => void
}

/** Changes that a card lists. The history has all. */
const maxListed = 30

/** The changes of a mark, above or below it, over everything else: a tile or a panel would cut it off. */
export function MarkerCard({ anchor, members, connectionId, serviceId, zone, onClose }: MarkerCardProps) {
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [shown, mark] = [card.current, anchor()]
    if (!shown || !mark) return
    if (!shown.matches(':popover-open')) shown.showPopover()
    place(shown, mark)
  })
  useEffect(() => {
    const follow = () => {
      const [shown, mark] = [card.current, anchor()]
      if (shown && mark) place(shown, mark)
    }
    window.addEventListener('scroll', follow, { capture: true, passive: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', follow, { capture: true })
      window.removeEventListener('resize', follow)
    }
  }, [anchor])
  const more = members.length - maxListed
  return (
    // Escape closes it from its links; it is no control itself.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={card}
      popover="manual"
      className={css.card}
      data-testid="marker-card"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <ul>
        {members.slice(0, maxListed).map((member) => (
          <li key={member.id}>
            <MarkerIcon kind={member.kind} />
            <div>
              <b>{nameOf(member)}</b>
              <span>{markerTitle(member)}</span>
              {member.release?.text !== undefined && <span className={css.text}>{visible(member.release.text)}</span>}
              <span>
                <time dateTime={member.at}>{formatMoment(member.at, zone, 'second')}</time>, {markerAuthor(member)}
              </span>
            </div>
            {member.release?.url !== undefined && (
              <a href={member.release.url} target="_blank" rel="noopener noreferrer" className={css.release}>
                Show release
              </a>
            )}
            {/* The history of another service is not that of this connection. */}
            {member.change && serviceId === undefined && (
              <TextLink
                to={paths.history(connectionId)}
                search={diffOf(member.change)}
                aria-label={`Show diff: ${nameOf(member)}`}
              >
                Show diff
              </TextLink>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          {more} more in the <TextLink to={paths.history(connectionId)}>history</TextLink>
        </p>
      )}
    </div>
  )
}

/** The change in the history: among those of its run, or of its record. */
function diffOf({ id, run, kind, recordId }: NonNullable<Marker['change']>): Record<string, string | number> {
  if (run !== undefined) return { run, change: id }
  return recordId === null ? { change: id } : { kind, record: recordId, change: id }
}

/** Pixels between the card and its mark, and the edge of the window. */
const gap = 6

function place(card: HTMLElement, mark: HTMLElement): void {
  const at = mark.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = card
  const above = at.top - height
  const left = at.left + at.width / 2 - width / 2
  card.style.left = `${Math.round(Math.max(gap, Math.min(left, innerWidth - width - gap)))}px`
  card.style.top = `${Math.round(above >= gap ? above : Math.min(at.bottom, innerHeight - height - gap))}px`
}
