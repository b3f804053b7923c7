/**
 * Reads the windows of many alerts with few statements: one for each source, interval and set of group columns. An error in
 * one condition must not fail the others, so a failed statement is repeated in halves.
 */
import { group } from 'd3-array'
import { alertQueryKey } from '#domain/alerting/alertQuery.ts'
import { ExecutionError, invalidAlert } from '#domain/alerting/executionError.ts'
import { Tally, type Reading } from '#domain/alerting/tally.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import type { Params } from '../../telemetry/engine/params.ts'
import { names } from '../../telemetry/series/seriesPlan.ts'
import type { Readable } from '../../telemetry/series/seriesQuery.ts'
import { eventScan, maxScanRows } from './eventScan.ts'
import { executionErrorOf, isTimeout } from './executionError.ts'
import { scanKey, type WindowQuery } from './scan.ts'
import { isSingle, singleScan, tooManyGroups } from './singleScan.ts'
import { sqlScan } from './sqlScan.ts'

/** The result of one query, or why it has none. */
export type Answer =
  | (Reading & { milliseconds: number })
  /** `tooMuch`: it failed alone, in the engine, so that fewer windows may succeed. */
  | { error: ExecutionError; tooMuch?: boolean }

/** Why one query of a statement has no answer. */
interface Problem {
  problem: unknown
}

/** Queries of one statement. The reader hands `waiting`, the caller's own part of each, back unchanged. */
export interface Batch<T> {
  entries: readonly (WindowQuery & { waiting: T })[]
}

export interface ReaderOptions {
  engine: Engine
  /** Time limit of a statement. */
  maxSeconds: number
  /** Maximum number of queries of one statement. */
  maxQueries: number
}

/** Keeps a statement below the size limits of the engine. */
const maxTextLength = 60_000

export class Reader {
  readonly #options: ReaderOptions
  /** Queries that failed, by key: how many others may share their next statement. */
  readonly #shares = new Map<string, number>()

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** The batches in which queries are answered. */
  batches<T>(windowQueries: readonly (WindowQuery & { waiting: T })[], { sources }: Readable): Batch<T>[] {
    const scans = [...group(windowQueries, scanKey).values()]
    return scans.flatMap((entries) => {
      const [first] = entries
      const source = sources.find(({ id }) => id === first?.alertQuery.sourceId)
      const single = entries.filter(({ alertQuery }) => isSingle(alertQuery, source))
      const shared = entries.filter((windowQuery) => !single.includes(windowQuery))
      const chunks = [...this.#chunks(shared), ...group(single, ({ alertQuery }) => alertQueryKey(alertQuery)).values()]
      return chunks.map((entries) => ({ entries }))
    })
  }

  /** Answers the queries of a batch, in their order. */
  async read<T>({ entries }: Batch<T>, readable: Readable, signal: AbortSignal): Promise<Answer[]> {
    // Alerts with the same query and windows share its answer.
    const distinct = new Map(entries.map((windowQuery) => [alertQueryKey(windowQuery.alertQuery), windowQuery]))
    const answers = await this.#readDistinct([...distinct.values()], readable, signal)
    const byKey = new Map([...distinct.keys()].map((key, at) => [key, answers[at]]))
    return entries.map(({ alertQuery }) => byKey.get(alertQueryKey(alertQuery)) ?? { error: unread() })
  }

  #chunks<A extends WindowQuery>(windowQueries: readonly A[]): A[][] {
    const most = this.#options.maxQueries
    const chunks: { entries: A[]; keys: Set<string>; length: number; share: number }[] = []
    for (const windowQuery of windowQueries) {
      const key = alertQueryKey(windowQuery.alertQuery)
      const share = Math.min(most, this.#shares.get(key) ?? most)
      const fits = chunks.find(
        (chunk) =>
          chunk.keys.has(key) ||
          (chunk.keys.size < Math.min(share, chunk.share) && chunk.length + key.length <= maxTextLength),
      )
      const chunk = fits ?? { entries: [], keys: new Set<string>(), length: 0, share }
      if (!fits) chunks.push(chunk)
      if (!chunk.keys.has(key)) chunk.length += key.length
      chunk.keys.add(key)
      chunk.share = Math.min(share, chunk.share)
      chunk.entries.push(windowQuery)
    }
    return chunks.map(({ entries }) => entries)
  }

  async #readDistinct(
    windowQueries: readonly WindowQuery[],
    readable: Readable,
    signal: AbortSignal,
  ): Promise<Answer[]> {
    const { maxSeconds } = this.#options
    const begun = performance.now()
    try {
      const answers = await this.#scan(windowQueries, readable, signal)
      this.#succeeded(windowQueries)
      const milliseconds = Math.round(performance.now() - begun)
      return answers.map((answer) =>
        'problem' in answer ? { error: executionErrorOf(answer.problem, maxSeconds) } : { ...answer, milliseconds },
      )
    } catch (error) {
      if (isDivisible(error) || isTimeout(error)) this.#failed(windowQueries)
      // A statement that is too slow is divided in the next pass, so that this pass ends.
      if (windowQueries.length === 1 || !isDivisible(error) || signal.aborted) {
        const tooMuch = windowQueries.length === 1 && (isDivisible(error) || isTimeout(error))
        return windowQueries.map(() => ({ error: executionErrorOf(error, maxSeconds), tooMuch }))
      }
      const middle = Math.ceil(windowQueries.length / 2)
      const first = await this.#readDistinct(windowQueries.slice(0, middle), readable, signal)
      return [...first, ...(await this.#readDistinct(windowQueries.slice(middle), readable, signal))]
    }
  }

  /** The result of each query, or its problem. @throws if the statement failed */
  async #scan(
    windowQueries: readonly WindowQuery[],
    readable: Readable,
    signal: AbortSignal,
  ): Promise<(Reading | Problem)[]> {
    const { engine } = this.#options
    const run = this.#run(signal)
    const [first] = windowQueries
    if (!first) return []
    const { alertQuery, span } = first
    const source = readable.sources.find(({ id }) => id === alertQuery.sourceId)
    if (alertQuery.kind === 'sql') return [await sqlScan(engine, { alertQuery, span }, source, readable, run)]
    if (!source) throw invalidAlert('The source of this alert does not exist. It may have been deleted.')
    if (isSingle(alertQuery, source)) return [await singleScan(engine, { alertQuery, span }, source, readable, run)]
    const shared = windowQueries.flatMap(({ alertQuery, span }) =>
      alertQuery.kind === 'series' ? [{ alertQuery, span }] : [],
    )
    const scan = await eventScan(engine, shared, source, readable)
    const results = shared.map((windowQuery, at): Tally | Problem =>
      scan.answers.has(at)
        ? new Tally(windowQuery.alertQuery, windowQuery.span.windows)
        : { problem: scan.problems.get(at) },
    )
    if (scan.answers.size > 0) {
      const rows = await run(scan.sql, scan.params)
      if (rows.length > maxScanRows) throw tooManyGroups()
      fill(rows, results, scan.answers, alertQuery.groupBy.length)
    }
    return results.map((result) => (result instanceof Tally ? result.reading : result))
  }

  #run(signal: AbortSignal) {
    const { engine, maxSeconds } = this.#options
    return (sql: string, params: Params) =>
      engine.query<Record<string, unknown>>(sql, {
        params,
        maxSeconds,
        // A window is read once: rows that were stored before have to be in it.
        sequential: true,
        scans: true,
        // The engine does not notice its limit in the middle of one function.
        signal: AbortSignal.any([signal, AbortSignal.timeout((maxSeconds + 2) * 1000)]),
      })
  }

