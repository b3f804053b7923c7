import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { hasEnded, sharedViewQuery } from '#console/api/gateway/sharedLinks.ts'
import { asFailure } from '#console/api/failure.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SharedHuesContext, type SharedHues } from '#console/ui/series/useSeriesStyles.ts'
import { formatTimes } from '#console/ui/time/formatTimes.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { formatDuration } from '#console/ui/time/formatLength.ts'
import type { SharedView, ViewedTile } from '#contract/console/sharedLinks.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import { ianaName } from '#domain/time/zone.ts'
import { Board } from '../view/Board.tsx'
import { TileGrid } from '../view/TileGrid.tsx'
import type { ContainerStates } from '../view/viewState.ts'
import { SharedTile } from './SharedTile.tsx'
import * as css from '../dashboards.module.css'

export function prefetch(): void {
  Chart.preload()
}

/** The token of the link. It is in the fragment of the address, which browsers send to no server and to no other page. */
function useToken(): string {
  return useSyncExternalStore(
    (onChange) => {
      addEventListener('hashchange', onChange)
      return () => removeEventListener('hashchange', onChange)
    },
    () => location.hash.slice(1),
    () => '',
  )
}

/** A dashboard or a chart for whoever has its link, without an account. */
export default function SharedPage() {
  const token = useToken()
  const { data, error, refetch, isFetching } = useQuery({ ...sharedViewQuery(token), enabled: token !== '' })
  const title = data ? visibleText(data.name) : 'Shared dashboard'
  useEffect(() => {
    document.title = title
  }, [title])
  if (error && hasEnded(error)) return <Ended status={asFailure(error).status} />
  if (token === '' && typeof window !== 'undefined') return <Ended status={404} />
  if (!data) {
    return error ? (
      <Message
        title="This dashboard cannot be shown at the moment"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {asFailure(error).code === 'rateLimited'
          ? 'Too many people look at it. Try again in a minute.'
          : 'The server did not answer.'}
      </Message>
    ) : (
      <Outline />
    )
  }
  return (
    <main className={css.sharedPage} id="main" aria-busy={isFetching}>
      <Head view={data} />
      {error && (
        <div className={css.sharedNotice}>
          <Notice tone="warning" role="status">
            It could not be read again: what you see is of {formatMoment(Date.parse(data.readAt), data.zone)}.
          </Notice>
        </div>
      )}
      <Tiles key={token} view={data} />
    </main>
  )
}

function Head({ view }: { view: SharedView }) {
  const { name, zone, range, isMoving, isSnapshot, readAt, expiresAt } = view
  const length = range.to - range.from
  return (
    <header className={css.sharedHead}>
      <Text variant="h1" className={css.sharedTitle}>
        {visibleText(name)}
      </Text>
      <Text component="div" color="textSecondary" className={css.about}>
        <span>{isMoving ? `Last ${formatDuration(length)}` : formatTimes(range, zone)}</span>
        <span>
          {isSnapshot ? 'Snapshot of ' : 'As of '}
          <time dateTime={readAt}>{formatMoment(Date.parse(readAt), zone)}</time>
        </span>
        <span>
          Link valid until <time dateTime={expiresAt}>{formatMoment(Date.parse(expiresAt), zone)}</time>
        </span>
        {/* Visitors may be in another one. */}
        <span>Times in {ianaName(zone)}</span>
      </Text>
    </header>
  )
}

function Tiles({ view }: { view: SharedView }) {
  const [hues] = useState<SharedHues>(() => new Map())
  const [state, setState] = useState<ContainerStates>({})
  const change = useCallback((part: ContainerStates) => setState((before) => ({ ...before, ...part })), [])
  const byId = new Map(view.tiles.map((tile) => [tile.id, tile]))
  const find = (id: string | undefined): ViewedTile | undefined => (id === undefined ? undefined : byId.get(id))
  return (
    <SharedHuesContext value={hues}>
      <Board
        dashboard={{ tiles: view.tiles, containers: view.containers }}
        state={state}
        onState={change}
        renderGrid={(tiles) => (
          <TileGrid
            tiles={tiles}
            renderTile={({ id }) => {
              const tile = find(id)
              return tile && <SharedTile tile={tile} view={view} />
            }}
          />
        )}
      />
    </SharedHuesContext>
  )
}

/** The message for every link that cannot be opened. It gives no reason, nor whether the link ever existed. */
function Ended({ status }: { status: number }) {
  return status === 410 ? (
    <Message title="This link is not valid any more">
      It has expired or was revoked. Ask whoever sent it for a new one.
    </Message>
  ) : (
    <Message title="This link does not exist">Part of its address may be missing. Ask whoever sent it.</Message>
  )
}

function Message({ title, action, children }: { title: string; action?: ReactNode; children: string }) {
  return (
    <main className={css.ended} id="main">
      <div role="alert">
        <Text variant="h1">{title}</Text>
        <Text color="textSecondary">{children}</Text>
        {action}
      </div>
    </main>
  )
}

function Outline() {
  return (
    <main className={css.sharedPage} aria-busy>
      <div className={css.sharedHead}>
        <Skeleton width={260} height={28} />
      </div>
      <div className={css.sharedOutline}>
        {[1, 2, 3, 4].map((tile) => (
          <Skeleton key={tile} variant="rounded" height={240} />
        ))}
      </div>
    </main>
  )
}
