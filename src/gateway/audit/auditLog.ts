/** Enters every action in the audit log: before it is done, and again with its outcome. */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditChange, AuditFacts } from '#contract/console/audit.ts'
import type { Statements } from '#node/database/statements.ts'
import type { WriteCause } from '#node/upstream/operation.ts'
import { logFault } from '#node/process/logFault.ts'
import { actorOf } from '../http/requests.ts'
import { statementOf, eventOf, isAlwaysAllowed, signInEvent, auditsSuccessOnly, isOpenEvent } from './auditEvents.ts'
import type { AuditStore, NewAuditEntry } from './auditStore.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The number of the entry that was made before the action; null for none. */
    auditBegun: number | null
    /** Set by what is done within a break-glass. */
    auditMark: AuditFacts['mark'] | null
    /** The subject, where the address does not say it. */
    auditAbout: Pick<AuditFacts, 'connectionId' | 'subject'> | null
  }
}

/** A consequence of a request, beside its own action. */
export interface AuditedEvent {
  event: string
  /** The name of a system that did it instead of the person who sent the request, such as an identity provider. */
  actor?: string
  /** Default: that of the address. */
  connectionId?: string | null
  subject: string
  /** Default: it was done. */
  outcome?: AuditFacts['outcome']
  reason: string | null
}

/** A write of a record, and its outcome. */
export interface AuditedWrite {
  cause: WriteCause
  connectionId: string
  /** Resource and verb. */
  event: string
  outcome: 'done' | 'refused' | 'unknown'
  reason: string | null
  change: AuditChange
}

/** Characters of a name or reason. */
const maxText = 300

export class AuditLog {
  /** Changes of requests that are not answered yet, by the ID of the request. */
  readonly #changes = new Map<string, AuditChange[]>()
  readonly #store: AuditStore
  readonly #log: FastifyBaseLogger

  constructor(store: AuditStore, log: FastifyBaseLogger) {
    this.#store = store
    this.#log = log
  }

  /** Watches the requests of all routes that are registered from now on. @throws for a route without an event */
  register(app: FastifyInstance): void {
    app.decorateRequest('auditBegun', null)
    app.decorateRequest('auditMark', null)
    app.decorateRequest('auditAbout', null)
    app.addHook('onRoute', ({ method, url }) => {
      const missing = [method].flat().find((candidate) => eventOf(candidate, url) === undefined)
      if (missing !== undefined) throw new Error(`The audit log has no event for ${missing} ${url}.`)
    })
    app.addHook('preHandler', (request) => this.#begin(request))
    app.addHook('onSend', (request, reply, payload) => this.#end(request, reply, payload))
  }

  /** Something that happened without a request, such as the end of a time. Stored in the transaction of what happened. */
  async enterOwn(
    entry: Pick<NewAuditEntry, 'actor' | 'personId' | 'event' | 'connectionId' | 'subject' | 'reason' | 'mark'>,
    transaction: Statements,
  ): Promise<void> {
    const plain = { address: null, outcome: 'done', status: null, request: '', begun: null, changes: [] } as const
    const whole = { ...plain, ...entry, changes: [], subject: cut(entry.subject), reason: cut(entry.reason) }
    this.#print(whole, await this.#store.appendIn(transaction, [whole]))
  }

  /** A write was answered. Those of runs have no request of their own. */
  async note({ cause, connectionId, event, outcome, reason, change }: AuditedWrite): Promise<void> {
    if (cause.request !== undefined) {
      this.#changes.set(cause.request, [...(this.#changes.get(cause.request) ?? []), change])
      return
    }
    await this.#enter({
      actor: cause.actor,
      personId: cause.personId,
      address: null,
      event,
      connectionId,
      subject: cut(change.name),
      outcome,
      status: null,
      reason: cut(reason),
      request: cause.run ?? cause.approval ?? '',
      begun: null,
      changes: [change],
      ...(cause.approval === 'break-glass' && { mark: cause.approval }),
    })
  }

