/**
 * Restores a backup into a data directory, and into the servers of its configuration. Its records may come from a file and
 * go to a server, and the other way round.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkFile } from '#node/database/fileSnapshot.ts'
import { fileSteps } from '#node/database/migrations.ts'
import { removeMarkers } from '#node/files/dataLoss.ts'
import { newerVersion } from '#node/database/storeError.ts'
import { readRestoreNote, removeRestoreNote, restoreNote, writeRestoreNote } from '#node/files/unfinishedRestore.ts'
import { migrations as consoleMigrations } from '#gateway/database/migrations.ts'
import { restoreEngine } from '#stack/backups/fullBackup.ts'
import type { Config } from '#stack/config.ts'
import { makeDataDir } from '#stack/startup/dataDir.ts'
import { migrations as stackMigrations } from '#stack/store/migrations.ts'
import { openRecords } from '#stack/store/store.ts'
import { formatShort, formatValue } from '#domain/charts/units.ts'
import { holdDataDir } from '../dataDirLock.ts'
import { consoleFile, consoleToServer, stackFile, stackToServer } from '../database/databaseFiles.ts'
import { StartError, type Settings } from '../serverSettings.ts'
import { flush, flushAll } from './backupFiles.ts'
import { checkEngineBackup } from './engineBackup.ts'
import { engineFolder, keyFiles, keyFolder, readManifest, verifyFiles, type Manifest } from './manifest.ts'
import type { Say } from './runCommand.ts'
import { missingKeys } from './restoredKeys.ts'

export interface RestoreOrder {
  settings: Settings
  config: Config
  /** The folder of the backup. */
  from: string
  /** A folder with the key files, for a backup without. */
  keysFrom: string | undefined
  /** Puts aside what the data directory has. */
  replace: boolean
  say: Say
}

/** Files and folders of a data directory that are no data. */
const noData = /^(console\.(lock(-.*)?|pid)|lost\+found|replaced-.*)$/

/**
 * @returns what remains to do for whoever restores
 * @throws StartError and the errors of databases and engine, with a message for people: the data directory is as it was
 */
