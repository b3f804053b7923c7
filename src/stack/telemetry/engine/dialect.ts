/**
 * The kind of server at the engine's address, and the clauses that statements need because of it. This is the one place that decides it.
 *
 * - `embedded`: the engine in this process.
 * - `server`: one ClickHouse server.
 * - `cloud`: a service of ClickHouse Cloud. Its replicas share their tables and each other's DDL, and each request may reach another.
 * - `cluster`: the servers of CLICKHOUSE_CLUSTER. DDL goes to all of them, tables are replicated, and Distributed ones read all shards.
 */
import type { ClickHouseSettings } from '@clickhouse/client'
import { textLiteral } from './params.ts'
import { quoted } from './tableName.ts'

export interface Dialect {
  kind: 'embedded' | 'server' | 'cloud' | 'cluster'
  /** The cluster with all replicas that may answer a request; null if there is only one server. */
  cluster: string | null
}

export const embeddedDialect: Dialect = { kind: 'embedded', cluster: null }

/** Settings of every statement, besides those that all engines get. */
export function dialectSettings({ kind }: Dialect): ClickHouseSettings {
  // Equal blocks are no repetition, unless a token says so: two inserts may have the same rows.
  const remote: ClickHouseSettings = { insert_deduplicate: 0 }
  switch (kind) {
    case 'embedded':
      return {}
    case 'server':
      return remote
    case 'cloud':
      // The next statement may reach another replica: those that are there have a change first.
      return { ...remote, alter_sync: '3' }
    case 'cluster':
      return {
        ...remote,
        alter_sync: '2',
        replication_wait_for_inactive_replica_timeout: '0',
        // A server that is away carries DDL out when it is back.
        distributed_ddl_output_mode: 'null_status_on_timeout',
        distributed_ddl_task_timeout: '30',
        // Under the name that all versions know. Rows are stored once an insert is answered.
        insert_distributed_sync: 1,
        // Rows that are copied from one table to another go to the shards of the other.
        parallel_distributed_insert_select: '0',
      }
  }
}

/** Settings of an insert that is stored once, even if something on the way sends it twice. @param token of no other insert */
export function onceSettings({ kind }: Dialect, token: string): ClickHouseSettings {
  return kind === 'embedded' ? {} : { insert_deduplicate: 1, insert_deduplication_token: token }
}

/** Settings of a query that sees all rows that were stored before, whichever replica answers. */
export function sequentialSettings({ kind }: Dialect): ClickHouseSettings {
  return kind === 'cloud' ? { select_sequential_consistency: '1' } : {}
}

/** Which replicas a mutation waits for: all that are there. On a cluster, `mutateRows` looks at the others. */
export function mutationWait({ kind }: Dialect): string {
  return `mutations_sync = ${kind === 'cloud' ? 3 : 1}`
}

/** ` ON CLUSTER` for DDL and mutations, where they do not spread by themselves. */
export function onCluster({ kind, cluster }: Dialect): string {
  return kind === 'cluster' && cluster !== null ? ` ON CLUSTER ${quoted(cluster)}` : ''
}

/** Stops the statements with the `log_comment` of the parameter `mark`, wherever they run. */
export function killStatement({ cluster }: Dialect, wait: 'SYNC' | 'ASYNC'): string {
  const where = cluster === null ? '' : ` ON CLUSTER ${quoted(cluster)}`
  // Not by its text: the engine removes comments of statements with parameters.
  return `KILL QUERY${where} WHERE Settings['log_comment'] = {mark:String} ${wait}`
}

/** Milliseconds between two attempts to stop a statement that may not have reached the engine yet. Those of a cluster go through a queue. */
export function killPause({ cluster }: Dialect): number {
  return cluster === null ? 50 : 1000
}

/**
 * A table of the `system` database with the rows of all replicas that are there: each of them knows only its own statements, parts
 * and counters.
 */
export function systemTable({ cluster }: Dialect, name: string): string {
  const table = `system.${name}`
  if (cluster === null) return table
  return `(SELECT * FROM clusterAllReplicas(${textLiteral(cluster)}, ${table}) SETTINGS skip_unavailable_shards = 1)`
}
