import { useQuery } from '@tanstack/react-query'
import {
  type ComponentProps,
  type HTMLAttributes,
  type KeyboardEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { markersQuery } from '#console/api/gateway/markers.ts'
import type { ChartMark } from '#console/ui/chart/exportChart.tsx'
import type { PlotPlace } from '#console/ui/chart/ChartPlot.tsx'
import { placeLabels } from '#console/ui/chart/markLabels.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { Marker, MarkerList } from '#contract/console/markers.ts'
import { counted } from '#domain/text/words.ts'
import { MarkerCard } from './MarkerCard.tsx'
import { type MarkerGroup, markerGroups } from './markerGroups.ts'
import { MarkerIcon } from './MarkerIcon.tsx'
import { isOfService, shownKinds, useMarkerSettings } from './markerSettings.ts'
import { nameOf, markerTitle, markerAuthor } from './markerText.ts'
import * as css from './markers.module.css'

export interface MarkerLayerProps {
  connectionId: string
  /** The service of the data pipes that are shown. */
  serviceId?: string | undefined
  /** The connection whose data is shown, if it is another one. */
  deploymentsOf?: string | undefined
  place: PlotPlace
  onMarks: (marks: readonly ChartMark[]) => void
  /** For tiles: without labels over the plot. */
  dense?: boolean | undefined
}

const noMarkers: MarkerList = { items: [], counts: {}, isLooking: false }
const timeOf = ({ at }: Marker) => Date.parse(at)

/**
 * Changes on the time axis of a chart: a line and a mark each. One tab stop; arrows move between the marks, and the
 * card of a mark follows it in the order of the keyboard.
 */
export function MarkerLayer(props: MarkerLayerProps) {
  const { connectionId, serviceId, place, onMarks, dense } = props
  const { left, right, top, bottom, zone } = place
  const groups = useMarkerGroups(props)
  const marks = useMemo(() => groups.map((group) => ({ ...markOf(group), x: group.x })), [groups])
  const labels = useMemo(() => (dense ? [] : placeLabels(marks, { left, right })), [dense, marks, left, right])
  useEffect(() => {
    onMarks(marks)
    return () => onMarks([])
  }, [onMarks, marks])
  const cards = useMarkerCards(groups)
  if (groups.length === 0) return null
  return (
    <>
      <div
        className={css.layer}
        style={{ height: place.height }}
        role="group"
        aria-label={`Changes on the time axis: ${counted(groups.flatMap(({ members }) => members).length, 'change')}`}
      >
        {labels.map(({ index, x, text }) => (
          <span
            key={index}
            aria-hidden
            className={css.label}
            data-strong={marks[index]?.strong}
            style={{ left: x, top: top - 16 }}
          >
            {text}
          </span>
        ))}
        {groups.map((group, index) => (
          <div
            key={group.members[0]?.id}
            className={css.mark}
            data-strong={marks[index]?.strong}
            style={{ left: group.x }}
            {...cards.markHandlers(index)}
          >
            <svg className={css.line} style={{ top, height: bottom - top }} width="1" aria-hidden>
              <path d={`M0.5,0V${bottom - top}`} />
            </svg>
            <button
              {...cards.buttonProps(index)}
              type="button"
              className={css.button}
              style={{ top: bottom - 12 }}
              aria-label={spoken(group, zone)}
            >
              {group.members.length > 1 ? group.members.length : <MarkerIcon kind={group.members[0]?.kind} />}
            </button>
            {cards.openIndex === index && (
              <MarkerCard {...cards.cardProps(index)} members={group.members} {...{ connectionId, serviceId, zone }} />
            )}
          </div>
        ))}
      </div>
      <PrintedMarkers markers={groups.flatMap(({ members }) => members)} zone={zone} />
    </>
  )
}

/** The changes that are shown, those close to each other in one group. */
function useMarkerGroups({ connectionId, serviceId, deploymentsOf, place }: MarkerLayerProps): MarkerGroup<Marker>[] {
  const settings = useMarkerSettings()
  const kinds = shownKinds(settings)
  const { span, left, right } = place
  const { data = noMarkers } = useQuery(markersQuery({ connectionId, serviceId, deploymentsOf, span, kinds }))
  return useMemo(
    () =>
      markerGroups(
        data.items.filter((item) => isOfService(item, settings.service)),
        timeOf,
        { from: span.from, to: span.to, left, right },
      ),
    [data, settings.service, span.from, span.to, left, right],
  )
}

/**
 * Which mark has its card open: the one that is pointed at or focused, or until it is closed the one that was pressed. A
 * mark is that of its first change: its place among the others changes as the time axis moves on.
 */
function useMarkerCards(groups: readonly MarkerGroup<Marker>[]) {
  const [open, setOpen] = useState<{ id: string | undefined; pinned: boolean } | null>(null)
  const [stop, setStop] = useState<string>()
  const buttons = useRef<(HTMLButtonElement | null)[]>([])
  const indexOf = (id: string | undefined) =>
    groups.findIndex(({ members }) => members.some((member) => member.id === id))
  const openIndex = open ? indexOf(open.id) : -1
  const tabStop = Math.max(0, indexOf(stop))
  const close = () => setOpen(null)
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const to = movedTo(event.key, index, groups.length)
    if (event.key === 'Escape' && open) close()
    else if (to !== null) buttons.current[to]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    openIndex,
    markHandlers: (index: number): HTMLAttributes<HTMLElement> => ({
      onPointerEnter: ({ pointerType }) => {
        if (pointerType === 'mouse' && !open?.pinned) setOpen({ id: idAt(index), pinned: false })
      },
      onPointerLeave: ({ pointerType }) => {
        if (pointerType === 'mouse') setOpen((now) => (now?.pinned ? now : null))
      },
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) close()
      },
    }),
    buttonProps: (index: number): ComponentProps<'button'> => ({
      ref: (button) => {
        buttons.current[index] = button
      },
      tabIndex: index === tabStop ? 0 : -1,
      'aria-expanded': openIndex === index,
      onFocus: () => {
        setStop(idAt(index))
        setOpen((now) => (now && indexOf(now.id) === index ? now : { id: idAt(index), pinned: false }))
      },
      onClick: () => setOpen(openIndex === index && open?.pinned ? null : { id: idAt(index), pinned: true }),
      onKeyDown: (event) => onKeyDown(event, index),
    }),
    cardProps: (index: number) => ({
      anchor: () => buttons.current[index] ?? null,
      onClose: () => {
        // In this order: with the focus, a mark opens its card.
        buttons.current[index]?.focus()
        close()
      },
    }),
  }

  function idAt(index: number): string | undefined {
    return groups[index]?.members[0]?.id
  }
}

