/**
 * Every connection that somebody sees beside one of them, in a few responses: what was compared before at once, and the rest as
 * it is read and compared. What was read lately is not read again. Nearly all rows of most connections are the same as in the
 * baseline: they are left out.
 */
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import {
  listedComparison,
  type Comparison,
  type ComparisonPage,
  type comparisonsQuery,
  type ListedComparison,
} from '#contract/console/environments.ts'
import { agesOfPoll } from './connectionStates.ts'
import { visibleConnectionsKey, type PollCaller, type LongPoll, type PollResult } from './longPoll.ts'
import { PairResults, type PairDependencies } from './pairResults.ts'

/** Rows of all comparisons that are kept: tens of megabytes. */
const maxRows = 200_000
/** Rows of one response, beside the first connection: the page shows these while others follow. */
const maxRowsOfPage = 5_000

interface ComparisonDependencies extends PairDependencies {
  longPoll: LongPoll
}

export class ConnectionComparisons {
  readonly #results: PairResults<ListedComparison>
  readonly #dependencies: ComparisonDependencies

  constructor(dependencies: ComparisonDependencies) {
    this.#dependencies = dependencies
    this.#results = new PairResults<ListedComparison>(dependencies, {
      part: 'comparison',
      result: listedComparison,
      compare: async ({ otherId, baselineId, isSeen }) =>
        listed(await dependencies.comparisons.compareKnown(otherId, baselineId, isSeen)),
      weigh: ({ rows }) => rows.length + 1,
      maxWeight: maxRows,
    })
  }

  /** Takes over what was compared before the start. */
  restore(): Promise<void> {
    return this.#results.restore()
  }

  /** @param baselineId a connection that the caller sees */
  read(baselineId: string, query: z.output<typeof comparisonsQuery>, caller: PollCaller): Promise<ComparisonPage> {
    const { reader, versionFeed, longPoll } = this.#dependencies
    const since = versionFeed.versionOf(query.since)
    reader.forgetOthers()
    if (since === undefined) for (const id of caller.ids) reader.begin(id, agesOfPoll)
    return longPoll.page(() => this.#look(baselineId, since ?? 0, caller), since === undefined, caller)
  }

  /** The comparisons that are newer than a version, as many as one response has. Begins those that have become possible. */
  #look(baselineId: string, since: number, caller: PollCaller): PollResult<ComparisonPage> {
    const { reader, versionFeed } = this.#dependencies
    const { isSeen } = caller
    const seen = visibleConnectionsKey(caller)
    const baseline = reader.settledState(baselineId)
    const found: { comparison: ListedComparison; version: number }[] = []
    const comparing: string[] = []
    const now = versionFeed.version
    // The baseline first: the page has no row before its own.
    for (const id of [baselineId, ...caller.ids.filter((other) => other !== baselineId)]) {
      const pair = `${seen} ${baselineId} ${id}`
      const other = reader.settledState(id)
      if (baseline && other && other.problem === undefined)
        this.#results.begin(pair, { baselineId, otherId: id, isSeen })
      if (reader.isReading(id) || this.#results.isRunning(pair)) comparing.push(id)
      const known = reader.stateOf(id) && this.#results.resultOf(pair)
      if (known && known.version > since) found.push({ comparison: known.result, version: known.version })
    }
    const { shown, upTo } = firstOf(found)
    const isCut = upTo !== undefined
    const page = { comparisons: shown, comparing, isCut, cursor: versionFeed.cursorAt(upTo ?? now) }
    return { page, hasChanges: shown.length > 0, isReading: comparing.length > 0, isCut }
  }
}

function listed(comparison: Comparison): ListedComparison {
  const { connectionId, baseline, rows } = comparison
  const ofBaseline = rows.flatMap(({ kind, name, baselineId }) =>
    baselineId === undefined ? [] : [kind, name, baselineId],
  )
  const baselineRows = createHash('sha256').update(JSON.stringify(ofBaseline)).digest('base64')
  const isListed = (row: (typeof rows)[number]) =>
    connectionId === baseline || row.state !== 'same' || row.byHand === true
  return { ...comparison, rows: rows.filter(isListed), baselineRows }
}

/** The oldest results that fit into a response, and the version of the last of them if others are left for the next one. */
function firstOf(found: readonly { comparison: ListedComparison; version: number }[]) {
  const shown: ListedComparison[] = []
  let rows = 0
  let upTo: number | undefined
  for (const { comparison, version } of found.toSorted((a, b) => a.version - b.version)) {
    if (rows > maxRowsOfPage) return { shown, upTo }
    shown.push(comparison)
    rows += comparison.rows.length
    upTo = version
  }
  return { shown, upTo: undefined }
}
