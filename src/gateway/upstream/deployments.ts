/** Requests to deployments: budget, one flight for identical reads, retries of reads, a second look at lost writes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { maxPageSize } from '#contract/lists.ts'
import type { Endpoint } from '#contract/kernel.ts'
import { Budgets, type Claim, type Priority } from './budget.ts'
import { openReply, type Answer } from './upstreamReply.ts'
import { ConnectError } from './egressGuard.ts'
import { failure, GatewayError } from '../http/errors.ts'
import { upstreamError } from './upstreamErrors.ts'
import { Flights, type FlightClaim } from './sharedReads.ts'
import { rateLimitInfo } from './rateHeaders.ts'
import { placeOf, verdictOf, formatVerdict, type Verdict } from './readBack.ts'
import type { Target } from './upstreamTarget.ts'
import { ResponseLost, type RawReply, type Upstream } from './upstream.ts'

export interface Operation {
  endpoint: Endpoint
  /** The upstream path, filled. */
  path: string
  query?: URLSearchParams | undefined
  /** JSON text. */
  body?: string | undefined
  priority: Priority
  signal?: AbortSignal | undefined
  /** Wants the answer to a request of its own, never to one that began earlier. */
  fresh?: boolean
}

export interface Retries {
  /** Milliseconds before the second and the third try of a read; each is drawn from half to the whole of it. */
  retries: readonly number[]
  /** Milliseconds before each look at what became of a lost write. */
  readBacks: readonly number[]
  /** The longest wait for the budget or for a 429's word, in milliseconds: then the person sees a countdown instead. */
  wait: number
}

export const defaultRetries: Retries = { retries: [200, 800], readBacks: [500, 2_000], wait: 20_000 }

/** Resources that only this project's own stack has. */
const onlyOurs: readonly string[] = ['sample']

/** Rows of one list that are collected; `total` tells when there are more. */
const maxRows = 20_000

export class Deployments {
  private readonly flights = new Flights<Answer>()
  /** Counts the writes of a connection: a read that began before one does not answer a read that began after it. */
  private readonly writes = new Map<string, number>()
  private freshReads = 0
  /** What deployments answered that have nothing of `onlyOurs`, by connection and revision: an edit may lead elsewhere. */
  private readonly withoutOurs = new Map<string, GatewayError>()

  constructor(
    private readonly upstream: Upstream,
    private readonly budgets = new Budgets(),
    private readonly retries: Retries = defaultRetries,
  ) {}

  budgetOf(target: Target) {
    return this.budgets.of(target)
  }

  /**
   * Reads, as `readOnce` does. Of what only a stack of this project has, a deployment without it is asked once: every page
   * would spend a request of its key on it.
   */
  async read(target: Target, operation: Operation): Promise<Answer> {
    if (!onlyOurs.includes(operation.endpoint.resource)) return this.readOnce(target, operation)
    const key = `${target.connectionId} ${target.revision}`
    const known = this.withoutOurs.get(key)
    if (known) throw known
    try {
      return await this.readOnce(target, operation)
    } catch (error) {
      if (error instanceof GatewayError && error.error.code === 'notOffered') this.withoutOurs.set(key, error)
      throw error
    }
  }

  /** Reads, repeating what failed on the way. Identical reads at the same time reach the deployment once. */
  private async readOnce(target: Target, operation: Operation): Promise<Answer> {
    const { endpoint, path, query, body, priority, signal, fresh } = operation
    const era = this.writes.get(target.connectionId) ?? 0
    const parts = [
      target.connectionId,
      target.revision,
      era,
      endpoint.method,
      path,
      query?.toString(),
      body,
      fresh && ++this.freshReads,
    ]
    const budget = this.budgetOf(target)
    return this.flights.join(
      JSON.stringify(parts),
      priority,
      signal,
      () => budget.pump(),
      async (claim) => {
        const reply = await this.attempts(target, operation, claim)
        return openReply(endpoint, target, reply)
      },
    )
  }

  /** Every page of a list, as one. Stops at the total, at a page that brings nothing new, or at 20,000 rows. */
  async readAll(target: Target, operation: Operation): Promise<Answer> {
    const rows = new Map<string, unknown>()
    let first: Answer | undefined
    for (let offset = 0; rows.size < maxRows;) {
      const page = await this.page(target, operation, offset)
      first ??= page
      const size = Math.min(page.pageSize || maxPageSize, maxPageSize)
      const items = Array.isArray(page.result) ? page.result : []
      const before = rows.size
      items.forEach((item: unknown, at) => rows.set(rowKey(item, offset + at), item))
      offset += size
      const complete = page.total === undefined ? items.length < size : offset >= page.total
      if (complete || rows.size === before) break
    }
    return { ...first, result: [...rows.values()].slice(0, maxRows) }
  }

  private async page(target: Target, operation: Operation, offset: number): Promise<Answer> {
    const query = new URLSearchParams({ limit: String(maxPageSize), offset: String(offset) })
    try {
      return await this.read(target, { ...operation, query })
    } catch (error) {
      // A deployment without paging may refuse parameters that it does not know.
      const refused = error instanceof GatewayError && error.error.code === 'invalid' && offset === 0
      if (refused) return this.read(target, { ...operation, query: undefined })
      throw error
    }
  }

