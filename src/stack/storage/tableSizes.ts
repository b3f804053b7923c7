/** The sizes of the telemetry tables, from the engine's list of their parts. */
import type { StorageReport, StoredDay, StoredSignal, TableStorage } from '#contract/stack/storage.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { systemTable } from '../telemetry/engine/dialect.ts'
import { ownRollups } from '../telemetry/rollups/ownRollups.ts'
import { insertedTable, tables } from '../telemetry/tables.ts'
import { signalOf } from './retentionSettings.ts'

export interface TableSizes {
  tables: TableStorage[]
  /** The days of each signal, in order. */
  days: Record<StoredSignal, StoredDay[]>
}

/** @throws EngineError where the engine's tables of itself cannot be read */
export async function tableSizes(engine: Pick<Engine, 'query' | 'dialect'>): Promise<TableSizes> {
  const { dialect } = engine
  // On a cluster, what all replicas have. Those of a service of ClickHouse Cloud share their parts.
  const of = (name: string) => (dialect.kind === 'cluster' ? systemTable(dialect, name) : `system.${name}`)
  const storing = (name: string) => insertedTable(dialect, name)
  const names = [...Object.values(tables), ...ownRollups.map(({ table }) => table)]
  const params = { names: names.map(storing) }
  const [partitions, indexes] = await Promise.all([
    engine.query<Record<'table' | 'id' | 'rows' | 'bytes' | 'uncompressed' | 'parts', string>>(
      `SELECT table, partition_id AS id, sum(rows) AS rows, sum(bytes_on_disk) AS bytes,
        sum(data_uncompressed_bytes) AS uncompressed, count() AS parts
      FROM ${of('parts')} WHERE database = currentDatabase() AND table IN {names:Array(String)} AND active
      GROUP BY table, id ORDER BY table, id`,
      { params },
    ),
    engine.query<Record<'table' | 'name' | 'type' | 'bytes', string>>(
      `SELECT table, name, type, data_compressed_bytes AS bytes FROM ${of('data_skipping_indices')}
      WHERE database = currentDatabase() AND table IN {names:Array(String)} ORDER BY table, bytes DESC, name`,
      { params },
    ),
  ])
  const sum = <Row>(rows: readonly Row[], pick: (row: Row) => string) =>
    rows.reduce((total, row) => total + Number(pick(row)), 0)
  // Roll-ups are a matter of settings.
  const isThere = (name: string) => isRecords(name) || partitions.some(({ table }) => table === storing(name))
  const all = names.filter(isThere).map((name): TableStorage => {
    const own = partitions.filter(({ table }) => table === storing(name))
    const days = own.flatMap(({ id }) => dayOf(id) ?? [])
    return {
      name,
      signal: signalOf(name),
      rows: sum(own, ({ rows }) => rows),
      bytes: sum(own, ({ bytes }) => bytes),
      uncompressedBytes: sum(own, ({ uncompressed }) => uncompressed),
      parts: sum(own, ({ parts }) => parts),
      indexes: indexes
        .filter(({ table }) => table === storing(name))
        .map(({ name: index, type, bytes }) => ({ name: index, type, bytes: Number(bytes) })),
      ...(days[0] && { oldestDay: days[0], newestDay: days.at(-1) }),
    }
  })
  const days = { logs: new Map(), traces: new Map(), metrics: new Map() } satisfies Record<
    StoredSignal,
    Map<string, StoredDay>
  >
  const nameOf = new Map(names.map((name) => [storing(name), name]))
  for (const { table, id, rows, bytes } of partitions) {
    const day = dayOf(id)
    if (!day) continue
    const stored: Map<string, StoredDay> = days[signalOf(nameOf.get(table) ?? table)]
    const known = stored.get(day) ?? { day, rows: 0, bytes: 0 }
    const records = isRecords(nameOf.get(table) ?? table) ? Number(rows) : 0
    stored.set(day, { day, rows: known.rows + records, bytes: known.bytes + Number(bytes) })
  }
  const sorted = (stored: Map<string, StoredDay>) => [...stored.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
  return {
    tables: all,
    days: { logs: sorted(days.logs), traces: sorted(days.traces), metrics: sorted(days.metrics) },
  }
}

/** Whether the rows of a table are records, and not figures of others. */
const isRecords = (name: string): boolean => !ownRollups.some(({ table }) => table === name)

/** Partitions are days, `20261129`, unless somebody else made the table. */
function dayOf(partition: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(partition) ?? []
  return day && `${year}-${month}-${day}`
}

/** More than a disk has: object storage reports as much as a number can be. */
const unlimited = 2 ** 60

/** The disks of a server; undefined where it does not say. */
export async function serverDisk(engine: Pick<Engine, 'query'>): Promise<StorageReport['disk']> {
  const [row] = await engine.query<Record<'free' | 'total', string>>(
    `SELECT sum(unreserved_space) AS free, sum(total_space) AS total FROM system.disks`,
  )
  const [freeBytes, totalBytes] = [Number(row?.free ?? 0), Number(row?.total ?? 0)]
  return totalBytes > 0 && totalBytes < unlimited ? { freeBytes, totalBytes } : undefined
}
