/** Rows of logs and traces: docs/DEPLOYMENTS.md#search. */
import type { Handlers } from '#contract/wire/kernel.ts'
import type { ParsedSearchQuery, search } from '#contract/stack/search.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { EngineAborted, EngineBusy, EngineError } from '../../telemetry/engine/engineError.ts'
import { SearchError } from '../../telemetry/search/searchError.ts'
import { readableSearch, searchRows } from '../../telemetry/search/searchRows.ts'
import type { StackContext } from '../context.ts'
import { sourceRows } from '../sources.ts'
import { databasesFor } from '../sourceTables.ts'

export const searchHandlers: Handlers<typeof search, StackContext> = {
  async query({ body }, context) {
    const data = await ask(searchRows, body, context)
    return { data, rows: data.length }
  },

  statement: async ({ body }, context) => ({ statement: await ask(readableSearch, body, context) }),
}

/** Answers a search with its rows or its statement. @throws Refusal */
async function ask<T>(
  answer: (...request: Parameters<typeof searchRows>) => Promise<T>,
  body: ParsedSearchQuery,
  context: StackContext,
): Promise<T> {
  const range = rangeOf(body)
  const source = await sourceRows.get(context.store, body.sourceId)
  if (!source) throw new Refusal(404, `Source not found: ${body.sourceId}`)
  const { engine, signal } = context
  if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
  try {
    const readable = { source, databases: await databasesFor(context) }
    return await answer(engine, { ...body, ...range }, readable, signal)
  } catch (error) {
    throw refusalOf(error)
  }
}

const defaultRangeMs = 15 * 60_000
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** Without times: the last 15 minutes. */
function rangeOf({ startTime, endTime }: ParsedSearchQuery): { from: number; to: number } {
  const to = endTime === undefined ? currentTime() : parsedTime(endTime)
  const from = startTime === undefined ? to - defaultRangeMs : parsedTime(startTime)
  if (Number.isNaN(from) || Number.isNaN(to)) {
    throw refuse('Invalid startTime or endTime: must be valid ISO 8601 strings')
  }
  if (from >= to) throw refuse('endTime must be greater than startTime')
  return { from, to }
}

function parsedTime(text: string): number {
  return isoTime.test(text) ? Date.parse(text) : NaN
}

function refusalOf(error: unknown): unknown {
  if (error instanceof SearchError) return new Refusal(error.status, error.message)
  if (error instanceof EngineAborted) return new Refusal(503, 'The query was cancelled')
  if (error instanceof EngineBusy) return new Refusal(503, error.message, error.retryAfter)
  if (error instanceof EngineError) return new Refusal(503, error.message)
  return error
}
