/**
 * Reads that the API of a deployment lacks, and that its MCP endpoint has a tool for, or the query endpoint of its
 * service. The API is preferred: only a deployment that has answered that it has no such route is asked there.
 */
import { sql } from '#contract/stack/sql.ts'
import type { Endpoint, Output } from '#contract/wire/kernel.ts'
import { ApiFailure, failure, failureSentence, refusal } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Operation } from '#node/upstream/operation.ts'
import { SharedReads } from '#node/upstream/sharedReads.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Claim } from '#node/upstream/waitingRequests.ts'
import type { Connections } from '../connections/connections.ts'
import { sqlReads } from './sqlReads.ts'
import { queryTarget, serviceSql, toolSql } from './sqlWays.ts'
import { ToolClient, type CallTool, type ReadApi, type ReadResult, toolOrigin, type ToolRead } from './toolClient.ts'
import { alerts } from '#contract/stack/alerts.ts'
import type { AlertEvaluation } from '#contract/stack/alertHistory.ts'
import { maxListedMetrics } from '#contract/stack/deploymentTools.ts'
import { sources, type MetricName } from '#contract/stack/sources.ts'

/** Milliseconds for which a route that a deployment lacks is not asked for again, where it has a tool instead. */
const missingFor = 3_600_000

/** Reads what the API lacks. */
type Replacement = (claim: Claim) => Promise<ReadResult>

export class ToolReads {
  readonly #client: ToolClient
  readonly #shared = new SharedReads<ReadResult>()
  /** The routes that deployments lack, and until when that is known, by `performance.now()`. */
  readonly #missing = new Map<string, { error: ApiFailure; until: number }>()
  readonly #deployments: Deployments
  readonly #connections: Pick<Connections, 'stageOf' | 'allowsSqlToReaders'>

  constructor(deployments: Deployments, connections: Pick<Connections, 'stageOf' | 'allowsSqlToReaders'>) {
    this.#deployments = deployments
    this.#connections = connections
    this.#client = new ToolClient(deployments)
  }

  /** Reads from the API, or else another way. @throws ApiFailure of the API if the deployment has neither */
  read(target: UpstreamTarget, operation: Operation): Promise<ReadResult> {
    return this.#readInstead(target, operation, undefined)
  }

  /** Runs a statement, with the tool on one of the deployment's connections to databases. @throws as `read` */
  runSql(target: UpstreamTarget, operation: Operation, databaseId: string | undefined): Promise<ReadResult> {
    return this.#readInstead(target, operation, databaseId)
  }

