/** Builds of indexes by the engine: `MATERIALIZE INDEX` of one partition, a mutation that it continues after a crash. */
import type { Engine } from '../engine/engine.ts'
import { tables } from '../tables.ts'

export interface Partition {
  table: string
  id: string
  bytes: number
}

/** The partitions of tables, the newest first. */
export async function partitionsOf(engine: Pick<Engine, 'query'>, names: readonly string[]): Promise<Partition[]> {
  const rows = await engine.query<{ table: string; id: string; bytes: string | number }>(
    `SELECT table, partition_id AS id, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE database = currentDatabase() AND table IN {names:Array(String)} AND active
     GROUP BY table, id ORDER BY id DESC, table`,
    { params: { names } },
  )
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

/** Returns as soon as the engine has noted it. */
export async function startBuild(
  { command }: Pick<Engine, 'command'>,
  { table, id }: Partition,
  indexes: readonly string[],
): Promise<void> {
  // The IDs are those of the engine: letters and digits.
  if (!/^[\w-]+$/.test(id)) throw new RangeError(`not the ID of a partition: ${id}`)
  const actions = indexes.map((index) => `MATERIALIZE INDEX ${index} IN PARTITION ID '${id}'`)
  await command(`ALTER TABLE ${table} ${actions.join(', ')} SETTINGS mutations_sync = 0`)
}

/** One index of one partition that is being built. */
export interface Build {
  table: string
  mutation: string
  index: string
  partition: string
  partsLeft: number
  /** Why the last attempt failed; empty if none did. */
  failure: string
}

/** The builds of indexes that run on the telemetry tables, whoever began them. */
export async function buildsOf(engine: Pick<Engine, 'query'>): Promise<Build[]> {
  const rows = await engine.query<Omit<Build, 'partsLeft'> & { partsLeft: string | number }>(
    `SELECT table, mutation_id AS mutation, extract(command, 'MATERIALIZE INDEX (\\\\S+)') AS index,
       extract(command, 'PARTITION ID \\'([^\\']+)') AS partition, parts_to_do AS partsLeft, latest_fail_reason AS failure
     FROM system.mutations
     WHERE database = currentDatabase() AND table IN {names:Array(String)} AND NOT is_done AND NOT is_killed
       AND command LIKE '%MATERIALIZE INDEX%'`,
    { params: { names: Object.values(tables) } },
  )
  return rows.map((row) => ({ ...row, partsLeft: Number(row.partsLeft) }))
}

export async function stopBuild({ command }: Pick<Engine, 'command'>, { table, mutation }: Build): Promise<void> {
  await command(
    `KILL MUTATION WHERE database = currentDatabase() AND table = {table:String} AND mutation_id = {mutation:String}`,
    { params: { table, mutation } },
  )
}

/** Free bytes of the smallest disk. Without a list of disks, nothing is known to be missing. */
export async function freeBytes(engine: Pick<Engine, 'query'>): Promise<number> {
  const [row] = await engine.query<{ free: string | number }>(
    'SELECT min(unreserved_space) AS free FROM system.disks WHERE NOT is_remote',
  )
  const free = Number(row?.free ?? 0)
  return free === 0 ? Number.POSITIVE_INFINITY : free
}