  /** Something that a request caused, such as roles that changed with a sign-in. */
  async noteEvent(
    request: FastifyRequest,
    { event, actor, connectionId, subject, outcome, reason }: AuditedEvent,
  ): Promise<void> {
    await this.#enter({
      ...factsOf(request, event),
      ...(actor !== undefined && { actor, personId: null }),
      ...(connectionId !== undefined && { connectionId }),
      ...(outcome !== undefined && { outcome }),
      subject: cut(subject),
      reason: cut(reason),
    })
  }

  /** A step of work that goes on after its request. Its entry names the work in place of a request. */
  async enterStep(
    step: Pick<
      NewAuditEntry,
      'actor' | 'personId' | 'event' | 'connectionId' | 'subject' | 'outcome' | 'reason' | 'request'
    >,
  ): Promise<void> {
    const { subject, reason } = step
    const none = { address: null, status: null, begun: null, changes: [] }
    await this.#enter({ ...step, ...none, subject: cut(subject), reason: cut(reason) })
  }

  async #begin(request: FastifyRequest): Promise<void> {
    const event = eventIn(request)
    // Strangers can sign out as often as they like: it changes nothing.
    if (!event || isOpenEvent(event) || request.access === null) return
    try {
      request.auditBegun = await this.#store.append({ ...factsOf(request, event), outcome: 'begun' })
    } catch (error) {
      if (!isAlwaysAllowed(event)) throw error
      this.#report(error)
    }
  }

  async #end(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const event = eventIn(request)
    const changes = this.#changes.get(request.id) ?? []
    this.#changes.delete(request.id)
    if (!event || !isEntered(event, request, reply.statusCode)) return payload
    const facts = { ...factsOf(request, event), ...request.auditAbout }
    await this.#enter({
      ...facts,
      subject: cut(changes[0]?.name || facts.subject),
      changes,
      begun: request.auditBegun,
      ...(request.auditMark && { mark: request.auditMark }),
      ...outcomeOf(reply.statusCode, payload),
    })
    return payload
  }

  /** The action is done: that its outcome could not be stored does not undo it. */
  async #enter(entry: NewAuditEntry): Promise<void> {
    try {
      this.#print(entry, await this.#store.append(entry))
    } catch (error) {
      this.#report(error)
    }
  }

  #print({ outcome, event, actor, address, connectionId, subject, request }: NewAuditEntry, seq: number): void {
    this.#log.info({ audit: { seq, event, outcome, actor, address, connectionId, subject, request } }, 'Audit')
  }

  #report(error: unknown): void {
    logFault(this.#log, 'The audit log could not be stored.')(error)
  }
}

/** It waits for approval. */
const accepted = 202
const forbidden = 403
const tooManyRequests = 429

/** A refusal before the action begins is entered if somebody lacked the right to it. Strangers must not fill the log. */
function isEntered(event: string, { access, auditBegun, auditAbout }: FastifyRequest, status: number): boolean {
  if (status < 400) return isOpenEvent(event) || auditBegun !== null
  if (auditsSuccessOnly(event)) return false
  // Only attempts with a proof, whose number is limited.
  if (event === signInEvent) return auditAbout !== null && status !== tooManyRequests
  return isOpenEvent(event)
    ? status !== tooManyRequests
    : auditBegun !== null || (access !== null && status === forbidden)
}

function eventIn({ method, routeOptions }: FastifyRequest): string | null {
  return eventOf(method, routeOptions.url ?? '') ?? null
}

function factsOf(request: FastifyRequest, event: string): NewAuditEntry {
  const { connectionId, ...ids } = paramsOf(request)
  return {
    actor: actorOf(request),
    personId: request.access?.personId ?? request.person?.id ?? null,
    address: request.ip,
    event,
    connectionId: connectionId ?? null,
    subject: cut(statementOf(event, request.body) ?? nameIn(request.body) ?? Object.values(ids).at(-1) ?? null),
    outcome: 'done',
    status: null,
    reason: null,
    request: request.id,
    begun: null,
    changes: [],
  }
}

function paramsOf({ params }: FastifyRequest): Record<string, string> {
  const entries = Object.entries(params ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}

function nameIn(body: unknown): string | undefined {
  const { name: own, email } = Object(body)
  // Whom somebody tried to sign in as.
  const name: unknown = own ?? email
  return typeof name === 'string' && name !== '' ? name : undefined
}

function outcomeOf(status: number, payload: unknown): Pick<AuditFacts, 'outcome' | 'status' | 'reason'> {
  if (status < 400 && status !== accepted) return { outcome: 'done', status, reason: null }
  const { code, message } = errorIn(payload)
  if (status === accepted) return { outcome: 'requested', status, reason: cut(message) }
  const outcome = code === 'outcomeUnknown' ? 'unknown' : status < 500 ? 'refused' : 'failed'
  return { outcome, status, reason: cut(message) }
}

/** The error of a response, which names no secret. */
function errorIn(payload: unknown): { code: string | null; message: string | null } {
  // A page, such as the stack's for people who join, has no such error.
  if (typeof payload !== 'string' || !payload.startsWith('{')) return { code: null, message: null }
  const error = Object(JSON.parse(payload))
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return { code: textOf(error.code), message: textOf(error.message) }
}

function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, maxText)
}
