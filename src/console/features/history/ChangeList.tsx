import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { group } from 'd3-array'
import { Eye, Pencil, Plus, Settings2, Trash2 } from 'lucide-react'
import type { Change, ChangePage } from '#contract/console/history.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { recordName } from '#console/shell/recordKinds.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { counted } from '#domain/text/words.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { formatWeekday } from '#console/ui/time/formatRangeTime.ts'
import { formatClock, formatMoment } from '#console/ui/time/formatTime.ts'
import { causeLabels, changeSummary, outcomeLabels, outcomeTones } from './historyLabels.ts'
import * as css from './history.module.css'

interface ChangeListProps {
  query: UseInfiniteQueryResult<InfiniteData<ChangePage>>
  changes: readonly Change[]
  selected: number | undefined
  onSelect: (change: Change) => void
  /** The moment to restore to, which is shown between the changes. */
  at: string | undefined
}

/** Changes, the newest first, by day. */
export function ChangeList({ query, changes, selected, onSelect, at }: ChangeListProps) {
  const days = group(changes, (change) => formatWeekday(change.at))
  const firstBefore = at === undefined ? undefined : changes.find((change) => change.at <= at)
  return (
    // It scrolls, so the keyboard has to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.changeDays} role="group" aria-label="Changes" tabIndex={0}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <div className={css.day}>
            <b>{day}</b>, {counted(ofDay.length, 'change')}
          </div>
          {ofDay.map((change) => (
            <div key={change.id}>
              {change === firstBefore && at !== undefined && <Moment at={at} />}
              <ChangeRow change={change} selected={change.id === selected} onSelect={onSelect} />
            </div>
          ))}
        </section>
      ))}
      {at !== undefined && !firstBefore && !query.hasNextPage && <Moment at={at} />}
      {query.hasNextPage && (
        <div className={css.changeMore}>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show earlier changes
          </Button>
        </div>
      )}
    </div>
  )
}

function Moment({ at }: { at: string }) {
  return <div className={css.moment}>{formatMoment(at)}: restore to here, what is above is undone</div>
}

function ChangeRow({
  change,
  selected,
  onSelect,
}: {
  change: Change
  selected: boolean
  onSelect: (change: Change) => void
}) {
  const { at, kind, name, outcome } = change
  return (
    <button type="button" className={css.change} aria-pressed={selected} onClick={() => onSelect(change)}>
      <time className={css.clock} dateTime={at}>
        {formatClock(at)}
      </time>
      <ChangeIcon change={change} />
      <span className={css.changeCell}>
        <b>{recordName(kind, name)}</b>
        <span>{changeSummary(change)}</span>
      </span>
      <span className={`${css.changeCell} ${css.who}`}>
        <Who change={change} />
      </span>
      <StatusChip tone={outcomeTones[outcome]}>{outcomeLabels[outcome]}</StatusChip>
    </button>
  )
}

/** Who made a change, and how. */
function Who({ change }: { change: Change }) {
  const { cause, actor, connectionId, reason } = change
  const { connection, connections } = useFrameConnection()
  const through = connectionId === connection?.id ? undefined : connections.find(({ id }) => id === connectionId)
  return (
    <>
      <b>{actor === undefined ? causeLabels[cause] : formatBrowser(actor)}</b>
      <span>
        {[
          cause === 'console' || actor === undefined ? '' : causeLabels[cause],
          through && `through ${through.name}`,
          reason,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  )
}

function ChangeIcon({ change: { action, cause } }: { change: Change }) {
  const props = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const
  switch (action) {
    case 'created':
      return <Plus {...props} />
    case 'deleted':
      return <Trash2 {...props} />
    case 'operated':
      return <Settings2 {...props} />
    case 'updated':
      return cause === 'outside' ? <Eye {...props} /> : <Pencil {...props} />
  }
}
