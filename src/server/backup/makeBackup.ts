/**
 * Makes a backup while console and stack are running. It has everything that was acknowledged before it began.
 *
 * The order matters. The records of the console come first: a write that they show as done is in the records of the stack,
 * which come next. The telemetry comes last: alerts and pipes find the rows that their records tell of.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { checkFile, snapshotFile } from '#node/database/fileSnapshot.ts'
import type { Config } from '#stack/config.ts'
import { orderEngineBackup, type TakenBackup } from '#stack/control/controlClient.ts'
import { backUpEngine, removeFullBackups, type Progress } from '#stack/backups/fullBackup.ts'
import { makesBackups } from '#stack/backups/engineBackups.ts'
import { recordsOf } from '#stack/startup/recordsTarget.ts'
import { placeOf } from '#stack/store/store.ts'
import { openEngine } from '#stack/telemetry/engine/engine.ts'
import { formatShort, formatValue } from '#domain/charts/units.ts'
import { consoleDatabaseUrl } from '../consoleDatabase.ts'
import { DataDirInUse, lockDataDir, type DataDirLock } from '../dataDirLock.ts'
import { consoleFile, consoleFromServer, stackFile, stackFromServer } from '../database/databaseFiles.ts'
import { StartError, type Settings } from '../serverSettings.ts'
import { flush, secureAndFlushFolders, moveFolder, finishFiles } from './backupFiles.ts'
import { engineFolder, keyFiles, keyFolder, manifestFile, newManifest, type RecordsEntry } from './manifest.ts'
import type { Say } from './runCommand.ts'

export interface BackupOrder {
  settings: Settings
  config: Config
  /** The folder that gets the folder of the backup. */
  into: string
  withKeys: boolean
  withTelemetry: boolean
  /** The version of the product. */
  version: string
  say: Say
  /** Called with the folder that has to be removed if the process is ended. */
  onStopped?(unfinished: string): void
}

const unfinishedSuffix = '.unfinished'

/**
 * @returns the folder of the backup, which appears under this name once it is complete
 * @throws StartError and the errors of databases and engine, with a message for people: nothing of the backup is left
 */
