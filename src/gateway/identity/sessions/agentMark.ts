/**
 * The mark of the requests that the gateway sends to itself for an agent. Such a request has the role, the rate limit and the
 * entry in the audit log of the token that it is sent with, and what it changes waits for approval. Nobody else can set the
 * mark: it has a secret of this process.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Agent } from '#contract/console/agents.ts'

const header = 'x-console-agent'
const secret = randomBytes(32)
const schema: z.ZodType<Agent> = z.object({ name: z.string(), tool: z.string(), removes: z.boolean() })

export function agentHeaders(agent: Agent): Record<string, string> {
  const text = Buffer.from(JSON.stringify(agent)).toString('base64url')
  return { [header]: `${secret.toString('base64url')}.${text}` }
}

/** The agent for which a request is sent; null for all other requests. */
export function agentIn(headers: IncomingHttpHeaders): Agent | null {
  const [sent = '', text = ''] = String(headers[header] ?? '').split('.')
  const bytes = Buffer.from(sent, 'base64url')
  if (bytes.length !== secret.length || !timingSafeEqual(bytes, secret)) return null
  return schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
}
