/** Rows as all replicas have them: how they are changed, counted after an insert, and waited for. */
import { setTimeout } from 'node:timers/promises'
import { mutationWait, onCluster, type Dialect } from './dialect.ts'
import type { Engine } from './engine.ts'
import { EngineError } from './engineError.ts'
import { textLiteral, type Params } from './params.ts'
import { storageOf, unfinished, type TableChanger } from './tableChanges.ts'
import { tableSql, type TableName } from './tableName.ts'

/** How often it is looked whether all replicas have a change, and for how long. */
const lookEveryMs = 200
const patienceMs = 10 * 60_000

/**
 * Deletes or updates rows. Resolves once no replica that is there shows a row as it was; one that is away does it when it is back.
 * @param change `DELETE`, or `UPDATE` with its columns
 * @param condition of the rows, which does not hold any more for those that are updated
 */
export async function mutateRows(
  engine: TableChanger,
  name: TableName,
  change: string,
  condition: string,
  params: Params = {},
): Promise<void> {
  const { dialect } = engine
  const storage = await storageOf(engine, name)
  const sql = `ALTER TABLE ${tableSql(storage)}${onCluster(dialect)} ${change} WHERE ${condition} SETTINGS ${mutationWait(dialect)}`
  await engine.command(sql, { params }).catch((error: unknown) => {
    // Also the code of a mutation that failed: the rows tell.
    if (dialect.kind !== 'cluster' || !(error instanceof EngineError && error.code === unfinished)) throw error
  })
  if (dialect.kind !== 'cluster') return
  const left = `SELECT 1 FROM ${onReplicas(dialect, storage, engine.database)} WHERE ${condition} LIMIT 1 SETTINGS skip_unavailable_shards = 1`
  await untilDone(name, async () => (await engine.query(left, { params, maxSeconds: 600 })).length === 0)
}

/** A table of all replicas, each as if it were a shard. */
function onReplicas({ cluster }: Dialect, { database, table }: TableName, ownDatabase: string): string {
  return `clusterAllReplicas(${textLiteral(cluster ?? '')}, ${tableSql({ database: database || ownDatabase, table })})`
}

/** The statement that counts rows at each replica of each shard. Those without a row have a count of 0. */
function countStatement(dialect: Dialect, storage: TableName, database: string, condition: string): string {
  const count = (what: string, from: string) =>
    `SELECT getMacro('shard') AS shard, _shard_num AS replica, ${what} AS rows FROM ${from}`
  const zeroCounts = count('toUInt64(0)', `clusterAllReplicas(${textLiteral(dialect.cluster ?? '')}, system.one)`)
  const stored = count(
    'count()',
    `${onReplicas(dialect, storage, database)} WHERE ${condition} GROUP BY shard, replica`,
  )
  return `SELECT shard, replica, rows FROM (${zeroCounts} UNION ALL ${stored}) SETTINGS skip_unavailable_shards = 1`
}

/** How many rows each replica of a cluster that is there has, by shard. */
async function countsOf(
  engine: Pick<Engine, 'dialect' | 'database' | 'query'>,
  name: TableName,
  condition: string,
  params: Params,
): Promise<number[][]> {
  const sql = countStatement(engine.dialect, await storageOf(engine, name), engine.database, condition)
  const rows = await engine.query<{ shard: string; replica: number; rows: string }>(sql, { params, maxSeconds: 600 })
  const shards = new Map<string, Map<number, number>>()
  for (const { shard, replica, rows: count } of rows) {
    const replicas = shards.get(shard) ?? new Map<number, number>()
    shards.set(shard, replicas.set(replica, Math.max(replicas.get(replica) ?? 0, Number(count))))
  }
  return [...shards.values()].map((replicas) => [...replicas.values()])
}

/**
 * Counts rows that an insert has just stored. On a cluster, the replica that took them has them all, whichever answers the query; if
 * it is away, there are too few.
 */
export async function countStored(
  engine: Pick<Engine, 'dialect' | 'database' | 'query'>,
  name: TableName,
  condition: string,
  params: Params = {},
): Promise<number> {
  if (engine.dialect.kind === 'cluster') {
    const shards = await countsOf(engine, name, condition, params)
    return shards.reduce((sum, counts) => sum + Math.max(...counts), 0)
  }
  const [row] = await engine.query<{ rows: string }>(
    `SELECT count() AS rows FROM ${tableSql(name)} WHERE ${condition}`,
    { params, maxSeconds: 600, sequential: true },
  )
  return Number(row?.rows ?? 0)
}

/** Resolves once all replicas of a cluster that are there have the rows that an insert has stored, as many as each other. */
export async function untilReplicated(
  engine: Pick<Engine, 'dialect' | 'database' | 'query'>,
  name: TableName,
  condition: string,
  params: Params = {},
): Promise<void> {
  if (engine.dialect.kind !== 'cluster') return
  const differ = (counts: number[]) => counts.some((count) => count !== counts[0])
  await untilDone(name, async () => !(await countsOf(engine, name, condition, params)).some(differ))
}

async function untilDone({ table }: TableName, isDone: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + patienceMs
  while (!(await isDone())) {
    if (performance.now() > until) {
      throw new EngineError(unfinished, 'UNFINISHED', `rows of ${table} are not the same on all replicas yet`)
    }
    await setTimeout(lookEveryMs)
  }
}
