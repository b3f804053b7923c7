/** Requests to deployments: rate limit, shared reads, retries of reads, and checks of writes whose response was lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { maxPageSize } from '#contract/wire/lists.ts'
import { currentTime } from '../clock/wallClock.ts'
import { Budgets } from './budgets.ts'
import type { Claim } from './waitingRequests.ts'
import { maxReplyValues, openReply, type ReplySize, type UpstreamResult } from './upstreamReply.ts'
import { ConnectError } from './egressGuard.ts'
import { ApiFailure, failure, OutcomeUnknown } from './apiFailure.ts'
import { upstreamError } from './upstreamErrors.ts'
import { SharedReads, type SharedClaim } from './sharedReads.ts'
import { rateLimitInfo } from './rateHeaders.ts'
import { credentialsIn } from './masks.ts'
import { LastReplies } from './replies/lastReplies.ts'
import { readJson } from './untrustedJson.ts'
import { readBackLocation, verdictOf, verdictMessage, type Verdict } from './readBack.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'
import type { Journal } from './journal.ts'
import type { Operation } from './operation.ts'
import { replyLimit, ResponseLost, type RawReply, type Upstream, type UpstreamRequest } from './upstream.ts'

/** A message to an endpoint beside the API. */
type Message = Pick<UpstreamRequest, 'path' | 'query' | 'body' | 'headers'>

export interface Retries {
  /** Milliseconds before each retry of a read, with a jitter of up to half of it. */
  retries: readonly number[]
  /** Milliseconds before each read that checks whether a lost write was applied. */
  readBacks: readonly number[]
  /** The longest wait for the rate limit or after a 429, in milliseconds. Beyond, the person sees a countdown. */
  wait: number
}

/** The server did not get the whole request in time, or closed the connection just when the request was sent. */
const timedOut = 408

export const defaultRetries: Retries = { retries: [200, 800], readBacks: [500, 2_000], wait: 20_000 }

/** Resources that only the stack of this product has. */
const productResources: readonly string[] = ['sample']

/** Rows of one list that are collected. `total` shows whether there are more. */
const maxRows = 20_000

/** The most memory for all pages of one list: that of the four largest responses, or of the two with the most values. */
const maxListSize: ReplySize = { characters: 4 * replyLimit, values: 2 * maxReplyValues }

/** Counts the writes of other processes as well. */
export interface WriteCounts {
  /** The writes through a connection, as far as they are known here. */
  of(connectionId: string): number
  /** Returns once the others can know of a write that is done. It must not throw. */
  count(connectionId: string): Promise<void>
}

/** The checks and records of every write, in their order. The command line writes without them. */
export interface WritePath {
  /** Throws for a write that must not be sent. */
  guard?: (target: UpstreamTarget, operation: Operation) => Promise<void>
  /** Stores the write before it is sent, and its outcome. It receives all reads as well. */
  journal?: Journal
  /** Asked right before a write is sent, after it has waited for its turn. It throws if that came too late. */
  refuseLate?: () => void
  /** Counts writes together with other processes. */
  counts?: WriteCounts | undefined
}

export class Deployments {
  readonly #sharedReads = new SharedReads<UpstreamResult>()
  /** Counts the writes of a connection, so that a read after a write does not share a request from before it. */
  readonly #writes = new Map<string, number>()
  #freshReads = 0
  readonly #lastReplies = new LastReplies<UpstreamResult>()
  /** The errors of deployments without `productResources`, by connection and revision. */
  readonly #withoutProductResources = new Map<string, ApiFailure>()
  readonly #upstream: Upstream
  readonly #budgets: Budgets
  readonly #retries: Retries
  readonly #path: WritePath

  constructor(upstream: Upstream, budgets = new Budgets(), retries: Retries = defaultRetries, path: WritePath = {}) {
    this.#upstream = upstream
    this.#budgets = budgets
    this.#retries = retries
    this.#path = path
  }

  budgetOf(target: UpstreamTarget) {
    return this.#budgets.of(target)
  }

