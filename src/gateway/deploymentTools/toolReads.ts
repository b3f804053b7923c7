/**
 * Reads that the API of a deployment lacks, and that its MCP endpoint has a tool for. What the API has is preferred: only
 * a deployment that has answered that it has no such route is asked for its tools.
 */
import type { Endpoint, Output } from '#contract/wire/kernel.ts'
import { ApiFailure, failure, failureSentence, refusal } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Operation } from '#node/upstream/operation.ts'
import { SharedReads } from '#node/upstream/sharedReads.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../connections/connections.ts'
import { replacements } from './replacements.ts'
import { runSqlOn } from './sqlReads.ts'
import { ToolClient, type ReadResult, type ToolRead } from './toolClient.ts'

/** Milliseconds for which a route that a deployment lacks is not asked for again, where it has a tool instead. */
const missingFor = 3_600_000

export class ToolReads {
  private readonly client: ToolClient
  private readonly shared = new SharedReads<ReadResult>()
  /** The routes that deployments lack, and until when that is known, by `performance.now()`. */
  private readonly missing = new Map<string, { error: ApiFailure; until: number }>()

  constructor(
    private readonly deployments: Deployments,
    private readonly connections: Pick<Connections, 'stageOf' | 'allowsSqlToReaders'>,
  ) {
    this.client = new ToolClient(deployments)
  }

  /** Reads from the API, or else with a tool. @throws ApiFailure of the API if the deployment has neither */
  read(target: UpstreamTarget, operation: Operation): Promise<ReadResult> {
    return this.readInstead(target, operation, replacements.get(operation.endpoint), '')
  }

  /** Runs a statement, with the tool on one of the deployment's connections to databases. @throws as `read` */
  runSql(target: UpstreamTarget, operation: Operation, databaseId: string | undefined): Promise<ReadResult> {
    return this.readInstead(target, operation, runSqlOn(databaseId), databaseId ?? '')
  }

  /** @param place where the tool reads, if not in the same place for everybody */
  private async readInstead(
    target: UpstreamTarget,
    operation: Operation,
    replacement: ToolRead | undefined,
    place: string,
  ): Promise<ReadResult> {
    if (!replacement || target.variant !== 'openSource') return this.deployments.read(target, operation)
    const route = JSON.stringify([target.connectionId, target.revision, operation.endpoint.path])
    const known = this.missing.get(route)
    if (known && known.until > performance.now())
      return this.readWithTool(target, operation, { replacement, place }, known.error)
    try {
      return await this.deployments.read(target, operation)
    } catch (error) {
      if (!(error instanceof ApiFailure && error.error.code === 'notOffered')) throw error
      const result = await this.readWithTool(target, operation, { replacement, place }, error)
      this.missing.set(route, { error, until: performance.now() + missingFor })
      return result
    }
  }

  private async readWithTool(
    target: UpstreamTarget,
    operation: Operation,
    { replacement, place }: { replacement: ToolRead; place: string },
    missing: ApiFailure,
  ): Promise<ReadResult> {
    this.refuseSql(target, operation.endpoint)
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
    const budget = this.deployments.budgetOf(target)
    try {
      return await this.shared.read(
        key,
        operation,
        () => budget.pump(),
        (claim) =>
          replacement(
            (tool, input) => this.client.call(target, tool, input, claim),
            operation,
            (api, params) => this.readApi(target, operation, api, params),
          ),
      )
    } catch (error) {
      if (error instanceof ApiFailure && error.error.code === 'notOffered') {
        throw failure('notOffered', missing.error.message, { detail: failureSentence(error) })
      }
      throw error
    }
  }

  /** Reads what a replacement needs from the API, in its turn. @throws ApiFailure, also for a response of another form */
  private async readApi<E extends Endpoint>(
    target: UpstreamTarget,
    { priority, caller }: Operation,
    endpoint: E,
    params: Record<string, string>,
  ): Promise<Output<E>> {
    const path = upstreamPath(endpoint, target, params)
    const { result } = await this.deployments.read(target, { endpoint, path, params, priority, caller })
    const read = endpoint.result.safeParse(result)
    if (!read.success) throw failure('malformedReply', 'The deployment’s response does not match the API.')
    // The schema is the one that Output names.
    return read.data as Output<E>
  }

  /**
   * The tool reads all that the deployment's own user of the database may read. On production, an administrator of the
   * connection must have allowed SQL first.
   */
  private refuseSql({ connectionId }: UpstreamTarget, { resource }: Endpoint): void {
    if (resource !== 'sql' || this.connections.stageOf(connectionId) !== 'production') return
    if (this.connections.allowsSqlToReaders(connectionId)) return
    throw refusal(
      403,
      'SQL through the deployment’s MCP endpoint is off on production. Administrators of the connection can allow SQL in its settings.',
    )
  }
}