/** The text of a mark where there is room for few words. */
function markOf({ members }: MarkerGroup<Marker>): ChartMark {
  const [first] = members
  const deployed = members.find(({ kind }) => kind === 'deployment')
  const named = deployed ?? first
  const more = members.length - 1
  const label =
    named && (deployed || more === 0) ? `${nameOf(named)}${more > 0 ? ` +${more}` : ''}` : `${more + 1} changes`
  return { time: first ? timeOf(first) : 0, label, strong: deployed !== undefined }
}

/** Records that the name of a group lists. */
const maxSpoken = 5

function spoken({ members }: MarkerGroup<Marker>, zone: PlotPlace['zone']): string {
  const said = members
    .slice(0, maxSpoken)
    .map(
      (member) =>
        `${formatMoment(member.at, zone)}, ${nameOf(member)}: ${markerTitle(member)}, by ${markerAuthor(member)}`,
    )
  const more = members.length - said.length
  return `${members.length > 1 ? `${members.length} changes. ` : ''}${said.join('. ')}${more > 0 ? `. And ${more} more` : ''}`
}

/** Where a key leads from a mark; null for other keys. */
function movedTo(key: string, index: number, count: number): number | null {
  if (key === 'ArrowRight') return Math.min(index + 1, count - 1)
  if (key === 'ArrowLeft') return Math.max(index - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** Paper has no cards: the marks as a list under the chart. */
function PrintedMarkers({ markers, zone }: { markers: readonly Marker[]; zone: PlotPlace['zone'] }) {
  return (
    <ul className={css.printed} data-printed-marks aria-hidden>
      {markers.map((marker) => (
        <li key={marker.id}>
          {formatMoment(marker.at, zone)} {nameOf(marker)}: {markerTitle(marker)}, {markerAuthor(marker)}
        </li>
      ))}
    </ul>
  )
}
