/** Helpers of all routes: validation, and a signal for clients that disconnect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Agent } from '#contract/console/agents.ts'
import { failure } from '#node/upstream/apiFailure.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the person or token that sends it; empty without accounts. */
    actor: string
    /** The headers that show who it is, for requests that the gateway sends to itself. */
    proof: Readonly<Record<string, string>> | null
    /** The agent that the gateway sends it for. */
    agent: Agent | null
  }
}

/** Fields that an error names at most, and the longest text of each, characters: paths have keys that clients choose. */
const maxFields = 200
const maxText = 1000

/** A path of the contract as a route has it: `/api/runs/{runId}` becomes `/api/runs/:runId`. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Validates a value. @throws `invalid`, with the fields that are wrong */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const outcome = schema.safeParse(value)
  if (outcome.success) return outcome.data
  const fields = outcome.error.issues
    .slice(0, maxFields)
    .map(({ path, message }) => ({ path: path.join('.').slice(0, maxText), message: message.slice(0, maxText) }))
  const first = fields[0]
  const where = first?.path ? `${first.path}: ${first.message}` : first?.message
  throw failure('invalid', `${what} is not valid: ${where}`, { fields: fields.filter(({ path }) => path !== '') })
}

/** Fires when the browser disconnects before it has its response. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new DOMException('The browser disconnected.', 'AbortError'))
  })
  return gone.signal
}

/** Who sends a request: the person, or the browser of somebody without an account, as it names itself. */
export function actorOf({ actor, headers }: FastifyRequest): string {
  if (actor) return actor
  const agent = (headers['user-agent'] ?? 'unknown').slice(0, 300)
  // A name in place of a browser must not pass for the person of that name.
  return /^[\w.+-]+\/\d/.test(agent) ? agent : `unknown browser "${agent.slice(0, 100)}"`
}
