/**
 * Reads the windows of many alerts with few statements: one for each source, interval and set of group columns. An error in
 * one condition must not fail the others, so a failed statement is repeated in halves.
 */
import { group } from 'd3-array'
import type { Engine } from '../../telemetry/engine.ts'
import { EngineError } from '../../telemetry/engineError.ts'
import type { Params } from '../../telemetry/params.ts'
import { names } from '../../telemetry/series/seriesPlan.ts'
import type { Readable } from '../../telemetry/series/seriesQuery.ts'
import { eventScan, maxScanRows } from './eventScan.ts'
import { ExecutionError, executionErrorOf, invalidAlert, isTimeout } from './executionError.ts'
import { questionKey } from './question.ts'
import { scanKey, Tally, type Ask, type Reading } from './scan.ts'
import { isSingle, singleScan, tooManyGroups } from './singleScan.ts'
import { sqlScan } from './sqlScan.ts'

/** What was read of one question, or why it was not. */
export type Answer =
  | (Reading & { milliseconds: number })
  /** `tooMuch`: it failed alone, in the engine, so that fewer windows may succeed. */
  | { error: ExecutionError; tooMuch?: boolean }

/** Why one question of a statement has no answer. */
interface Problem {
  problem: unknown
}

/** Asks that are answered together. `waiting` is whatever the caller wants to know again. */
interface Batch<T> {
  entries: readonly (Ask & { waiting: T })[]
}

export interface ReaderOptions {
  engine: Engine
  /** Time limit of a statement. */
  maxSeconds: number
  /** Maximum number of questions of one statement. */
  maxQuestions: number
}

/** Keeps a statement below the size limits of the engine. */
const maxTextLength = 60_000

export class Reader {
  readonly #options: ReaderOptions
  /** Questions that failed, by key: how many others may share their next statement. */
  readonly #shares = new Map<string, number>()

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** The batches in which asks are answered. */
  batches<T>(asks: readonly (Ask & { waiting: T })[], { sources }: Readable): Batch<T>[] {
    const scans = [...group(asks, scanKey).values()]
    return scans.flatMap((entries) => {
      const [first] = entries
      const source = sources.find(({ id }) => id === first?.question.sourceId)
      const single = entries.filter(({ question }) => isSingle(question, source))
      const shared = entries.filter((ask) => !single.includes(ask))
      const chunks = [...this.#chunks(shared), ...group(single, ({ question }) => questionKey(question)).values()]
      return chunks.map((entries) => ({ entries }))
    })
  }

  /** Answers the asks of a batch, in their order. */
  async read<T>({ entries }: Batch<T>, readable: Readable, signal: AbortSignal): Promise<Answer[]> {
    // Alerts with the same question and windows share its answer.
    const distinct = new Map(entries.map((ask) => [questionKey(ask.question), ask]))
    const answers = await this.#readDistinct([...distinct.values()], readable, signal)
    const byKey = new Map([...distinct.keys()].map((key, at) => [key, answers[at]]))
    return entries.map(({ question }) => byKey.get(questionKey(question)) ?? { error: unread() })
  }

  #chunks<A extends Ask>(asks: readonly A[]): A[][] {
    const most = this.#options.maxQuestions
    const chunks: { entries: A[]; keys: Set<string>; length: number; share: number }[] = []
    for (const ask of asks) {
      const key = questionKey(ask.question)
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
      chunk.entries.push(ask)
    }
    return chunks.map(({ entries }) => entries)
  }

  async #readDistinct(asks: readonly Ask[], readable: Readable, signal: AbortSignal): Promise<Answer[]> {
    const { maxSeconds } = this.#options
    const begun = performance.now()
    try {
      const answers = await this.#scan(asks, readable, signal)
      this.#succeeded(asks)
      const milliseconds = Math.round(performance.now() - begun)
      return answers.map((one) =>
        'problem' in one ? { error: executionErrorOf(one.problem, maxSeconds) } : { ...one, milliseconds },
      )
    } catch (error) {
      if (isDivisible(error) || isTimeout(error)) this.#failed(asks)
      // A statement that is too slow is divided in the next pass, so that this pass ends.
      if (asks.length === 1 || !isDivisible(error) || signal.aborted) {
        const tooMuch = asks.length === 1 && (isDivisible(error) || isTimeout(error))
        return asks.map(() => ({ error: executionErrorOf(error, maxSeconds), tooMuch }))
      }
      const middle = Math.ceil(asks.length / 2)
      const first = await this.#readDistinct(asks.slice(0, middle), readable, signal)
      return [...first, ...(await this.#readDistinct(asks.slice(middle), readable, signal))]
    }
  }

  /** What was read of each question, or its problem. @throws if the statement failed */
  async #scan(asks: readonly Ask[], readable: Readable, signal: AbortSignal): Promise<(Reading | Problem)[]> {
    const { engine } = this.#options
    const run = this.#run(signal)
    const [first] = asks
    if (!first) return []
    const { question, span } = first
    const source = readable.sources.find(({ id }) => id === question.sourceId)
    if (question.kind === 'sql') return [await sqlScan(engine, { question, span }, source, readable, run)]
    if (!source) throw invalidAlert('The source of this alert does not exist. It may have been deleted.')
    if (isSingle(question, source)) return [await singleScan(engine, { question, span }, source, readable, run)]
    const shared = asks.flatMap(({ question, span }) => (question.kind === 'series' ? [{ question, span }] : []))
    const scan = await eventScan(engine, shared, source, readable)
    const results = shared.map((ask, at): Tally | Problem =>
      scan.answers.has(at) ? new Tally(ask) : { problem: scan.problems.get(at) },
    )
    if (scan.answers.size > 0) {
      const rows = await run(scan.sql, scan.params)
      if (rows.length > maxScanRows) throw tooManyGroups()
      fill(rows, results, scan.answers, question.groupBy.length)
    }
    return results.map((one) => (one instanceof Tally ? one.reading : one))
  }

  #run(signal: AbortSignal) {
    const { engine, maxSeconds } = this.#options
    return (sql: string, params: Params) =>
      engine.query<Record<string, unknown>>(sql, {
        params,
        maxSeconds,
        // The engine does not notice its limit in the middle of one function.
        signal: AbortSignal.any([signal, AbortSignal.timeout((maxSeconds + 2) * 1000)]),
      })
  }

  #failed(asks: readonly Ask[]): void {
    for (const { question } of asks) this.#shares.set(questionKey(question), Math.ceil(asks.length / 2))
  }

  /** Questions that failed with others return to them step by step. */
  #succeeded(asks: readonly Ask[]): void {
    for (const { question } of asks) {
      const key = questionKey(question)
      const share = (this.#shares.get(key) ?? Infinity) * 2
      if (share >= this.#options.maxQuestions) this.#shares.delete(key)
      else this.#shares.set(key, share)
    }
  }
}

/** Whether the failure of a statement may be that of one of its questions. */
function isDivisible(error: unknown): boolean {
  if (error instanceof ExecutionError) return error.type === 'QUERY_ERROR'
  return error instanceof EngineError && error.code > 0 && !isTimeout(error)
}

/** Adds the rows of a statement to the questions. A value that is not a number is the error of its question. */
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
