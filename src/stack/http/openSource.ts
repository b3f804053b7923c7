/** The open-source variant, `/api/v2`: docs/DEPLOYMENTS.md#requests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '#contract/wire/kernel.ts'
import { besideItems, jsonOf, registerVariantRoutes, type VariantRoutes, type VariantOptions } from './variantRoutes.ts'
import { InvalidInput, Refusal, type InvalidPart } from '../refusal.ts'
import { answerUnknownRoute, failureOf } from './httpErrors.ts'
import { isObjectId } from '../ids.ts'
import { limitRate } from './rateLimit.ts'
import { memberWithKey } from '../team/members.ts'

const plainText = 'text/plain; charset=utf-8'

const variant: VariantRoutes = {
  variant: 'openSource',

  checkParams: ({ params }) =>
    Object.values(params)
      .filter((id) => !isObjectId(id))
      .map((id) => ({ path: 'id', message: 'Invalid ObjectId', input: id })),

  authorize: () => null,

  readBody: ({ request }) => request.body,

  answer({ endpoint, reply }, result) {
    reply.type('application/json; charset=utf-8')
    if (result === undefined) return '{}'
    if (endpoint.bare.includes('openSource')) return jsonOf(result)
    if (endpoint.continued) return JSON.stringify(besideItems(result, 'data'))
    if (!endpoint.paged) return `{"data":${jsonOf(result)}}`
    const { items, ...meta } = result as Page<unknown> // what handlers of paged endpoints return
    reply.header('x-total-count', meta.total)
    return `{"data":${jsonOf(items)},"meta":${JSON.stringify(meta)}}`
  },
}

/** Registers everything under `/api/v2`. */
export async function openSourceRoutes(app: FastifyInstance, options: VariantOptions): Promise<void> {
  const { store } = options.parts
  app.setErrorHandler(answerError)
  await limitRate(app, {
    requests: options.rateLimit,
    seconds: 60,
    keyOf: bearerOf,
    headers: 'ratelimit',
    message: 'Too many requests, please try again later.',
  })
  app.addHook('onRequest', async (request, reply) => {
    request.member = (await memberWithKey(store, bearerOf(request))) ?? null
    return request.member ? undefined : reply.code(401).type(plainText).send('Unauthorized')
  })
  registerVariantRoutes(app, variant, options)
  // A preflight request while no origin is allowed needs a key like any other request.
  app.options('/api/v2/*', answerUnknownRoute)
}

/** The key of `Authorization: Bearer <key>` (case-sensitive), or an empty text. */
function bearerOf(request: FastifyRequest): string {
  const { authorization = '' } = request.headers
  return authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length).trim() : ''
}

/** Resources with "Not Found" in plain text, and those with the message in `error`: docs/DEPLOYMENTS.md#errors. */
const plainNotFound: readonly (string | undefined)[] = ['dashboards', 'dataConnections', 'team']
const errorKey: readonly (string | undefined)[] = ['charts']

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const resource = request.routeOptions.config.endpoint?.resource
  if (error instanceof InvalidInput) {
    const body = resource === 'team' ? error.parts.map(issueList) : { message: error.parts.map(describe).join('; ') }
    return reply.code(400).send(body)
  }
  const { status, message } = failureOf(error, request)
  reply.code(status)
  if (error instanceof Refusal && error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  if (status === 429) {
    // Clients of the control plane only know this header.
    const seconds = reply.getHeader('retry-after')
    if (seconds !== undefined) reply.header('x-ratelimit-reset', seconds)
    return reply.type('text/html; charset=utf-8').send(message)
  }
  if (status === 404 && plainNotFound.includes(resource)) return reply.type(plainText).send('Not Found')
  if (status !== 400 && errorKey.includes(resource)) return reply.send({ error: message })
  return reply.send({ message })
}

/** The error format of the routes of teams: docs/DEPLOYMENTS.md#errors. */
function issueList({ part, issues }: InvalidPart): object {
  const zodIssues = issues.map(({ path, message }) => ({ code: 'custom', path: path ? path.split('.') : [], message }))
  return { type: part, errors: { issues: zodIssues, name: 'ZodError' } }
}

function describe({ part, issues }: InvalidPart): string {
  const messages = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return `${part} validation failed: ${messages.join('; ')}`
}
