/**
 * The states of all connections that somebody sees, in a few responses: what is known at once, and the rest as it is read.
 * Readings that are under way are shared by all requests, and so are those of a short time before.
 */
import type { z } from 'zod'
import { drift, type ConnectionState, type StatePage, type statesQuery } from '#contract/console/environments.ts'
import type { LongPoll } from './longPoll.ts'
import { visibleConnectionsKey, type PollCaller, type PollResult } from './longPoll.ts'
import { PairResults, type PairDependencies } from './pairResults.ts'
import type { Ages } from './stateReader.ts'

type Query = z.output<typeof statesQuery>

const minute = 60_000
/** A page that stays open polls once a minute. Inventories take many requests, and the page says when they were read. */
export const agesOfPoll: Ages = { inventory: 5 * minute, firing: 0.9 * minute }
const ages: Record<Query['reading'], Ages | undefined> = {
  open: { inventory: 5 * minute, firing: 0 },
  poll: agesOfPoll,
  fresh: { inventory: 0, firing: 0 },
  follow: undefined,
}

/** Records of a connection up to which it is compared without being asked for: both sides are in memory by then. */
const maxCompared = 300
/** Comparisons whose numbers are remembered. */
const maxDrifts = 5_000

type Drift = NonNullable<ConnectionState['drift']>

interface StateDependencies extends PairDependencies {
  longPoll: LongPoll
}

export class ConnectionStates {
  readonly #drifts: PairResults<Drift>
  readonly #dependencies: StateDependencies

  constructor(dependencies: StateDependencies) {
    this.#dependencies = dependencies
    this.#drifts = new PairResults<Drift>(dependencies, {
      part: 'drift',
      result: drift,
      compare: ({ otherId, baselineId, isSeen }) => dependencies.comparisons.drift(otherId, baselineId, isSeen),
      weigh: () => 1,
      maxWeight: maxDrifts,
    })
  }

  /** Takes over what was compared before the start. */
  restore(): Promise<void> {
    return this.#drifts.restore()
  }

  async read(query: Query, caller: PollCaller): Promise<StatePage> {
    const { reader, versionFeed, longPoll } = this.#dependencies
    const since = versionFeed.versionOf(query.since)
    reader.forgetOthers()
    // Another console of the same database may have begun what is followed.
    const wanted = ages[query.reading] ?? (since === undefined ? agesOfPoll : undefined)
    if (wanted) for (const id of caller.ids) reader.begin(id, wanted)
    return longPoll.page(() => this.#look(query.baseline, since ?? 0, caller), since === undefined, caller)
  }

  /** The states that are newer than a version. Begins the comparisons that have become possible. */
  #look(baselineId: string | undefined, since: number, caller: PollCaller): PollResult<StatePage> {
    const { reader, versionFeed } = this.#dependencies
    const { ids, isSeen } = caller
    const { cursor } = versionFeed
    const seen = visibleConnectionsKey(caller)
    const baseline = baselineId !== undefined && isSeen(baselineId) ? reader.settledState(baselineId) : undefined
    const states: ConnectionState[] = []
    const reading: string[] = []
    for (const id of ids) {
      const pair = `${seen} ${baselineId} ${id}`
      const other = reader.settledState(id)
      if (baseline && other && baseline !== other && isComparable(baseline) && isComparable(other)) {
        this.#drifts.begin(pair, { baselineId: baseline.connectionId, otherId: id, isSeen })
      }
      if (reader.isReading(id) || this.#drifts.isRunning(pair)) reading.push(id)
      const known = reader.stateOf(id)
      if (!known) continue
      const drift = isComparable(known.state) ? this.#drifts.resultOf(pair) : undefined
      if (Math.max(known.version, drift?.version ?? 0) <= since) continue
      states.push(drift ? { ...known.state, drift: drift.result } : known.state)
    }
    return { page: { states, reading, cursor }, hasChanges: states.length > 0, isReading: reading.length > 0 }
  }
}

/** Whether a comparison with what was read is little work. */
function isComparable({ problem, counts }: ConnectionState): boolean {
  return problem === undefined && Object.values(counts).reduce((sum, count) => sum + count, 0) <= maxCompared
}