  /** Writes once. Throws outcomeUnknown, with what a second look showed, when the answer was lost. */
  async write(target: Target, operation: Operation): Promise<Answer> {
    const startedAt = Date.now()
    this.countWrite(target)
    try {
      const reply = await this.sendOnce(target, operation)
      return openReply(operation.endpoint, target, reply)
    } catch (error) {
      const lost = lostAnswer(error)
      if (lost === null) throw error instanceof ConnectError ? upstreamError(error, target) : error
      const verdict = await this.readBackOutcome(target, operation, startedAt)
      throw failure('outcomeUnknown', formatVerdict(verdict), { detail: lost })
    } finally {
      this.countWrite(target)
    }
  }

  /** A 429 means that the write was refused before anything happened: the one case in which it is sent again. */
  private async sendOnce(target: Target, operation: Operation): Promise<RawReply> {
    const claim = { priority: operation.priority }
    const reply = await this.exchange(target, operation, claim)
    return this.isWorthWaiting(reply) ? this.exchange(target, operation, claim) : reply
  }

  private async readBackOutcome(target: Target, operation: Operation, startedAt: number): Promise<Verdict> {
    const { endpoint, path, body } = operation
    const place = placeOf(endpoint, path)
    if (!place) return 'unknown'
    let verdict: Verdict = 'unknown'
    for (const delay of this.retries.readBacks) {
      await sleep(delay)
      this.countWrite(target)
      const reading: Operation = { ...place, priority: 'readBack' }
      const seen = await (place.endpoint.paged ? this.readAll(target, reading) : this.read(target, reading)).catch(
        asError,
      )
      verdict = verdictOf({ endpoint, body, startedAt }, seen)
      if (verdict === 'applied') return verdict
    }
    return verdict
  }

  private async attempts(target: Target, operation: Operation, claim: FlightClaim): Promise<RawReply> {
    let waited = false
    for (let attempt = 0; ;) {
      const outcome = await this.exchange(target, operation, claim).catch(asTransportError)
      if (!(outcome instanceof Error) && !waited && this.isWorthWaiting(outcome)) {
        waited = true
        continue
      }
      const delay = this.retries.retries[attempt++]
      if (delay === undefined || !isTransient(outcome, operation)) {
        if (outcome instanceof Error) throw upstreamError(outcome, target)
        return outcome
      }
      await sleep(delay * (0.5 + Math.random() / 2), undefined, { signal: claim.signal })
    }
  }

  /** One request within the budget. What the deployment says about its limit is learned. */
  private async exchange(target: Target, operation: Operation, claim: Claim): Promise<RawReply> {
    const { endpoint, path, query, body } = operation
    const budget = this.budgetOf(target)
    const slot = await budget.take(claim, this.retries.wait)
    try {
      const reply = await this.upstream.send(target, {
        method: endpoint.method,
        format: endpoint.format,
        path,
        query,
        body,
        signal: claim.signal,
      })
      budget.learn(rateLimitInfo(reply.headers, Date.now()), reply.status === 429, slot.sentAt)
      return reply
    } finally {
      slot.release()
    }
  }

  private isWorthWaiting(reply: RawReply): boolean {
    if (reply.status !== 429) return false
    const { retryAfter, reset } = rateLimitInfo(reply.headers, Date.now())
    return (retryAfter ?? reset ?? Number.POSITIVE_INFINITY) <= this.retries.wait
  }

  private countWrite(target: Target): void {
    this.writes.set(target.connectionId, (this.writes.get(target.connectionId) ?? 0) + 1)
  }
}

function rowKey(item: unknown, at: number): string {
  const id = item !== null && typeof item === 'object' && 'id' in item ? item.id : undefined
  return typeof id === 'string' ? id : `#${at}`
}

/** A server's failure, or a connection that was refused or broke: the next try may do better. */
function isTransient(outcome: RawReply | ConnectError | ResponseLost, { endpoint }: Operation): boolean {
  if (outcome instanceof ResponseLost) return outcome.kind === 'broken'
  if (outcome instanceof ConnectError)
    return /^(ECONNREFUSED|ECONNRESET|EPIPE|EAI_AGAIN|UND_ERR_SOCKET)$/.test(outcome.code)
  // A chart query that cannot run is a 500 for ever.
  if (outcome.status === 500 && endpoint.resource === 'charts') return false
  return outcome.status >= 500
}

/** What is to be said about a write whose answer is no answer; null when it is one. */
function lostAnswer(error: unknown): string | null {
  if (error instanceof ResponseLost) return error.message
  if (!(error instanceof GatewayError)) return null
  const { code, status, message } = error.error
  // A proxy that lost the server behind it cannot know; neither does a success that cannot be read.
  const proxyLost = code === 'upstreamFailed' && (status === 502 || status === 504)
  return proxyLost || (code === 'malformedReply' && status < 300) ? message : null
}

function asTransportError(error: unknown): ConnectError | ResponseLost {
  if (error instanceof ConnectError || error instanceof ResponseLost) return error
  throw error
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('unknown')
}