  /** Changes with every write through the connection. What was read before may be outdated. */
  writesTo({ connectionId }: Pick<UpstreamTarget, 'connectionId'>): number {
    return (this.#writes.get(connectionId) ?? 0) + (this.#path.counts?.of(connectionId) ?? 0)
  }

  /**
   * Reads an endpoint. A deployment without the product's own resources is asked for them once, because each page would
   * otherwise spend a request on them.
   */
  async read(target: UpstreamTarget, operation: Operation): Promise<UpstreamResult> {
    if (!productResources.includes(operation.endpoint.resource)) return this.#readOnce(target, operation)
    const key = `${target.connectionId} ${target.revision}`
    const known = this.#withoutProductResources.get(key)
    if (known) throw known
    try {
      return await this.#readOnce(target, operation)
    } catch (error) {
      if (error instanceof ApiFailure && error.error.code === 'notOffered')
        this.#withoutProductResources.set(key, error)
      throw error
    }
  }

  /** Reads with retries. Identical reads at the same time share one request. */
  async #readOnce(target: UpstreamTarget, operation: Operation): Promise<UpstreamResult> {
    const { endpoint, path, query, body, fresh } = operation
    const writeCount = this.writesTo(target)
    const parts = [
      target.connectionId,
      target.revision,
      writeCount,
      endpoint.method,
      path,
      query?.toString(),
      body,
      fresh && ++this.#freshReads,
    ]
    const budget = this.budgetOf(target)
    return this.#sharedReads.read(
      JSON.stringify(parts),
      operation,
      () => budget.pump(),
      async (claim) => {
        const startedAt = performance.now()
        const reply = await this.#attempts(target, operation, claim)
        const open = () => openReply(endpoint, target, reply)
        const list = JSON.stringify([target.connectionId, target.revision, path, query?.toString()])
        const opened = endpoint.list && body === undefined ? this.#lastReplies.resultOf(list, reply, open) : open()
        this.#path.journal?.seen(target, operation, opened.result, startedAt, !endpoint.paged)
        return opened
      },
    )
  }

  /**
   * All pages of a list as one result. Stops at the total, at a page without new rows, or at 20,000 rows.
   * @throws ApiFailure `tooLarge` for pages that are larger together than fits into memory
   */
  async readAll(target: UpstreamTarget, operation: Operation): Promise<UpstreamResult> {
    const rows = new Map<string, unknown>()
    const startedAt = performance.now()
    let first: UpstreamResult | undefined
    let isComplete = false
    const size: ReplySize = { characters: 0, values: 0 }
    for (let offset = 0; rows.size < maxRows;) {
      const page = await this.#page(target, operation, offset)
      first ??= page
      size.characters += page.size?.characters ?? 0
      size.values += page.size?.values ?? 0
      if (size.characters > maxListSize.characters || size.values > maxListSize.values) throw listTooLarge(operation)
      const step = Math.min(page.pageSize || maxPageSize, maxPageSize)
      const items = Array.isArray(page.result) ? page.result : []
      const before = rows.size
      items.forEach((item: unknown, at) => rows.set(rowKey(item, offset + at), item))
      offset += step
      isComplete = page.total === undefined ? items.length < step : offset >= page.total
      if (isComplete || rows.size === before) break
    }
    const all = [...rows.values()].slice(0, maxRows)
    // The rows of a single page stay the list that they came in: see `LastReplies`.
    const result = isSameList(all, first?.result) ? first.result : all
    if (isComplete && rows.size <= maxRows) this.#path.journal?.seen(target, operation, result, startedAt, true)
    return { ...first, result }
  }

  /** Equal for lists with the same records, also after a restart; undefined for those of several pages. */
  digestOf(rows: readonly unknown[]): string | undefined {
    return this.#lastReplies.digestOf(rows)
  }

  /**
   * Sends a message that only reads to an endpoint beside the API that has the same key, within its rate limit. The limits
   * that such an endpoint tells are its own: they are left out, but a 429 pauses all requests of the key.
   * @throws ApiFailure without a complete response
   */
  async post(target: UpstreamTarget, message: Message, claim: Claim): Promise<RawReply> {
    const request = { ...message, method: 'POST', format: 'json', signal: claim.signal } as const
    const send = () => this.#sendWithin(target, request, claim, { learns: false })
    try {
      const reply = await send()
      return this.#isWorthWaiting(reply) ? await send() : reply
    } catch (error) {
      if (error instanceof ConnectError || error instanceof ResponseLost) throw upstreamError(error, target)
      throw error
    }
  }

  async #page(target: UpstreamTarget, operation: Operation, offset: number): Promise<UpstreamResult> {
    const query = new URLSearchParams({ limit: String(maxPageSize), offset: String(offset) })
    try {
      return await this.read(target, { ...operation, query })
    } catch (error) {
      // A deployment without paging may refuse unknown parameters.
      const refused = error instanceof ApiFailure && error.error.code === 'invalid' && offset === 0
      if (refused) return this.read(target, { ...operation, query: undefined })
      throw error
    }
  }

  /** Writes once. If the response is lost, reads the record and throws outcomeUnknown with what was found. */
  async write(target: UpstreamTarget, operation: Operation): Promise<UpstreamResult> {
    await this.#path.guard?.(target, operation)
    const settle = await this.#path.journal?.begin(target, operation)
    if (!settle) return this.#writeOnce(target, operation)
    const outcome = await this.#writeOnce(target, operation).catch(asError)
    await settle(outcome)
    if (outcome instanceof Error) throw outcome
    return outcome
  }

  async #writeOnce(target: UpstreamTarget, operation: Operation): Promise<UpstreamResult> {
    const startedAt = currentTime()
    this.#countWrite(target)
    try {
      const reply = await this.#sendOnce(target, operation)
      return openReply(operation.endpoint, withCredentialsOf(operation, target), reply)
    } catch (error) {
      const lost = lostResponse(error)
      if (lost === null) throw error instanceof ConnectError ? upstreamError(error, target) : error
      const verdict = await this.#readBackOutcome(target, operation, startedAt)
      throw new OutcomeUnknown(verdict, verdictMessage(verdict), lost)
    } finally {
      this.#countWrite(target)
      await this.#path.counts?.count(target.connectionId)
    }
  }

  /** A 429 means that nothing was written: the only case in which a write is sent again. */
  async #sendOnce(target: UpstreamTarget, operation: Operation): Promise<RawReply> {
    const { priority, caller } = operation
    const claim = { priority, callers: new Set(caller === undefined ? [] : [caller]) }
    const reply = await this.#exchange(target, operation, claim, this.#path.refuseLate)
    return this.#isWorthWaiting(reply) ? this.#exchange(target, operation, claim, this.#path.refuseLate) : reply
  }

  async #readBackOutcome(target: UpstreamTarget, operation: Operation, startedAt: number): Promise<Verdict> {
    const { endpoint, path, body } = operation
    const location = readBackLocation(endpoint, path)
    if (!location) return 'unknown'
    let verdict: Verdict = 'unknown'
    for (const delay of this.#retries.readBacks) {
      await sleep(delay)
      this.#countWrite(target)
      const reading: Operation = { ...location, priority: 'readBack' }
      const seen = await (location.endpoint.paged ? this.readAll(target, reading) : this.read(target, reading)).catch(
        asError,
      )
      verdict = verdictOf({ endpoint, body, startedAt }, seen)
      if (verdict === 'applied') return verdict
    }
    return verdict
  }

  async #attempts(target: UpstreamTarget, operation: Operation, claim: SharedClaim): Promise<RawReply> {
    let waited = false
    for (let attempt = 0; ;) {
      const outcome = await this.#exchange(target, operation, claim).catch(asTransportError)
      if (!(outcome instanceof Error) && !waited && this.#isWorthWaiting(outcome)) {
        waited = true
        continue
      }
      const delay = this.#retries.retries[attempt++]
      if (delay === undefined || !isTransient(outcome, operation)) {
        if (outcome instanceof Error) throw upstreamError(outcome, target)
        return outcome
      }
      await sleep(delay * (0.5 + Math.random() / 2), undefined, { signal: claim.signal })
    }
  }

  #exchange(target: UpstreamTarget, operation: Operation, claim: Claim, check?: () => void): Promise<RawReply> {
    const { endpoint, path, query, body, asked } = operation
    const { method, format } = endpoint
    return this.#sendWithin(target, { method, format, path, query, body, asked, signal: claim.signal }, claim, {
      check,
    })
  }

  /** Sends one request within the rate limit, and applies the rate limit headers of its response. */
  async #sendWithin(
    target: UpstreamTarget,
    request: UpstreamRequest,
    claim: Claim,
    { check, learns = true }: { check?: (() => void) | undefined; learns?: boolean },
  ): Promise<RawReply> {
    const budget = this.budgetOf(target)
    const slot = await budget.take(claim, this.#retries.wait)
    try {
      check?.()
      const reply = await this.#upstream.send(target, request)
      const tooMany = reply.status === 429
      const { retryAfter, ...limits } = rateLimitInfo(reply.headers)
      budget.learn({ ...(learns && limits), ...(retryAfter !== undefined && { retryAfter }) }, tooMany, slot.sentAt)
      return reply
    } finally {
      slot.release()
    }
  }

  #isWorthWaiting(reply: RawReply): boolean {
    if (reply.status !== 429) return false
    const { retryAfter, reset } = rateLimitInfo(reply.headers)
    return (retryAfter ?? reset ?? Number.POSITIVE_INFINITY) <= this.#retries.wait
  }

  #countWrite(target: UpstreamTarget): void {
    const { connectionId } = target
    this.#writes.set(connectionId, (this.#writes.get(connectionId) ?? 0) + 1)
  }
}