export async function restoreBackup(order: RestoreOrder): Promise<string[]> {
  const { settings, say } = order
  const from = resolve(order.from)
  const dataDir = resolve(settings.DATA_DIR)
  const manifest = await readManifest(from)
  refuseNewer(manifest)
  const report = say.every()
  await verifyFiles(from, manifest, (bytes, total) =>
    report(`Checking the backup: ${formatShort(bytes, 'bytes')} of ${formatShort(total, 'bytes')}`),
  )
  if (manifest.telemetry) await checkEngineBackup(join(from, engineFolder))
  say(`The backup of ${manifest.startedAt} is complete and undamaged.`)
  await makeDataDir(dataDir).catch(({ message }: Error) => {
    throw new StartError(message)
  })
  const lock = await holdDataDir(dataDir)
  const aside = order.replace ? `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : null
  try {
    const begun = begin(dataDir, aside)
    try {
      const remarks = await fill(order, from, dataDir, manifest)
      await flushAll(dataDir)
      removeRestoreNote(dataDir)
      await flush(dataDir)
      if (begun.aside) say(`What was there before is in ${join(dataDir, begun.aside)}.`)
      return remarks
    } catch (error) {
      undo(dataDir, begun.aside)
      throw error
    }
  } finally {
    await lock.release()
  }
}

function refuseNewer({ console, stack }: Manifest): void {
  if (console && console.migrations > fileSteps(consoleMigrations).length) throw newerVersion('console')
  if (stack && stack.migrations > fileSteps(stackMigrations).length) throw newerVersion('stack')
}

/** Makes the data directory empty, or refuses to. Goes on after a restore that was killed. */
function begin(dataDir: string, aside: string | null): { aside: string | null } {
  const earlier = readRestoreNote(dataDir)
  if (earlier?.phase === 'restoring') {
    removeData(dataDir)
    return earlier
  }
  const into = earlier?.aside ?? aside
  if (into === null) {
    const [first] = dataIn(dataDir)
    if (first !== undefined) {
      throw new StartError(
        `DATA_DIR ${dataDir} is not empty (it has ${first}). Use another folder, or --replace to put aside what it has.`,
      )
    }
  } else {
    writeRestoreNote(dataDir, { phase: 'moving', aside: into })
    mkdirSync(join(dataDir, into), { recursive: true, mode: 0o700 })
    for (const name of dataIn(dataDir)) renameSync(join(dataDir, name), join(dataDir, into, name))
  }
  writeRestoreNote(dataDir, { phase: 'restoring', aside: into })
  return { aside: into }
}

const dataIn = (dataDir: string) => readdirSync(dataDir).filter((name) => !noData.test(name) && name !== restoreNote)

function removeData(dataDir: string): void {
  for (const name of dataIn(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** After an error, everything is as it was before. */
function undo(dataDir: string, aside: string | null): void {
  removeData(dataDir)
  if (aside !== null) {
    writeRestoreNote(dataDir, { phase: 'moving', aside })
    const folder = join(dataDir, aside)
    for (const name of readdirSync(folder)) renameSync(join(folder, name), join(dataDir, name))
    rmSync(folder, { recursive: true, force: true })
  }
  removeRestoreNote(dataDir)
}

async function fill(order: RestoreOrder, from: string, dataDir: string, manifest: Manifest): Promise<string[]> {
  const { settings, config, say } = order
  const withStack = settings.STACK === 'on'
  const remarks: string[] = []
  // The databases get new ones when they are opened.
  removeMarkers(dataDir)
  await copyKeys(order, from, dataDir, manifest)
  if (manifest.console) await copyRecords(from, dataDir, consoleFile)
  if (manifest.stack && withStack) await copyRecords(from, dataDir, stackFile)
  // While the records are files: what fits is found before anything is written elsewhere.
  remarks.push(...(await missingKeys(order, dataDir, manifest)))
  if (manifest.telemetry && withStack && !config.clickhouseUrl) await fillEngine(from, dataDir, manifest, say)
  await toServers(order, dataDir, manifest)
  if (!withStack && manifest.stack)
    remarks.push('STACK=off: the records and the telemetry of the stack were not restored.')
  if (config.clickhouseUrl && manifest.telemetry) {
    remarks.push('CLICKHOUSE_URL is set: the telemetry of the backup was not restored.')
  }
  if (!manifest.telemetry)
    remarks.push(`The backup has no telemetry: ${manifest.telemetryLeftOut ?? 'there was none'}.`)
  return remarks
}

async function copyRecords(from: string, dataDir: string, name: string): Promise<void> {
  await copyFile(join(from, name), join(dataDir, name))
  await checkFile(join(dataDir, name))
  await flush(join(dataDir, name))
}

async function copyKeys({ keysFrom }: RestoreOrder, from: string, dataDir: string, { keys }: Manifest): Promise<void> {
  for (const name of keyFiles) {
    const inBackup = keys.includes(name) ? join(from, keyFolder, name) : undefined
    const fromFolder = keysFrom === undefined ? undefined : join(keysFrom, name)
    const source = fromFolder !== undefined && existsSync(fromFolder) ? fromFolder : inBackup
    if (source === undefined) continue
    await copyFile(source, join(dataDir, name))
    await flush(join(dataDir, name))
  }
}

async function fillEngine(from: string, dataDir: string, { telemetry }: Manifest, say: Say): Promise<void> {
  const report = say.every()
  const stored = existsSync(join(dataDir, stackFile)) ? await openRecords({ file: join(dataDir, stackFile) }) : null
  try {
    const backup = { folder: join(from, engineFolder), databases: telemetry?.databases ?? [] }
    await restoreEngine(dataDir, backup, stored, ({ bytes, total }) =>
      report(`Restoring the telemetry: ${formatShort(bytes, 'bytes')} of ${formatShort(total, 'bytes')}`),
    )
  } finally {
    await stored?.close()
  }
  say(`Restored the telemetry: ${formatValue(telemetry?.rows ?? 0)} rows.`)
}

/** Records that the configuration keeps on servers. */
async function toServers({ settings, config, say }: RestoreOrder, dataDir: string, manifest: Manifest): Promise<void> {
  const { CONSOLE_DATABASE_URL: own, DATABASE_URL } = settings
  const consoleUrl = own === 'file' ? undefined : (own ?? DATABASE_URL)
  const stackUrl = config.databaseUrl?.startsWith('file:') ? undefined : config.databaseUrl
  if (manifest.console && consoleUrl !== undefined) {
    await consoleToServer(dataDir, consoleUrl)
    removeDatabase(join(dataDir, consoleFile))
  }
  if (manifest.console) say('Restored the records of the console.')
  if (!existsSync(join(dataDir, stackFile))) return
  if (stackUrl !== undefined) {
    await stackToServer(dataDir, stackUrl)
    removeDatabase(join(dataDir, stackFile))
  }
  say('Restored the records of the stack.')
}

function removeDatabase(path: string): void {
  for (const suffix of ['-shm', '-wal', '']) rmSync(path + suffix, { force: true })
}
