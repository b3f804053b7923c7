/**
 * Backups of the embedded engine: `BACKUP DATABASE … TO File(…)` below DATA_DIR/backups, and `RESTORE` into the databases of
 * another service. They do not leave this machine.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '../telemetry/engine/engine.ts'
import { textLiteral } from '../telemetry/engine/params.ts'
import { quoted } from '../telemetry/engine/tableName.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'

/** An engine that makes backups. */
export type BackupEngine = Engine & { backups: string }

export function makesBackups(engine: Engine | null): engine is BackupEngine {
  return engine !== null && engine.backups !== null
}

/** The folder of backups of the whole engine (`fullBackup.ts`), beside those of services, which are named by their ids. */
export const fullBackups = 'full'

/** The name of the telemetry database in the service that is created from a backup. */
const telemetryCopy = 'telemetry'

/** The databases of a service: those of its pipes, and the telemetry of the service that is the stack itself. */
export async function databasesOfService(engine: Engine, serviceId: string, isStack: boolean): Promise<string[]> {
  const own = databaseOf(serviceId, 'default')
  const found = await engine.query<{ name: string }>(
    'SELECT name FROM system.databases WHERE name = {own:String} OR startsWith(name, {prefix:String}) OR name = {telemetry:String} ORDER BY name',
    { params: { own, prefix: `${own}_`, telemetry: isStack ? engine.database : own } },
  )
  return found.map(({ name }) => name)
}

/** Writes a backup. @returns its size */
export async function writeBackup(engine: BackupEngine, id: string, databases: readonly string[], signal: AbortSignal) {
  await removeBackup(engine, id)
  const list = databases.map((name) => `DATABASE ${quoted(name)}`).join(', ')
  await engine.load(`BACKUP ${list} TO ${fileOf(engine, id)} SETTINGS id = ${textLiteral(id)}`, { signal })
  const [row] = await engine.query<{ bytes: string }>(
    'SELECT toString(total_size) AS bytes FROM system.backups WHERE id = {id:String}',
    { params: { id } },
  )
  return Number(row?.bytes ?? 0)
}

export async function removeBackup({ backups }: BackupEngine, id: string): Promise<void> {
  await rm(join(backups, id), { recursive: true, force: true })
}

/** Removes what no backup in the list has, such as the rest of one that was interrupted. */
export async function removeUnknownBackups(engine: BackupEngine, known: ReadonlySet<string>): Promise<void> {
  const unknown = (await readdir(engine.backups)).filter((name) => name !== fullBackups && !known.has(name))
  for (const name of unknown) await removeBackup(engine, name)
}

/** Creates the databases of a service, with the rows of a backup if one is given. May be repeated. */
export async function createDatabases(
  engine: BackupEngine,
  serviceId: string,
  from: { backupId: string; serviceId: string; databases: readonly string[] } | null,
  signal: AbortSignal,
): Promise<void> {
  await dropDatabases(engine, serviceId)
  if (from && from.databases.length > 0) {
    const list = from.databases.map(
      (name) => `DATABASE ${quoted(name)} AS ${quoted(restoredName(name, from, serviceId))}`,
    )
    await engine.load(`RESTORE ${list.join(', ')} FROM ${fileOf(engine, from.backupId)}`, { signal })
  }
  await engine.command(`CREATE DATABASE IF NOT EXISTS ${quoted(databaseOf(serviceId, 'default'))} ENGINE = Atomic`)
}

function restoredName(name: string, from: { serviceId: string }, serviceId: string): string {
  const source = databaseOf(from.serviceId, 'default')
  const isOwn = name === source || name.startsWith(`${source}_`)
  return isOwn ? databaseOf(serviceId, 'default') + name.slice(source.length) : databaseOf(serviceId, telemetryCopy)
}

export async function dropDatabases(engine: Engine, serviceId: string): Promise<void> {
  for (const name of await databasesOfService(engine, serviceId, false)) {
    await engine.command(`DROP DATABASE IF EXISTS ${quoted(name)} SYNC`)
  }
}

const fileOf = ({ backups }: BackupEngine, id: string) => `File(${textLiteral(join(backups, id))})`