  async #readInstead(
    target: UpstreamTarget,
    operation: Operation,
    databaseId: string | undefined,
  ): Promise<ReadResult> {
    const replacement = this.#replacementOf(target, operation, databaseId)
    if (!replacement) return this.#deployments.read(target, operation)
    const place = databaseId ?? ''
    const route = routeOf(target, operation.endpoint)
    const known = this.#missing.get(route)
    if (known && known.until > performance.now())
      return this.#readOtherwise(target, operation, { replacement, place }, known.error)
    try {
      return await this.#deployments.read(target, operation)
    } catch (error) {
      if (!(error instanceof ApiFailure && this.#isMissing(error, target, operation))) throw error
      const result = await this.#readOtherwise(target, operation, { replacement, place }, error)
      this.#missing.set(route, { error, until: performance.now() + missingFor })
      return result
    }
  }

  /** The other way to read something; undefined if there is none. */
  #replacementOf(
    target: UpstreamTarget,
    operation: Operation,
    databaseId: string | undefined,
  ): Replacement | undefined {
    const sqlRead = sqlReads.get(operation.endpoint)
    const readApi: ReadApi = (api, params) => this.#readApi(target, operation, api, params)
    if (target.variant === 'managed') {
      return sqlRead && ((claim) => sqlRead(serviceSql(this.#deployments, target, claim), operation, readApi))
    }
    const callWith =
      (claim: Claim): CallTool =>
      (tool, input) =>
        this.#client.call(target, tool, input, claim)
    if (sqlRead) return (claim) => sqlRead(toolSql(callWith(claim)), operation, readApi, databaseId)
    const toolRead = replacements.get(operation.endpoint)
    return toolRead && ((claim) => toolRead(callWith(claim), operation, readApi))
  }

  async #readOtherwise(
    target: UpstreamTarget,
    operation: Operation,
    { replacement, place }: { replacement: Replacement; place: string },
    missing: ApiFailure,
  ): Promise<ReadResult> {
    this.#refuseSql(target, operation.endpoint)
    const { endpoint, path, query, body } = operation
    const key = JSON.stringify([
      target.connectionId,
      target.revision,
      endpoint.method,
      path,
      query?.toString(),
      body,
      place,
    ])
    const budget = this.#deployments.budgetOf(target.variant === 'managed' ? queryTarget(target) : target)
    try {
      return await this.#shared.read(key, operation, () => budget.pump(), replacement)
    } catch (error) {
      if (error instanceof ApiFailure && error.error.code === 'notOffered') {
        throw failure('notOffered', missing.error.message, { detail: failureSentence(error) })
      }
      throw error
    }
  }

  /** Reads what a replacement needs from the API, in its turn. @throws ApiFailure, also for a response of another form */
  async #readApi<E extends Endpoint>(
    target: UpstreamTarget,
    { priority, caller }: Operation,
    endpoint: E,
    params: Record<string, string>,
  ): Promise<Output<E>> {
    const path = upstreamPath(endpoint, target, params)
    const { result } = await this.#deployments.read(target, { endpoint, path, params, priority, caller })
    const read = endpoint.result.safeParse(result)
    if (!read.success) throw failure('malformedReply', 'The deployment’s response does not match the API.')
    // The schema is the one that Output names.
    return read.data as Output<E>
  }

  /**
   * Whether the API has no such route. A control plane may answer an unknown address like a missing record, such as the dashboard of
   * a tile: then the other routes of SQL decide.
   */
  #isMissing({ error: { code } }: ApiFailure, target: UpstreamTarget, { endpoint }: Operation): boolean {
    if (code === 'notOffered') return true
    if (target.variant !== 'managed' || code !== 'notFound') return false
    return endpoint !== sql.tile || [sql.tables, sql.run].some((other) => this.#missing.has(routeOf(target, other)))
  }

  /**
   * The tool reads all that the deployment's own user of the database may read, and a query endpoint what its role may. On
   * production, an administrator of the connection must have allowed SQL first.
   */
  #refuseSql({ connectionId, variant }: UpstreamTarget, { resource }: Endpoint): void {
    if (resource !== 'sql' || this.#connections.stageOf(connectionId) !== 'production') return
    if (this.#connections.allowsSqlToReaders(connectionId)) return
    throw refusal(
      403,
      `SQL through ${variant === 'managed' ? 'the query endpoint of the service' : 'the deployment’s MCP endpoint'} is off on production. Administrators of the connection can allow SQL in its settings.`,
    )
  }
}

const routeOf = ({ connectionId, revision }: UpstreamTarget, { path }: Endpoint): string =>
  JSON.stringify([connectionId, revision, path])

/** Windows that the tool returns at most. It looks back as many intervals of the alert and one more, however many were evaluated. */
const maxWindows = 20
const evaluationsOrigin = `${toolOrigin}, which returns the newest ${maxWindows} windows, none older than ${maxWindows + 1} intervals.`

/** Calls for the metrics of one source. */
const maxMetricCalls = 3

const readMetricNames: ToolRead = async (call, { params }) => {
  const sourceId = params?.['sourceId'] ?? ''
  const metrics: MetricName[] = []
  let cursor: string | undefined
  let isPartial = false
  for (let count = 0; count < maxMetricCalls; count++) {
    const page = await call('listMetrics', {
      sourceId,
      limit: maxListedMetrics,
      ...(cursor !== undefined && { cursor }),
    })
    metrics.push(...page.metrics.map(({ name, kind, unit }) => ({ name, type: kind, ...(unit && { unit }) })))
    isPartial ||= (page.partialFailure?.length ?? 0) > 0
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  const some = cursor !== undefined ? `the first ${metrics.length.toLocaleString('en')} metrics` : 'metrics'
  const failed = isPartial ? ' Some types could not be read.' : ''
  return { result: metrics, origin: `${toolOrigin}: ${some} with points in the last 24 hours.${failed}` }
}

const readEvaluations: ToolRead = async (call, { params, query }) => {
  const { history } = await call('getAlert', { id: params?.['alertId'] ?? '' })
  const time = (name: string) => Number(query?.get(name) ?? Number.NaN)
  const [start, end, before] = [time('startTime'), time('endTime'), time('before')]
  // A limit that is not given leaves all of them.
  const items = history.map(withoutMixedValues).filter(({ createdAt }) => {
    const at = Date.parse(createdAt)
    return !(at < start) && !(at > end) && !(at >= before)
  })
  const oldest = history.at(-1)
  const hasMore = history.length >= maxWindows && oldest !== undefined && !(Date.parse(oldest.createdAt) < start)
  return { result: { items, hasMore }, origin: evaluationsOrigin }
}

/** The tool puts the values of all groups into one list: which is whose is not known, so a window has none. */
function withoutMixedValues(evaluation: AlertEvaluation): AlertEvaluation {
  const starts = evaluation.lastValues.map(({ startTime }) => startTime)
  return new Set(starts).size === starts.length ? evaluation : { ...evaluation, lastValues: [] }
}

/** How the tools of a deployment take the place of reads that its API lacks, except SQL. */
const replacements: ReadonlyMap<Endpoint, ToolRead> = new Map<Endpoint, ToolRead>([
  [sources.metricNames, readMetricNames],
  [alerts.evaluations, readEvaluations],
])