export async function makeBackup(order: BackupOrder): Promise<string> {
  const { settings, into } = order
  const dataDir = resolve(settings.DATA_DIR)
  if (!existsSync(dataDir)) throw new StartError(`DATA_DIR ${dataDir} does not exist.`)
  const parent = resolve(into)
  if (!relative(dataDir, parent).startsWith('..')) {
    throw new StartError(
      `The folder of the backup must be outside of DATA_DIR ${dataDir}, which it would be lost with.`,
    )
  }
  await mkdir(parent, { recursive: true, mode: 0o700 })
  removeUnfinished(parent)
  const name = `stack-console-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const target = join(parent, name)
  const unfinished = join(parent, `.${name}.${hostname()}.${process.pid}${unfinishedSuffix}`)
  // Keeps rotations of keys and starts away, unless a console runs, which keeps them away itself.
  const lock = await lockIfFree(dataDir)
  order.onStopped?.(unfinished)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    await write(order, unfinished, lock !== null)
    await rename(unfinished, target)
    await flush(parent)
    return target
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    await lock?.release()
  }
}

/** Leftovers of killed backups on this machine. */
function removeUnfinished(parent: string): void {
  for (const entry of readdirSync(parent)) {
    const [, host = '', pid = ''] = /^\.stack-console-[^.]+\.(.+)\.(\d+)\.unfinished$/.exec(entry) ?? []
    if (host !== hostname() || isRunning(Number(pid))) continue
    rmSync(join(parent, entry), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' // what process.kill throws
  }
}

async function lockIfFree(dataDir: string): Promise<DataDirLock | null> {
  try {
    return await lockDataDir(dataDir)
  } catch (error) {
    if (error instanceof DataDirInUse) return null
    throw error
  }
}

/** @param isStopped whether no console runs on the data directory, and none starts meanwhile */
async function write(order: BackupOrder, folder: string, isStopped: boolean): Promise<void> {
  const { say, version } = order
  const startedAt = new Date().toISOString()
  const console = await writeConsole(order, folder)
  const stack = await writeStack(order, folder)
  if (!console && !stack) throw new StartError(`DATA_DIR ${order.settings.DATA_DIR} has no records to back up.`)
  const telemetry = await writeTelemetry(order, folder, isStopped)
  const keys = order.withKeys ? await writeKeys(order.settings.DATA_DIR, folder, { console, stack }) : []
  const report = say.every()
  const files = await finishFiles(folder, (bytes) => report(`Computing checksums: ${formatShort(bytes, 'bytes')}`))
  const manifest = newManifest({
    version,
    startedAt,
    finishedAt: new Date().toISOString(),
    console,
    stack,
    telemetry: 'leftOut' in telemetry ? null : telemetry,
    telemetryLeftOut: 'leftOut' in telemetry ? telemetry.leftOut : null,
    keys,
    files,
  })
  await writeFile(join(folder, manifestFile), JSON.stringify(manifest), { mode: 0o600, flag: 'wx' })
  await flush(join(folder, manifestFile))
  await secureAndFlushFolders(folder)
  say(
    `The backup has ${files.length} files, ${formatShort(
      files.reduce((sum, { bytes }) => sum + bytes, 0),
      'bytes',
    )}.`,
  )
}

async function writeConsole({ settings, say }: BackupOrder, folder: string): Promise<RecordsEntry | null> {
  const url = consoleDatabaseUrl(settings)
  const source = join(settings.DATA_DIR, consoleFile)
  if (url === undefined && !existsSync(source)) return null
  await snapshot(folder, consoleFile, url === undefined ? source : (into) => consoleFromServer(url, into))
  return entryOf('console', folder, consoleFile, { url, secret: settings.CONSOLE_SECRET, say })
}

async function writeStack({ settings, config, say }: BackupOrder, folder: string): Promise<RecordsEntry | null> {
  if (settings.STACK === 'off') return null
  const place = placeOf(recordsOf(config))
  if ('file' in place && !existsSync(place.file)) return null
  const url = 'url' in place ? place.url : undefined
  await snapshot(folder, stackFile, 'file' in place ? place.file : (into) => stackFromServer(place.url, into))
  return entryOf('stack', folder, stackFile, { url, secret: config.stackSecret, say })
}

/** @param source a file, or what writes one of the same name into a folder */
async function snapshot(folder: string, name: string, source: string | ((into: string) => Promise<unknown>)) {
  if (typeof source === 'string') return snapshotFile(source, join(folder, name))
  // It leaves the files beside a database that is in use.
  const workshop = join(folder, 'copy')
  await mkdir(workshop, { mode: 0o700 })
  await source(workshop)
  await snapshotFile(join(workshop, name), join(folder, name))
  rmSync(workshop, { recursive: true })
}

async function entryOf(
  product: 'console' | 'stack',
  folder: string,
  name: string,
  { url, secret, say }: { url: string | undefined; secret: string | undefined; say: Say },
): Promise<RecordsEntry> {
  const migrations = await checkFile(join(folder, name))
  say(`Saved the records of the ${product}.`)
  return { database: url === undefined ? 'file' : 'postgresql', migrations, key: secret ? 'secret' : 'file' }
}

type Telemetry = { databases: string[]; rows: number } | { leftOut: string }

async function writeTelemetry(order: BackupOrder, folder: string, isStopped: boolean): Promise<Telemetry> {
  const { settings, config, say } = order
  const leftOut = whyNoTelemetry(order)
  if (leftOut !== undefined) {
    say(`The telemetry is not part of the backup: ${leftOut}.`)
    return { leftOut }
  }
  const report = say.every()
  const onProgress = ({ bytes, total }: Progress) =>
    report(`Saving the telemetry: ${formatShort(bytes, 'bytes')} of ${formatShort(total, 'bytes')}`)
  const taken = await takeEngineBackup(settings.DATA_DIR, isStopped, onProgress, async (backup) => {
    await moveFolder(backup.folder, join(folder, engineFolder))
  })
  say(`Saved the telemetry: ${formatValue(taken.rows)} rows.`)
  return { databases: taken.databases, rows: taken.rows }

  function whyNoTelemetry({ withTelemetry }: BackupOrder): string | undefined {
    if (!withTelemetry) return '--without-telemetry'
    if (settings.STACK === 'off') return 'this console has no stack'
    if (config.clickhouseUrl) return 'the cluster of CLICKHOUSE_URL has it, and is backed up there'
    return existsSync(join(settings.DATA_DIR, 'engine')) ? undefined : 'there is none'
  }
}

/** By the stack that runs; by an engine of this process if none does. */
async function takeEngineBackup(
  dataDir: string,
  isStopped: boolean,
  onProgress: (progress: Progress) => void,
  take: (backup: Omit<TakenBackup, 'release'>) => Promise<void>,
) {
  const ordered = await orderEngineBackup(dataDir, onProgress)
  if (ordered) {
    try {
      await take(ordered)
      return ordered
    } finally {
      ordered.release()
    }
  }
  if (!isStopped) {
    throw new StartError(
      'The stack does not respond. Try again once it runs, or leave the telemetry out with --without-telemetry.',
    )
  }
  const engine = await openEngine({ dataDir })
  try {
    const backup = await backUpEngine(engine, new AbortController().signal, onProgress)
    await take(backup)
    return backup
  } finally {
    if (makesBackups(engine)) await removeFullBackups(engine)
    await engine.close()
  }
}

async function writeKeys(
  dataDir: string,
  folder: string,
  used: { console: RecordsEntry | null; stack: RecordsEntry | null },
): Promise<(typeof keyFiles)[number][]> {
  const needed = keyFiles.filter((name) => used[name === 'console.key' ? 'console' : 'stack']?.key === 'file')
  await mkdir(join(folder, keyFolder), { mode: 0o700 })
  for (const name of needed) {
    await copyFile(join(dataDir, name), join(folder, keyFolder, name)).catch((cause: Error) => {
      throw new StartError(`${name} cannot be read from DATA_DIR ${dataDir} (${cause.message}).`, { cause })
    })
  }
  return needed
}
