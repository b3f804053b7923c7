/**
 * A PostgreSQL server, asked through the engine's own table function: it makes the rows, in the engine's types. Its address is
 * looked at once, and that address is what the engine connects to.
 */
import { isIPv6 } from 'node:net'
import { refuse } from '../../refusal.ts'
import type { Engine } from '../../telemetry/engine.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { firstAddress, refuseHost, type HostCheck } from '../../net/reachableHosts.ts'

/** A call of the table function, with the values of its placeholders. */
export interface TableCall {
  call: string
  params: Record<string, string>
}

export interface PostgresServer {
  table(schema: string, table: string): TableCall
  /**
   * Rows of a SELECT that the server itself runs. The engine spells it anew: every column is a call or has a name of its own,
   * names are in lower case, there are no casts, and texts have no quotes or backslashes.
   */
  ask<Row>(select: string, signal?: AbortSignal): Promise<Row[]>
}

/** A SELECT on the server may wait for transactions to end, as that which makes a slot does. */
const longestAskSeconds = 300

/** @throws Refusal 400 for a server that may not be reached, Error for a name that leads nowhere now */
export async function openPostgres(
  pipe: PipeDocument,
  engine: Pick<Engine, 'query'>,
  checkHost: HostCheck,
): Promise<PostgresServer> {
  const { host = '', port, database } = pipe.source?.postgres ?? {}
  const address = firstAddress(await refuseHost('source.postgres.host', host ?? '', checkHost))
  if (address === undefined) throw refuse(`failed to establish connection: ${host} is not known`)
  // Checked when the pipe was made.
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
    ask: (select, signal) =>
      engine.query(`SELECT * FROM ${callOf(`(${select})`)}`, {
        params: server,
        maxSeconds: longestAskSeconds,
        ...(signal && { signal }),
      }),
  }
}
