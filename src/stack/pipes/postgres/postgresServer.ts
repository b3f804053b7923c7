/**
 * A PostgreSQL server, queried through the engine's table function, which converts rows to the engine's types. Its host
 * is resolved and checked once, and the engine connects to that address.
 */
import { isIPv6 } from 'node:net'
import { refuse } from '../../refusal.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { firstAddress, refuseHost, type HostCheck } from '../../net/reachableHosts.ts'

/** A call of the table function, with its parameters. */
interface TableCall {
  call: string
  params: Record<string, string>
}

export interface PostgresServer {
  table(schema: string, table: string): TableCall
  /**
   * Runs a SELECT on the server. The engine rewrites it, so every column must be a function call or have an alias, names
   * must be in lower case, and there may be no casts, quotes or backslashes.
   */
  query<Row>(select: string, signal?: AbortSignal): Promise<Row[]>
}

/** A SELECT may wait for transactions to end, for example when it creates a slot. */
const maxQuerySeconds = 300

/** @throws Refusal 400 for a host that is not allowed or cannot be resolved */
export async function openPostgres(
  pipe: PipeDocument,
  engine: Pick<Engine, 'query'>,
  checkHost: HostCheck,
): Promise<PostgresServer> {
  const { host = '', port, database } = pipe.source?.postgres ?? {}
  const address = firstAddress(await refuseHost('source.postgres.host', host ?? '', checkHost))
  if (address === undefined) throw refuse(`failed to establish connection: ${host} cannot be resolved`)
  // Validated when the pipe was created.
  const credentials = pipe.internal.secrets?.['credentials'] as { username: string; password: string } | undefined
  const server = {
    pg_server: `${isIPv6(address) ? `[${address}]` : address}:${port ?? 5432}`,
    pg_database: database ?? '',
    pg_user: credentials?.username ?? '',
    pg_password: credentials?.password ?? '',
  }
  const callOf = (what: string, more = '') =>
    `postgresql({pg_server:String}, {pg_database:String}, ${what}, {pg_user:String}, {pg_password:String}${more})`
  return {
    table: (schema, table) => ({
      call: callOf('{pg_table:String}', ', {pg_schema:String}'),
      params: { ...server, pg_table: table, pg_schema: schema },
    }),
    query: (select, signal) =>
      engine.query(`SELECT * FROM ${callOf(`(${select})`)}`, {
        params: server,
        maxSeconds: maxQuerySeconds,
        ...(signal && { signal }),
      }),
  }
}
