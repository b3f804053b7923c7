/**
 * The query endpoint of a service: `POST /service/{serviceId}/run`, which clients of the cloud call on a host of its own. A key must be
 * bound to the endpoint, and reads the databases of the service; that of the stack's service is that of telemetry too.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import type { Caller } from '../access/caller.ts'
import { serviceNow } from '../documents/serviceRows.ts'
import { isUuid } from '../ids.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { StackDependencies } from '../resources/context.ts'
import { runRefusalOf } from '../resources/sql/sql.ts'
import { readableDatabases, SourceTableError, type ReadableDatabases } from '../telemetry/readableTables.ts'
import { formatNames, formatRows, isResultFormat } from '../telemetry/sql/resultFormats.ts'
import { runStatement } from '../telemetry/sql/runStatement.ts'
import { withDeadline } from './deadlines/withDeadline.ts'

interface QueryEndpointOptions {
  parts: StackDependencies
  /** Milliseconds that a statement may take, with its wait. */
  timeout: number
  /** @throws Refusal 401 without a key */
  callerOf(request: FastifyRequest): Caller
}

const params = z.object({ serviceId: z.string().refine(isUuid) })
const query = z.object({ format: z.string().default('TabSeparated') })
const body = z.looseObject({ sql: z.string().min(1).max(100_000), database: z.string().optional() })

const maxRows = 10_000
/** The answer is not what was asked for: the client has to do something first. */
const partial = 206

/** Registers the endpoint, in a plugin of its own: its clients send JSON as plain text. */
export async function queryEndpointRoutes(app: FastifyInstance, options: QueryEndpointOptions): Promise<void> {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('text/plain', { parseAs: 'string' }, (request, text, done) => {
    void parse(request, text, done)
  })
  app.post('/service/:serviceId/run', async (request, reply) => runSavedQuery(options, request, reply))
}

async function runSavedQuery(
  { parts, timeout, callerOf }: QueryEndpointOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { id: key } = callerOf(request).key
  const serviceId = params.safeParse(request.params).data?.serviceId.toLowerCase()
  const input = body.safeParse(request.body)
  const { format = '' } = query.safeParse(request.query).data ?? {}
  if (serviceId === undefined) throw refuse('the ID of a service is a UUID')
  const service = await serviceNow(parts.store, serviceId)
  if (!service.internal?.queryEndpoint) throw new Refusal(404, 'the query endpoint is off')
  if (!service.internal.queryEndpoint.openApiKeys?.includes(key)) {
    throw new Refusal(403, 'This API key is not bound to the query endpoint')
  }
  if (!input.success) throw refuse('the body needs sql, a text')
  if (!isResultFormat(format)) throw refuse(`the format must be one of ${formatNames.join(', ')}`)
  if (!['', 'default'].includes(input.data.database ?? '')) throw refuse('name the database before each table instead')
  if (service.state === 'stopped') return reply.code(partial).send({ message: 'Service is stopped' })
  if (service.state === 'idle' && request.headers['wake-service'] !== 'true') {
    return reply.code(partial).send({ message: 'Confirm wake service' })
  }
  const { engine, schedule } = parts
  if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
  const over = schedule?.engineFor({ kind: 'program', key }, engine) ?? engine
  const statement = { statement: input.data.sql, maxRows }
  const result = await withDeadline(reply, { timeout, mutates: false }, (signal) =>
    runStatement(over, statement, databasesOf(parts, serviceId), signal).catch((error: unknown) => {
      throw runRefusalOf(error)
    }),
  )
  if (result.isTruncated) throw refuse(`the result has more than ${maxRows} rows: use LIMIT`)
  return reply.type('text/plain; charset=utf-8').send(formatRows(result, format))
}

function databasesOf({ engine, identity }: StackDependencies, serviceId: string): ReadableDatabases {
  const own = readableDatabases({ engine, services: [databaseOf(serviceId, 'default')], named: [] })
  if (serviceId === identity.serviceId) return own
  return {
    needsDatabase: true,
    resolve(name) {
      const database = own.resolve(name)
      if (database !== engine?.database) return database
      throw new SourceTableError('database', `"${name}" is not a database of this service`)
    },
  }
}
