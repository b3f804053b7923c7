/**
 * Ways to run SQL on a deployment whose API has no route for it: the tool of its MCP endpoint, or the query endpoint of a
 * managed service.
 */
import { z } from 'zod'
import { queryAddress } from '#contract/cloud/services/serviceEndpoints.ts'
import { sqlRows, type SqlRows } from '#contract/stack/deploymentTools.ts'
import { maxSqlRows } from '#contract/stack/sql.ts'
import { failure, type ApiFailure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { secondsToWait } from '#node/upstream/rateHeaders.ts'
import type { RawReply } from '#node/upstream/upstream.ts'
import { scrub, type UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Claim } from '#node/upstream/waitingRequests.ts'
import { parsedOrUndefined } from './jsonRpc.ts'
import { toolOrigin, type CallTool } from './toolClient.ts'
import { isZone, timeOfClock } from '#domain/time/zone.ts'

export interface SqlWay {
  /** The start of the sentence that says where results come from. */
  origin: string
  /** The rest of that sentence: what it does to large results. */
  cuts: string
  /** Rows that it returns at most. */
  maxRows: number
  /** @param databaseId the deployment's connection to a database, where there are several */
  run(statement: string, databaseId?: string): Promise<SqlRows>
}

/** Texts for integers of 64 bits, infinities and NaN, and times in UTC, as in the results of the stack. */
const settings =
  "SETTINGS output_format_json_quote_64bit_integers = 1, output_format_json_quote_denormals = 1, date_time_output_format = 'iso'"

/** The tool of a deployment's MCP endpoint. */
export function toolSql(call: CallTool): SqlWay {
  return {
    origin: toolOrigin,
    cuts: ', which leaves out rows of results that have more than 50,000 characters',
    maxRows: maxSqlRows + 1,
    run: async (statement, databaseId) => {
      const connectionId = databaseId ?? (await mostUsedDatabase(call))
      return (await call('sql', { connectionId, sql: `${statement}\n${settings}` })).result
    },
  }
}

/** The database that most sources read from. */
async function mostUsedDatabase(call: CallTool): Promise<string> {
  const { sources, connections } = await call('listSources', {})
  const uses = (id: string) => sources.filter(({ connectionId }) => connectionId === id).length
  const [most] = connections.toSorted((a, b) => uses(b.id) - uses(a.id))
  if (!most) throw failure('invalid', 'The deployment has no connection to a database.')
  return most.id
}

/** The query endpoint has an address of its own, and with it a rate limit of its own. */
export const queryTarget = (target: UpstreamTarget): UpstreamTarget => ({
  ...target,
  baseUrl: queryAddress(target.baseUrl),
})

/**
 * The query endpoint of the service of a managed connection, with the rights that the endpoint has. It takes no settings: one whose
 * role may only read refuses them. A result with times of no named zone takes a second request, for the zone of the server.
 */
export function serviceSql(deployments: Pick<Deployments, 'post'>, managed: UpstreamTarget, claim: Claim): SqlWay {
  const target = queryTarget(managed)
  const path = `/service/${encodeURIComponent(managed.serviceId ?? '')}/run`
  const query = new URLSearchParams({ format: 'JSON' })
  const headers = { 'x-service-type': 'clickhouse', 'auth-provider': 'custom' }
  const send = async (statement: string): Promise<SqlRows> => {
    const body = JSON.stringify({ sql: statement })
    const reply = await deployments.post(target, { path, query, body, headers }, claim)
    // 206: the service does not run.
    if (reply.status !== 200) throw refused(reply, target)
    const { data } = sqlRows.safeParse(parsedOrUndefined(reply.text))
    if (data) return data
    throw failure('malformedReply', 'The query endpoint answered with something that the console does not know.')
  }
  return {
    origin: 'From the query endpoint of the service',
    cuts: '',
    maxRows: maxSqlRows,
    run: async (statement) =>
      withIsoTimes(await send(statement), async () => {
        const [row] = (await send('SELECT timezone() AS zone')).data
        return String(row?.['zone'])
      }),
  }
}

/** Characters of what an endpoint says in an error. */
const maxSaid = 500
const message = z.looseObject({ message: z.string().optional(), error: z.string().optional() })

const advice = 'Turn it on for the API key of this connection: Services, the service, Query endpoint.'

function refused({ status, headers, text }: RawReply, target: UpstreamTarget): ApiFailure {
  const { data } = message.safeParse(isPage(text) ? {} : parsedOrUndefined(text))
  const said = scrub(target, data?.error ?? data?.message ?? (isPage(text) ? '' : text)).slice(0, maxSaid)
  const detail = said === '' ? {} : { detail: said }
  switch (status) {
    case 206:
      return failure('invalid', 'The service does not run. Start it to run SQL.', detail)
    case 400:
    case 422:
      return failure('invalid', said || 'The query endpoint refused the statement.')
    case 401:
      return failure('keyRejected', 'The query endpoint of the service rejected the key.', detail)
    case 403:
      return failure('notOffered', `The query endpoint of the service refuses this key. ${advice}`, detail)
    case 404:
    case 405:
      return failure('notOffered', `The query endpoint of the service is off. ${advice}`, detail)
    case 429:
      return failure('rateLimited', 'The query endpoint received too many requests with this key.', {
        status,
        ...secondsToWait(headers),
      })
    default:
      return failure('upstreamFailed', `The query endpoint of the service failed (${status}).`, { status, ...detail })
  }
}

const isPage = (text: string): boolean => /^\s*</.test(text)

/** Times in the results of a query endpoint, which the engine writes by the clock of a time zone. */
const simple = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?$/

/**
 * The result with times in UTC, as `2026-11-30T12:00:00Z`, like the results of the stack. Times in arrays and tuples stay as they are.
 * @param serverZone reads the time zone of the server, that of columns whose type names none
 * @throws ApiFailure `invalid` for times of a zone that is not in the IANA database
 */
async function withIsoTimes(result: SqlRows, serverZone: () => Promise<string>): Promise<SqlRows> {
  const zones = new Map<string, string>()
  for (const { name, type } of result.meta ?? []) {
    const zone = zoneOfType(type)
    if (zone === undefined || !result.data.some((row) => isSimple(row[name]))) continue
    zones.set(name, zone ?? (await serverZone()))
  }
  if (zones.size === 0) return result
  for (const [name, zone] of zones) {
    if (!isZone(zone))
      throw failure('invalid', `${name}: times of the zone ${zone} cannot be read. Use toTimeZone(${name}, 'UTC')`)
  }
  const data = result.data.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const zone = zones.get(name)
        return [name, zone === undefined ? value : isoTime(value, zone)]
      }),
    ),
  )
  return { ...result, data }
}

/** The zone that a type with times names; null for that of the server, undefined for a type without times. */
function zoneOfType(type: string): string | null | undefined {
  const match = /^(?:Nullable\(|LowCardinality\()*DateTime(?:64)?\b(?:\([^')]*(?:'([^']*)')?\))?/.exec(type)
  return match ? (match[1] ?? null) : undefined
}

const isSimple = (value: unknown): value is string => typeof value === 'string' && simple.test(value)

function isoTime(value: unknown, zone: string): unknown {
  const [, day, clock, fraction = ''] = isSimple(value) ? (simple.exec(value) ?? []) : []
  if (day === undefined || clock === undefined) return value
  const time = timeOfClock(Date.parse(`${day}T${clock}Z`), zone)
  return `${new Date(time).toISOString().slice(0, -'.000Z'.length)}${fraction}Z`
}
