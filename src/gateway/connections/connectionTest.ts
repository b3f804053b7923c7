/** Tests a connection: one cheap request for each resource, and a summary of the results. */
import type { z } from 'zod'
import type { capability, ConnectionTest } from '#contract/console/connections.ts'
import { api } from '#contract/index.ts'
import { fillPath, pathTemplate, type Endpoint } from '#contract/wire/kernel.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { scrub, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'

type Capability = z.infer<typeof capability>

interface Probe {
  endpoint: Endpoint
  query?: URLSearchParams
  body?: string
}

/** Paged lists are read with one row. A deployment that has chart queries responds to an empty one with an error. */
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

/** Errors after which further requests show nothing new. */
const fatal: readonly string[] = ['unreachable', 'timeout', 'blocked', 'keyRejected', 'malformedReply', 'rateLimited']

export async function testConnection(
  deployments: Deployments,
  target: UpstreamTarget,
  signal?: AbortSignal,
): Promise<ConnectionTest> {
  const available = probes.filter(({ endpoint }) => pathTemplate(endpoint, target.variant, target.names) !== null)
  const [first, ...others] = available
  if (!first) throw new Error('every variant has endpoints')
  const startedAt = performance.now()
  const opening = await probe(deployments, target, first, signal)
  const latency = Math.round(performance.now() - startedAt)
  if (opening instanceof ApiFailure && fatal.includes(opening.error.code)) {
    return { ok: false, message: messageFor(opening, target), capabilities: [] }
  }
  const rest = await Promise.all(others.map((other) => probe(deployments, target, other, signal)))
  const answers = available.map(({ endpoint }, at) => ({ endpoint, answer: at === 0 ? opening : rest[at - 1]! }))
  const capabilities = answers.map(({ endpoint, answer }) => capabilityOf(endpoint, answer))
  const wrong = wrongIdentity(answers, target) ?? wrongEverywhere(answers, target)
  return { ok: wrong === null, latency, message: wrong ?? summaryOf(capabilities, latency), capabilities }
}

async function probe(
  deployments: Deployments,
  target: UpstreamTarget,
  { endpoint, query, body }: Probe,
  signal: AbortSignal | undefined,
): Promise<UpstreamResult | ApiFailure> {
  const template = pathTemplate(endpoint, target.variant, target.names) ?? ''
  const path = fillPath(template, { organizationId: target.organizationId, serviceId: target.serviceId })
  try {
    return await deployments.read(target, { endpoint, path, query, body, priority: 'user', signal })
  } catch (error) {
    if (error instanceof ApiFailure) return error
    throw error
  }
}

function capabilityOf({ resource, method }: Endpoint, answer: UpstreamResult | ApiFailure): Capability {
  if (!(answer instanceof ApiFailure)) return { resource, state: 'offered' }
  const { code, message } = answer.error
  if (code === 'notOffered') return { resource, state: 'notOffered', detail: message }
  // The deployment validated the empty query, so it has the route.
  if (code === 'invalid' && method === 'POST') return { resource, state: 'offered' }
  const refused = code === 'forbidden' || code === 'keyRejected'
  return { resource, state: refused ? 'refused' : 'failed', detail: message }
}

type Answers = { endpoint: Endpoint; answer: UpstreamResult | ApiFailure }[]

/** Checks both ids: a key belongs to one organization, and the organization lists its services. */
function wrongIdentity(answers: Answers, target: UpstreamTarget): string | null {
  const ids = (endpoint: Endpoint) => idsOf(answers.find((probed) => probed.endpoint === endpoint)?.answer)
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

function idsOf(answer: UpstreamResult | ApiFailure | undefined): string[] {
  if (!answer || answer instanceof ApiFailure || !Array.isArray(answer.result)) return []
  return answer.result.flatMap((item: unknown) =>
    item !== null && typeof item === 'object' && 'id' in item && typeof item.id === 'string' ? [item.id] : [],
  )
}

/** The reason why no resource of the stack could be read; null if one could. */
function wrongEverywhere(answers: Answers, target: UpstreamTarget): string | null {
  const stack = answers.filter(({ endpoint }) => endpoint.scope === 'stack')
  const errors = stack.flatMap(({ answer }) => (answer instanceof ApiFailure ? [answer] : []))
  const offered = stack.some(({ endpoint, answer }) => capabilityOf(endpoint, answer).state === 'offered')
  if (offered || !errors[0]) return null
  if (errors.every(({ error }) => error.code === 'notOffered')) {
    return target.variant === 'managed'
      ? 'The key works, but the service has no stack. Check the service ID and the API naming.'
      : 'A server responds, but it is not this API. Check the base address, which ends before /api/v2.'
  }
  return messageFor(errors[0], target)
}

function messageFor({ error }: ApiFailure, target: UpstreamTarget): string {
  if (error.code !== 'keyRejected' || target.authorization) return scrub(target, error.message)
  return 'The deployment requires a key, and this connection has no key.'
}

function summaryOf(capabilities: Capability[], latency: number): string {
  const names = (state: Capability['state']) =>
    capabilities.filter((capability) => capability.state === state).map(({ resource }) => resource)
  const parts = [`The deployment responded in ${latency} ms and offers ${names('offered').join(', ')}.`]
  if (names('notOffered').length > 0) parts.push(`Not offered: ${names('notOffered').join(', ')}.`)
  if (names('refused').length > 0) parts.push(`The key is not allowed to read ${names('refused').join(', ')}.`)
  if (names('failed').length > 0) parts.push(`Failed: ${names('failed').join(', ')}.`)
  return parts.join(' ')
}
