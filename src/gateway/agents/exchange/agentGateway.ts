/**
 * The requests of a tool: the gateway's own routes, called with the token of the agent. So each of them passes the same checks
 * as a request of a page: role, rate limit of the key, audit log, locks and approval.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Agent } from '#contract/console/agents.ts'
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import { baseRevisionHeader, consoleHeader, priorityHeader } from '#contract/wire/gatewayWire.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import {
  apiError,
  fillPath,
  gatewayPath,
  gatewayReply,
  type Endpoint,
  type Input,
  type Output,
} from '#contract/wire/kernel.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import { agentHeaders } from '../../identity/sessions/agentMark.ts'

/** The options of a call, for every endpoint. */
interface CallInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

interface Sent {
  method: string
  path: string
  query?: Record<string, unknown> | undefined
  body?: unknown
  headers?: Record<string, string>
}

/** A record as its deployment returned it, and the revision that a change of it starts from. */
export interface ReadRecord {
  record: unknown
  revision: string | undefined
  /** Where it comes from if not from the API of the deployment. */
  origin: string | undefined
}

/** An agent's words about a change that it asks for. */
export interface Proposal {
  reason: string
  /** Whether it removes or replaces something. */
  removes?: boolean
  /** The revision that it starts from. */
  revision?: string | undefined
}

/** The status of a change that waits for approval. */
const accepted = 202

export class AgentGateway {
  readonly #app: FastifyInstance
  readonly #request: FastifyRequest
  readonly #agent: Agent
  readonly #signal: AbortSignal

  constructor(app: FastifyInstance, request: FastifyRequest, agent: Agent, signal: AbortSignal) {
    this.#app = app
    this.#request = request
    this.#agent = agent
    this.#signal = signal
  }

  /** Reads from a deployment. @throws ApiFailure */
  async read<E extends Endpoint>(connection: string, endpoint: E, input: Input<E>): Promise<Output<E>> {
    const { record } = await this.readRecord(connection, endpoint, input)
    const outcome = endpoint.result.safeParse(record)
    if (!outcome.success) throw failure('malformedReply', 'The deployment answered with something unexpected.')
    // Parsed by the schema of the endpoint, whose type is not known while E is not.
    return outcome.data as Output<E>
  }

  /** Reads a record as it is stored, with all of its fields and digits. @throws ApiFailure */
  async readRecord<E extends Endpoint>(connection: string, endpoint: E, input: Input<E>): Promise<ReadRecord> {
    const { result, revision, origin } = gatewayReply.parse(await this.#send(requestOf(connection, endpoint, input)))
    return { record: result, revision, origin }
  }

  /** Reads what the console itself knows. @throws ApiFailure */
  async get<S extends z.ZodType>(schema: S, path: string, query?: Record<string, unknown>): Promise<z.output<S>> {
    return schema.parse(await this.#send({ method: 'GET', path, query }))
  }

  /** Asks the console for something that changes nothing, such as a plan. @throws ApiFailure */
  post(path: string, body: unknown): Promise<unknown> {
    return this.#send({ method: 'POST', path, body })
  }

  /** Asks for a change of a deployment. @throws ApiFailure: `sentForApproval` where it waits for a person */
  propose<E extends Endpoint>(
    connection: string,
    endpoint: E,
    input: Input<E>,
    { revision, ...proposal }: Proposal,
  ): Promise<unknown> {
    const sent = requestOf(connection, endpoint, input)
    const base: Record<string, string> = revision === undefined ? {} : { [baseRevisionHeader]: revision }
    return this.proposeBy({ ...sent, headers: base }, proposal)
  }

  /** Asks for a change through a route of the console. @throws ApiFailure */
  proposeBy(sent: Sent, { reason, removes = false }: Proposal): Promise<unknown> {
    const draft = encodeURIComponent(JSON.stringify({ reason }))
    return this.#send({ ...sent, headers: { ...sent.headers, [changeRequestHeader]: draft } }, removes)
  }

  async #send({ method, path, query, body, headers = {} }: Sent, removes = false): Promise<unknown> {
    const { raw, ip, proof, headers: own } = this.#request
    const response = await this.#app.inject({
      // Methods of endpoints.
      method: method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      url: path + queryString(query),
      remoteAddress: raw.socket.remoteAddress ?? ip,
      headers: {
        ...proof,
        ...(raw.socket.remoteAddress !== ip && { 'x-forwarded-for': ip }),
        host: own.host ?? '',
        [consoleHeader]: '1',
        // Agents leave half of the rate limit of a key to people.
        [priorityHeader]: 'background',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...agentHeaders({ ...this.#agent, removes }),
      },
      ...(body !== undefined && { payload: stringifyJson(body) }),
      signal: this.#signal,
    })
    const answer = parseJson(response.payload || 'null')
    if (response.statusCode < 400 && response.statusCode !== accepted) return answer
    const { data: error } = apiError.safeParse(answer)
    if (error) throw new ApiFailure(error)
    if (response.statusCode < 400) return answer
    throw failure('failed', 'The console could not do this.')
  }
}

/** The result of a read, or why the deployment does not offer it. */
export async function offered<T>(read: Promise<T>): Promise<T | ApiFailure> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiFailure && error.error.code === 'notOffered') return error
    throw error
  }
}

function requestOf<E extends Endpoint>(connection: string, endpoint: E, input: Input<E>): Sent {
  // Input<E> is a conditional type that TypeScript cannot open while E is unknown: these are its possible parts.
  const { params, query, body } = input as CallInput
  const path = fillPath(gatewayPath(endpoint), { ...params, connectionId: connection })
  return { method: endpoint.method, path, query, body }
}

function queryString(query: Record<string, unknown> = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value == null ? [] : [[name, String(value)]],
  )
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
}
