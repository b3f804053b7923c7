/**
 * The client of the MCP endpoints of deployments. It is asked once for its tools, and then called without further greetings.
 * Plain messages over the requests to deployments, so that these have the same guards: addresses, time limits, sizes, and
 * the rate limit of the key.
 */
import {
  deploymentTools,
  toolsPath,
  type ToolInput,
  type ToolKey,
  type ToolOutput,
} from '#contract/stack/deploymentTools.ts'
import type { Endpoint, Output } from '#contract/wire/kernel.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { RawReply } from '#node/upstream/upstream.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Claim } from '#node/upstream/waitingRequests.ts'
import { rpcMessage, type RpcOutcome } from './jsonRpc.ts'
import { initialized, outcomeOf, sessionIdOf, textOf, toolList, unexpected, usableTools } from './toolAnswers.ts'

/** The version of the protocol that is asked for. */
const protocolVersion = '2025-06-18'
/** Milliseconds for which an endpoint that is missing, or refuses the key, is not asked again. */
const absentFor = { missing: 3_600_000, refused: 300_000 }
/** Milliseconds for which the sources of a deployment are not asked for again. */
const sourcesKeptFor = 60_000
/** Pages of the list of tools. */
const maxPages = 5

/** Errors that another try would not change. */
const lasting: readonly string[] = ['notOffered', 'invalid', 'malformedReply', 'keyRejected', 'forbidden']

/** An endpoint as it described itself when it was asked for its tools. */
interface Session {
  /** Absent where the endpoint keeps none. */
  id?: string | undefined
  version: string
  /** The names of the tools that it has, of those that may be called. */
  tools: ReadonlyMap<ToolKey, string>
  /** The sources and connections, which are read before every statement; until when, by `performance.now()`. */
  sources?: { outcome: RpcOutcome; until: number }
}

/** The deployment has no endpoint that can be used. */
interface Absence {
  reason: ApiFailure
  /** By `performance.now()`. */
  until: number
}

interface Known {
  revision: string
  session: Promise<Session | Absence>
}

/** A result, and where it comes from if that is not the API: a sentence. */
export interface ReadResult extends UpstreamResult {
  origin?: string | undefined
}

export type CallTool = <K extends ToolKey>(tool: K, input: ToolInput<K>) => Promise<ToolOutput<K>>
/** Reads what the API has. */
export type ReadApi = <E extends Endpoint>(endpoint: E, params: Record<string, string>) => Promise<Output<E>>
/** A read with the tools of a deployment. */
export type ToolRead = (call: CallTool, operation: Operation, readApi: ReadApi) => Promise<ReadResult>

/** The start of the sentence that says where a result comes from. */
export const toolOrigin = 'From the deployment’s MCP endpoint'

export class ToolClient {
  /** By connection. */
  readonly #known = new Map<string, Known>()
  #requests = 0
  readonly #deployments: Pick<Deployments, 'post'>

  constructor(deployments: Pick<Deployments, 'post'>) {
    this.#deployments = deployments
  }

