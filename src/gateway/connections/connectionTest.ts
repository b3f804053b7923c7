/** Asks a deployment for each feature, one cheap request each, and says in one sentence what was found. */
import type { z } from 'zod'
import type { capability, ConnectionTest } from '#contract/connections.ts'
import { api } from '#contract/index.ts'
import { fillPath, pathTemplate, type Endpoint } from '#contract/kernel.ts'
import type { Answer } from '../upstream/upstreamReply.ts'
import type { Deployments } from '../upstream/deployments.ts'
import { GatewayError } from '../http/errors.ts'
import { scrub, type Target } from '../upstream/upstreamTarget.ts'

type Capability = z.infer<typeof capability>

interface Probe {
  endpoint: Endpoint
  query?: URLSearchParams
  body?: string
}

/** One row is enough where the list comes in pages; an empty chart query is refused by those who know the route. */
const probes: Probe[] = [
  api.organizations.list,
  api.services.list,
  api.alerts.list,
  api.dashboards.list,
  api.sources.list,
  api.webhooks.list,
  api.charts.query,
  api.pipes.list,
].map((endpoint: Endpoint) => ({
  endpoint,
  ...(endpoint.paged ? { query: new URLSearchParams({ limit: '1' }) } : {}),
  ...(endpoint.method === 'POST' ? { body: '{}' } : {}),
}))

/** Errors after which asking for more tells nothing. */
const fatal: readonly string[] = ['unreachable', 'timeout', 'blocked', 'keyRejected', 'malformedReply', 'rateLimited']

export async function testConnection(
  deployments: Deployments,
  target: Target,
  signal?: AbortSignal,
): Promise<ConnectionTest> {
  const asked = probes.filter(({ endpoint }) => pathTemplate(endpoint, target.variant, target.names) !== null)
  const [first, ...others] = asked
  if (!first) throw new Error('every variant offers something')
  const startedAt = performance.now()
  const opening = await probe(deployments, target, first, signal)
  const latency = Math.round(performance.now() - startedAt)
  if (opening instanceof GatewayError && fatal.includes(opening.error.code)) {
    return { ok: false, message: wordsFor(opening, target), capabilities: [] }
  }
  const rest = await Promise.all(others.map((other) => probe(deployments, target, other, signal)))
  const answers = asked.map(({ endpoint }, at) => ({ endpoint, answer: at === 0 ? opening : rest[at - 1]! }))
  const capabilities = answers.map(({ endpoint, answer }) => capabilityOf(endpoint, answer))
  const wrong = wrongIdentity(answers, target) ?? wrongEverywhere(answers, target)
  return { ok: wrong === null, latency, message: wrong ?? found(capabilities, latency), capabilities }
}

async function probe(
  deployments: Deployments,
  target: Target,
  { endpoint, query, body }: Probe,
  signal: AbortSignal | undefined,
): Promise<Answer | GatewayError> {
  const template = pathTemplate(endpoint, target.variant, target.names) ?? ''
  const path = fillPath(template, { organizationId: target.organizationId, serviceId: target.serviceId })
  try {
    return await deployments.read(target, { endpoint, path, query, body, priority: 'user', signal })
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

function capabilityOf({ resource, method }: Endpoint, answer: Answer | GatewayError): Capability {
  if (!(answer instanceof GatewayError)) return { resource, state: 'offered' }
  const { code, message } = answer.error
  if (code === 'notOffered') return { resource, state: 'notOffered', detail: message }
  // The empty query was read and found wanting: the route is there.
  if (code === 'invalid' && method === 'POST') return { resource, state: 'offered' }
  const refused = code === 'forbidden' || code === 'keyRejected'
  return { resource, state: refused ? 'refused' : 'failed', detail: message }
}

type Answers = { endpoint: Endpoint; answer: Answer | GatewayError }[]

/** A key sees one organization, and the organization lists its services: both ids can be told right or wrong. */
function wrongIdentity(answers: Answers, target: Target): string | null {
  const ids = (endpoint: Endpoint) => idsOf(answers.find((asked) => asked.endpoint === endpoint)?.answer)
  const organizations = ids(api.organizations.list)
  if (organizations.length > 0 && !organizations.includes(target.organizationId ?? '')) {
    return `The key belongs to organization ${organizations.join(', ')}, not to ${target.organizationId}.`
  }
  const services = ids(api.services.list)
  if (services.length > 0 && !services.includes(target.serviceId ?? '')) {
    return `The organization has no service ${target.serviceId}; it has ${services.slice(0, 5).join(', ')}.`
  }
  return null
}

function idsOf(answer: Answer | GatewayError | undefined): string[] {
  if (!answer || answer instanceof GatewayError || !Array.isArray(answer.result)) return []
  return answer.result.flatMap((item: unknown) =>
    item !== null && typeof item === 'object' && 'id' in item && typeof item.id === 'string' ? [item.id] : [],
  )
}

/** Not one resource of the stack answers: something is wrong with the whole. */
function wrongEverywhere(answers: Answers, target: Target): string | null {
  const stack = answers.filter(({ endpoint }) => endpoint.scope === 'stack')
  const errors = stack.flatMap(({ answer }) => (answer instanceof GatewayError ? [answer] : []))
  const offered = stack.some(({ endpoint, answer }) => capabilityOf(endpoint, answer).state === 'offered')
  if (offered || !errors[0]) return null
  if (errors.every(({ error }) => error.code === 'notOffered')) {
    return target.variant === 'managed'
      ? 'The key works, but the stack is not found there: check the service id and the wire names.'
      : 'A server answers, but not with this API: check the base address, which ends before /api/v2.'
  }
  return wordsFor(errors[0], target)
}

function wordsFor({ error }: GatewayError, target: Target): string {
  if (error.code !== 'keyRejected' || target.authorization) return scrub(target, error.message)
  return 'The deployment answers, but wants a key: none is stored for this connection.'
}

function found(capabilities: Capability[], latency: number): string {
  const names = (state: Capability['state']) =>
    capabilities.filter((capability) => capability.state === state).map(({ resource }) => resource)
  const parts = [`The deployment answered in ${latency} ms and offers ${names('offered').join(', ')}.`]
  if (names('notOffered').length > 0) parts.push(`Not offered: ${names('notOffered').join(', ')}.`)
  if (names('refused').length > 0) parts.push(`The key may not read ${names('refused').join(', ')}.`)
  if (names('failed').length > 0) parts.push(`Failed: ${names('failed').join(', ')}.`)
  return parts.join(' ')
}
