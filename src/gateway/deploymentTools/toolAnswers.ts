/** The answers of MCP endpoints: greeting, tools, results, and errors in the form of the gateway. */
import { z } from 'zod'
import { toolKeys, toolName, type ToolKey } from '#contract/stack/deploymentTools.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { failure, type ApiFailure } from '#node/upstream/apiFailure.ts'
import { secondsToWait } from '#node/upstream/rateHeaders.ts'
import type { RawReply } from '#node/upstream/upstream.ts'
import { scrub, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { parsedOrUndefined, rpcOutcome, type RpcOutcome } from './jsonRpc.ts'

/** Characters of what a deployment says in an error. */
const maxSaid = 500

/** A header of a request of ours has no other characters. */
const versionText = z.string().regex(/^[\w.-]{1,32}$/)
export const initialized = z.looseObject({ protocolVersion: versionText })
export const toolList = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  nextCursor: z.string().max(2_000).optional(),
})
const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  isError: z.boolean().optional(),
})

/** Visible characters, as the protocol has it: it is sent back in a header. */
export function sessionIdOf({ headers }: RawReply): string | undefined {
  const id = headers['mcp-session-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,500}$/.test(id) ? id : undefined
}

/** Tools by the names of the connection, or else by those of another profile: nothing else on this variant depends on it. */
export function usableTools(names: ReadonlySet<string>, target: UpstreamTarget): ReadonlyMap<ToolKey, string> {
  for (const profile of [target.names, ...Object.values(namingProfiles)]) {
    const found = toolKeys.map((key) => [key, toolName(key, profile)] as const).filter(([, name]) => names.has(name))
    if (found.length > 0) return new Map(found)
  }
  return new Map()
}

/** @throws ApiFailure for a status or a body that is no response */
export function outcomeOf(reply: RawReply, id: number, target: UpstreamTarget): RpcOutcome {
  const outcome = reply.status < 300 ? rpcOutcome(reply, id) : null
  if (!outcome) throw refused(reply, target)
  if (outcome.error) throw toolFailure(outcome.error.message, target)
  return outcome
}

function refused({ status, headers, text }: RawReply, target: UpstreamTarget): ApiFailure {
  const where = 'The deployment’s MCP endpoint'
  const isText = !/^\s*</.test(text)
  const detail = isText && text !== '' ? { detail: scrub(target, text).slice(0, maxSaid) } : {}
  if (status === 401) return failure('keyRejected', `${where} rejected the key.`)
  if (status === 403) return failure('forbidden', `${where} refused the request.`, { status, ...detail })
  if (status === 429) {
    const message = `${where} received too many requests with this key.`
    return failure('rateLimited', message, { status, ...secondsToWait(headers) })
  }
  if (status >= 500 && status !== 501) return failure('upstreamFailed', `${where} failed (${status}).`, { status })
  // A missing route, a redirect, a web page.
  return failure('notOffered', 'The deployment has no MCP endpoint.', { status: 404 })
}

/** An error that a tool or its server puts into words, without its advice to agents. */
function toolFailure(text: string, target: UpstreamTarget): ApiFailure {
  const [sentence = ''] = scrub(target, text).split('\nHINT:', 1)
  return failure('invalid', sentence.trim().slice(0, maxSaid) || 'The tool of the deployment failed.')
}

/** An answer that is none of the protocol, or of its tool. */
export const unexpected = () =>
  failure('malformedReply', 'The deployment’s MCP endpoint answered with something that the console does not know.')

/** The value in the text of a result. @throws ApiFailure if the tool reports an error */
export function textOf({ result }: RpcOutcome, target: UpstreamTarget): unknown {
  const { data } = toolResult.safeParse(result)
  if (!data) throw unexpected()
  const text = data.content.find((part) => part.type === 'text' && part.text !== undefined)?.text ?? ''
  if (data.isError) throw toolFailure(text, target)
  return parsedOrUndefined(text)
}
