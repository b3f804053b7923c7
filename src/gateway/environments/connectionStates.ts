/**
 * The states of all connections that somebody sees, in a few responses: what is known at once, and the rest as it is read.
 * Readings that are under way are shared by all requests, and so are those of a short time before.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { ConnectionState, StatePage, statesQuery } from '#contract/environments.ts'
import type { IsSeen } from './comparisons.ts'
import { Drifts, isComparable, type DriftParts } from './drifts.ts'
import { News } from './news.ts'
import { StateReader, type Ages, type ReaderParts } from './stateReader.ts'

type Query = z.output<typeof statesQuery>

const minute = 60_000
/** A page that stays open polls once a minute. Inventories are many requests, and only their counts are shown. */
const agesOfPoll: Ages = { inventory: 5 * minute, firing: 0.9 * minute }
const ages: Record<Query['reading'], Ages | undefined> = {
  open: { inventory: minute, firing: 0 },
  poll: agesOfPoll,
  fresh: { inventory: 0, firing: 0 },
  follow: undefined,
}

/** Milliseconds that a first request waits where nothing is known yet. */
const firstWait = 150
/** Milliseconds that a further request waits for something new, and then for what comes right after. */
const longestWait = 15_000
const gatheringWait = 250

interface Asker {
  /** The connections that they see, in the order in which they are shown. */
  ids: readonly string[]
  isSeen: IsSeen
  signal: AbortSignal
}

export class ConnectionStates {
  private readonly news = new News()
  private readonly reader: StateReader
  private readonly drifts: Drifts
  private readonly closed = new AbortController()

  constructor(parts: Omit<ReaderParts & DriftParts, 'news'>) {
    this.reader = new StateReader({ ...parts, news: this.news })
    this.drifts = new Drifts({ ...parts, news: this.news })
  }

  async read(query: Query, asker: Asker): Promise<StatePage> {
    const since = this.news.versionOf(query.since)
    this.reader.forgetOthers()
    // Another console of the same database may have begun what is followed.
    const wanted = ages[query.reading] ?? (since === undefined ? agesOfPoll : undefined)
    if (wanted) for (const id of asker.ids) this.reader.begin(id, wanted)
    const signal = AbortSignal.any([asker.signal, this.closed.signal])
    const look = () => this.look(query.baseline, since ?? 0, asker)
    let page = look()
    const isFirst = since === undefined
    const until = performance.now() + (isFirst ? firstWait : longestWait)
    const isIdle = () => page.states.length === 0 && page.reading.length > 0
    if (isFirst && page.states.length > 0) return page
    while (isIdle() && !signal.aborted && performance.now() < until) {
      await this.news.next(until - performance.now(), signal)
      page = look()
    }
    if (page.states.length === 0 || page.reading.length === 0) return page
    await sleep(Math.min(gatheringWait, Math.max(0, until - performance.now())), undefined, { signal }).catch(() => {})
    return look()
  }

  /** Ends all waiting. */
  close(): void {
    this.closed.abort()
  }

  /** The states that are newer than a version. Begins the comparisons that have become possible. */
  private look(baselineId: string | undefined, since: number, { ids, isSeen }: Asker): StatePage {
    const { cursor } = this.news
    const seenKey = createHash('sha256').update(ids.join(' ')).digest('base64')
    const baseline = baselineId !== undefined && isSeen(baselineId) ? this.settledState(baselineId) : undefined
    const states: ConnectionState[] = []
    const reading: string[] = []
    for (const id of ids) {
      const pair = `${seenKey} ${baselineId} ${id}`
      const other = this.settledState(id)
      if (baseline && other && baseline !== other && isComparable(baseline) && isComparable(other)) {
        this.drifts.begin(pair, { baseline, other, isSeen })
      }
      if (this.reader.isReading(id) || this.drifts.isRunning(pair)) reading.push(id)
      const known = this.reader.stateOf(id)
      if (!known) continue
      const drift = isComparable(known.state) ? this.drifts.driftOf(pair) : undefined
      if (Math.max(known.version, drift?.version ?? 0) <= since) continue
      states.push(drift ? { ...known.state, drift: drift.drift } : known.state)
    }
    return { states, reading, cursor }
  }

  /** The state of a connection that is not being read. */
  private settledState(id: string): ConnectionState | undefined {
    return this.reader.isReading(id) ? undefined : this.reader.stateOf(id)?.state
  }
}
