/**
 * A backup of everything in the embedded engine, while telemetry goes on arriving: it has all rows that were acknowledged
 * before it began. It is written below DATA_DIR/backups, where the engine may write, and taken away from there.
 */
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Statements } from '#node/database/statements.ts'
import { formatShort } from '#domain/charts/units.ts'
import { openEngine, type Engine } from '../telemetry/engine/engine.ts'
import { EngineError } from '../telemetry/engine/engineError.ts'
import { textLiteral } from '../telemetry/engine/params.ts'
import { quoted } from '../telemetry/engine/tableName.ts'
import { fullBackups, makesBackups, type BackupEngine } from './engineBackups.ts'
import { loadColumn } from '#stack/pipes/loads/destinationTable.ts'
import { deleteRows, type LoadEngine } from '#stack/pipes/loads/loads.ts'

export interface Progress {
  /** Bytes that are written, and what is expected to be written. */
  bytes: number
  total: number
}

export interface FullBackup {
  /** Where it is. The caller removes it. */
  folder: string
  databases: string[]
  rows: number
}

/** Milliseconds between two reports. */
const reportEvery = 1_000
/** Bytes that are left for the telemetry that arrives meanwhile. */
const spareBytes = 256 * 2 ** 20

/** Backups that an interrupted process left. */
export async function removeFullBackups({ backups }: BackupEngine): Promise<void> {
  await rm(join(backups, fullBackups), { recursive: true, force: true })
}

/**
 * @param signal stops it; nothing of it is left then
 * @throws EngineError if the engine makes no backups, or if the disk has too little space for it
 */
export async function backUpEngine(
  engine: Engine | null,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<FullBackup> {
  if (!makesBackups(engine)) throw new EngineError(0, 'NO_BACKUPS', 'the telemetry is not in an embedded engine')
  const [stored] = await engine.query<{ bytes: string; rows: string }>(
    `SELECT toString(sum(bytes_on_disk)) AS bytes, toString(sum(rows)) AS rows FROM system.parts WHERE active`,
  )
  const total = Number(stored?.bytes ?? 0)
  await requireSpace(engine, total)
  const databases = (
    await engine.query<{ name: string }>(
      `SELECT name FROM system.databases WHERE lower(name) NOT IN ('system', 'information_schema', 'default') ORDER BY name`,
    )
  ).map(({ name }) => name)
  const folder = join(engine.backups, fullBackups, 'engine')
  await removeFullBackups(engine)
  await mkdir(join(engine.backups, fullBackups), { mode: 0o700 })
  const list = databases.map((name) => `DATABASE ${quoted(name)}`).join(', ')
  const done = new AbortController()
  try {
    const reports = report(folder, total, done.signal, onProgress)
    await engine.load(`BACKUP ${list} TO File(${textLiteral(folder)})`, { signal }).finally(() => done.abort())
    await reports
    return { folder, databases, rows: Number(stored?.rows ?? 0) }
  } catch (error) {
    await removeFullBackups(engine)
    throw error
  }
}

/** A backup that fills the disk would also stop the telemetry and the records. */
async function requireSpace({ backups }: BackupEngine, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(backups)
  const [free, needed] = [bavail * bsize, bytes + spareBytes]
  if (free >= needed) return
  throw new EngineError(
    0,
    'NO_SPACE',
    `a backup of the telemetry needs ${formatShort(needed, 'bytes')} on the disk of DATA_DIR for a while, which has ${formatShort(free, 'bytes')} free`,
  )
}

async function report(folder: string, total: number, over: AbortSignal, onProgress: (progress: Progress) => void) {
  while (!over.aborted) {
    await sleep(reportEvery, undefined, { signal: over }).catch(() => undefined)
    if (!over.aborted) onProgress({ bytes: await sizeOf(folder), total })
  }
}

/** Bytes of all files below a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => null)))
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0)
}

/**
 * Restores the databases of a backup into a data directory that has no engine yet. Rows that pipes loaded after the records
 * were saved are removed: the pipes load them again.
 * @param folder of the backup
 * @param stored whose records tell which loads there were; null if they are not restored
 */
export async function restoreEngine(
  dataDir: string,
  { folder, databases }: Pick<FullBackup, 'folder' | 'databases'>,
  stored: Pick<Statements, 'rows'> | null,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const total = await sizeOf(folder)
  const engine = await openEngine({ dataDir, backups: dirname(folder) })
  const done = new AbortController()
  try {
    const list = databases.map((name) => `DATABASE ${quoted(name)}`).join(', ')
    const reports = report(join(dataDir, 'engine'), total, done.signal, onProgress)
    // A new engine has the database of the telemetry already.
    const settings = 'SETTINGS allow_different_database_def = 1'
    await engine.load(`RESTORE ${list} FROM File(${textLiteral(folder)}) ${settings}`).finally(() => done.abort())
    await reports
    if (stored) await deleteLoadsAfterBackup(stored, engine)
  } finally {
    done.abort()
    await engine.close()
  }
}

/**
 * Deletes the rows of loads that began after the records of the backup were saved, and that these therefore do not know. Their
 * pipes load them again, with the same numbers. Call this while no pipe runs.
 */
async function deleteLoadsAfterBackup(records: Pick<Statements, 'rows'>, engine: LoadEngine): Promise<void> {
  const ranges = await records.rows('SELECT first, size, used FROM pipe_load_ranges WHERE used < size')
  if (ranges.length === 0) return
  const later = ranges.map(({ first, size, used }) => {
    const begin = Number(first) + Number(used)
    return `${loadColumn} BETWEEN ${begin} AND ${Number(first) + Number(size) - 1}`
  })
  const tables = await engine.query<{ database: string; table: string }>(
    'SELECT database, table FROM system.columns WHERE name = {column:String}',
    { params: { column: loadColumn } },
  )
  for (const target of tables) await deleteRows(engine, target, later.join(' OR '))
}