  #failed(windowQueries: readonly WindowQuery[]): void {
    for (const { alertQuery } of windowQueries)
      this.#shares.set(alertQueryKey(alertQuery), Math.ceil(windowQueries.length / 2))
  }

  /** Queries that failed with others return to them step by step. */
  #succeeded(windowQueries: readonly WindowQuery[]): void {
    for (const { alertQuery } of windowQueries) {
      const key = alertQueryKey(alertQuery)
      const share = (this.#shares.get(key) ?? Infinity) * 2
      if (share >= this.#options.maxQueries) this.#shares.delete(key)
      else this.#shares.set(key, share)
    }
  }
}

/** Whether the failure of a statement may be that of one of its queries. */
function isDivisible(error: unknown): boolean {
  if (error instanceof ExecutionError) return error.type === 'QUERY_ERROR'
  return error instanceof EngineError && error.code > 0 && !isTimeout(error)
}

/** Adds the rows of a statement to the queries. A value that is not a number is the error of its query. */
function fill(
  rows: readonly Record<string, unknown>[],
  results: (Tally | Problem)[],
  answers: Awaited<ReturnType<typeof eventScan>>['answers'],
  groups: number,
): void {
  for (const row of rows) {
    const bucket = Number(row[names.bucket]) * 1000
    const group = Array.from({ length: groups }, (_, at) => row[names.group(at)])
    for (const [at, columns] of answers) {
      const tally = results[at]
      if (!(tally instanceof Tally)) continue
      const values = columns.map(({ value, present }) =>
        present !== null && Number(row[present]) === 0 ? undefined : row[value],
      )
      try {
        tally.add(bucket, group, values)
      } catch (error) {
        results[at] = { problem: error }
      }
    }
  }
}

function unread(): ExecutionError {
  return new ExecutionError('UNKNOWN', 'The alert could not be evaluated. It is tried again every minute.')
}