/** The body of a write counts as a secret as well: a deployment may quote it in its error. */
function withCredentialsOf({ endpoint, body }: Operation, target: UpstreamTarget): UpstreamTarget {
  const credentials = body === undefined ? [] : credentialsIn(endpoint, readJson(body))
  return credentials.length === 0 ? target : { ...target, secrets: [...target.secrets, ...credentials] }
}

function listTooLarge({ endpoint }: Operation): ApiFailure {
  const message = `The list of ${endpoint.resource} takes more memory than the console has for one list.`
  return failure('tooLarge', message, { status: 502 })
}

function isSameList(rows: readonly unknown[], list: unknown): list is unknown[] {
  return Array.isArray(list) && list.length === rows.length && rows.every((row, at) => row === list[at])
}

function rowKey(item: unknown, at: number): string {
  const id = item !== null && typeof item === 'object' && 'id' in item ? item.id : undefined
  return typeof id === 'string' ? id : `#${at}`
}

/** Whether a retry may succeed: after a server error, a late request, or a connection that was refused or closed. */
function isTransient(outcome: RawReply | ConnectError | ResponseLost, { endpoint }: Operation): boolean {
  if (outcome instanceof ResponseLost) return outcome.kind === 'broken'
  if (outcome instanceof ConnectError)
    return /^(ECONNREFUSED|ECONNRESET|EPIPE|EAI_AGAIN|UND_ERR_SOCKET)$/.test(outcome.code)
  // It says itself when it is worth another try.
  if (outcome.status === 503 && rateLimitInfo(outcome.headers).retryAfter !== undefined) return false
  // A query that cannot run always responds with 500.
  if (outcome.status === 500 && ['charts', 'search'].includes(endpoint.resource)) return false
  // A statement that took too long would take as long again.
  if (endpoint.audited !== undefined) return false
  return outcome.status >= 500 || outcome.status === timedOut
}

/** Why the response to a write is lost; null if the error is a response. */
function lostResponse(error: unknown): string | null {
  if (error instanceof ResponseLost) return error.message
  if (!(error instanceof ApiFailure)) return null
  const { code, status, message } = error.error
  // A proxy that lost its server does not know the outcome, and a success that cannot be read does not show it.
  const proxyLost = code === 'upstreamFailed' && (status === 502 || status === 504 || status === timedOut)
  const isUnread = code === 'malformedReply' || code === 'tooLarge'
  return proxyLost || (isUnread && status < 300) ? message : null
}

function asTransportError(error: unknown): ConnectError | ResponseLost {
  if (error instanceof ConnectError || error instanceof ResponseLost) return error
  throw error
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('unknown')
}