  /**
   * Calls a tool, and returns what is in its text.
   * @throws ApiFailure `notOffered` if the deployment has no such endpoint or tool, `invalid` with what the tool says
   */
  async call<K extends ToolKey>(
    target: UpstreamTarget,
    tool: K,
    input: ToolInput<K>,
    claim: Claim,
  ): Promise<ToolOutput<K>> {
    const { input: inputs, output } = deploymentTools[tool]
    const sent = inputs.parse(input)
    const outcome = await this.#inSession(target, claim, (session) => {
      const name = session.tools.get(tool)
      if (name === undefined) return 'missing'
      const ask = () => this.#request(target, session, 'tools/call', { name, arguments: sent }, claim)
      return tool === 'listSources' ? keptAnswer(session, ask) : ask()
    })
    if (outcome === 'missing') throw failure('notOffered', 'The deployment’s MCP endpoint has no such tool.')
    const read = output.safeParse(textOf(outcome, target))
    if (!read.success) throw unexpected()
    // Parsed by the schema of the tool, whose type is not known while K is not.
    return read.data as ToolOutput<K>
  }

  /** Sends within the session of an endpoint; once more in a new one if the endpoint no longer knows it. */
  async #inSession(
    target: UpstreamTarget,
    claim: Claim,
    send: (session: Session) => Promise<RpcOutcome | 'expired'> | 'missing',
  ): Promise<RpcOutcome | 'missing'> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const session = await this.#sessionOf(target, claim)
      try {
        const outcome = await send(session)
        if (outcome !== 'expired') return outcome
      } catch (error) {
        // The next call asks the endpoint for its tools again.
        if (error instanceof ApiFailure && lasting.includes(error.error.code)) this.#known.delete(target.connectionId)
        throw error
      }
      this.#known.delete(target.connectionId)
    }
    throw unexpected()
  }

  /** @throws ApiFailure `notOffered` without an endpoint that can be used, or why it could not be asked now */
  async #sessionOf(target: UpstreamTarget, claim: Claim): Promise<Session> {
    const { connectionId, revision } = target
    const known = this.#known.get(connectionId)
    const found = known?.revision === revision ? await known.session : undefined
    if (found && 'reason' in found && found.until > performance.now()) throw found.reason
    if (found && !('reason' in found)) return found
    // Others wait for it too: it does not end with the request of the first.
    const session = this.#opened(target, { priority: claim.priority, callers: claim.callers })
    const opening = { revision, session }
    this.#known.set(connectionId, opening)
    try {
      const opened = await session
      if ('reason' in opened) throw opened.reason
      return opened
    } catch (error) {
      const isKept = error instanceof ApiFailure && error.error.code === 'notOffered'
      if (!isKept && this.#known.get(connectionId) === opening) this.#known.delete(connectionId)
      throw error
    }
  }

  async #opened(target: UpstreamTarget, claim: Claim): Promise<Session | Absence> {
    try {
      return await this.#initialize(target, claim)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const { code, message, detail } = error.error
      if (!lasting.includes(code)) throw error
      const isRefused = code === 'keyRejected' || code === 'forbidden'
      const reason = failure('notOffered', message, detail === undefined ? {} : { detail })
      return { reason, until: performance.now() + (isRefused ? absentFor.refused : absentFor.missing) }
    }
  }

  async #initialize(target: UpstreamTarget, claim: Claim): Promise<Session> {
    const greeting = { protocolVersion, capabilities: {}, clientInfo: { name: 'stack-console', version: '1' } }
    const id = ++this.#requests
    const reply = await this.#send(target, null, rpcMessage('initialize', greeting, id), claim)
    const { result } = outcomeOf(reply, id, target)
    const { data } = initialized.safeParse(result)
    if (!data) throw unexpected()
    const session = { id: sessionIdOf(reply), version: data.protocolVersion, tools: new Map<ToolKey, string>() }
    // No response is awaited, but an endpoint with sessions may refuse all else before it.
    await this.#send(target, session, rpcMessage('notifications/initialized', {}), claim)
    return { ...session, tools: usableTools(await this.#toolNames(target, session, claim), target) }
  }

  async #toolNames(target: UpstreamTarget, session: Session, claim: Claim): Promise<Set<string>> {
    const names = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const outcome = await this.#request(target, session, 'tools/list', cursor === undefined ? {} : { cursor }, claim)
      const { data } = toolList.safeParse(outcome === 'expired' ? undefined : outcome.result)
      if (!data) throw unexpected()
      for (const { name } of data.tools) names.add(name)
      cursor = data.nextCursor
      if (cursor === undefined) break
    }
    return names
  }

  async #request(
    target: UpstreamTarget,
    session: Session,
    method: string,
    params: object,
    claim: Claim,
  ): Promise<RpcOutcome | 'expired'> {
    const id = ++this.#requests
    const reply = await this.#send(target, session, rpcMessage(method, params, id), claim)
    const isUnknown = reply.status === 404 || reply.status === 400
    return session.id !== undefined && isUnknown ? 'expired' : outcomeOf(reply, id, target)
  }

  #send(target: UpstreamTarget, session: Session | null, body: string, claim: Claim): Promise<RawReply> {
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(session && { 'mcp-protocol-version': session.version }),
      ...(session?.id !== undefined && { 'mcp-session-id': session.id }),
    }
    return this.#deployments.post(target, { path: toolsPath, body, headers }, claim)
  }
}

/** The sources of a session: those that were read lately, or else as they are now. */
async function keptAnswer(
  session: Session,
  ask: () => Promise<RpcOutcome | 'expired'>,
): Promise<RpcOutcome | 'expired'> {
  if (session.sources && session.sources.until > performance.now()) return session.sources.outcome
  const outcome = await ask()
  if (outcome !== 'expired' && outcome.result?.['isError'] !== true) {
    session.sources = { outcome, until: performance.now() + sourcesKeptFor }
  }
  return outcome
}
