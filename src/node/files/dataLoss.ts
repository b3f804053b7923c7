/**
 * Refuses to go on where data is missing or damaged, unless whoever starts the product accepts the loss. Markers,
 * `DATA_DIR/console.marker` and `stack.marker`, say which database the folder was last used with, and how many writes
 * that had. Only with them can a start tell a database that is new from one that was lost or replaced by an older copy.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { renameDurably, UnusableState, StateFile } from './atomicFile.ts'
import { consoleCommand } from '../consoleCommand.ts'
import { readCredentialsFile } from './credentialsFile.ts'

/** The two stores of records: the console's database and the stack's. */
export type StoreName = 'console' | 'stack'

/** Data is missing or damaged. The message is one line: what is missing, and what to do. */
export class DataLoss extends UnusableState {
  override name = 'DataLoss'
}

export interface StoreOptions {
  dataDir: string
  store: StoreName
  /** The name of the database in error messages: `console.db in DATA_DIR /data`. */
  title: string
  /** Go on with less than there was, and mark that. */
  acceptDataLoss?: boolean | undefined
}

/**
 * Refuses to begin with an empty database where there was another one.
 * @param what is the matter with the database: `is missing`
 * @param trace the file that shows that there was another one
 * @throws DataLoss if the data directory has a trace of one
 */
export function refuseMissing(
  { store, title, acceptDataLoss }: StoreOptions,
  what: string,
  trace: string | undefined,
): void {
  if (acceptDataLoss || trace === undefined) return
  throw new DataLoss(
    `${title} ${what}, but DATA_DIR had records of the ${store}: it has ${trace}. ` +
      remedy('to begin with an empty database'),
  )
}

/** @param purpose of accepting the loss: `to use it from now on` */
export function remedy(purpose: string): string {
  return `Restore a backup (${consoleCommand('restore')}), or start once with --accept-data-loss or ACCEPT_DATA_LOSS=1 ${purpose}.`
}

/** Renames a damaged file, with what SQLite keeps beside it, or a damaged folder. Earlier ones are kept. */
export function putDamagedAside(file: string): void {
  const names = [`${file}.damaged`, ...Array.from({ length: 999 }, (_, index) => `${file}.damaged-${index + 2}`)]
  const free = names.find((name) => !existsSync(name))
  if (free === undefined) throw new DataLoss(`There are too many damaged copies of ${file}. Remove some.`)
  for (const suffix of ['-shm', '-wal', '']) if (existsSync(file + suffix)) renameDurably(file + suffix, free + suffix)
}

const marker = z.object({
  /** The ID of the database: see `database/storeIdentity.ts`. */
  identity: z.string().min(1),
  /** Write transactions of the database. All of them were on the disk before the marker was. */
  sequence: z.number().int().min(0),
  /** ISO time. */
  writtenAt: z.string(),
})
export type Marker = z.infer<typeof marker>

const markerPath = (dataDir: string, name: StoreName | 'engine') => join(dataDir, `${name}.marker`)

/** The marker, undefined if there is none, or `damaged`. */
export function readMarker(dataDir: string, store: StoreName): Marker | 'damaged' | undefined {
  try {
    return new StateFile(markerPath(dataDir, store), marker).read()
  } catch (error) {
    if (error instanceof UnusableState) return 'damaged'
    throw error
  }
}

/** On the disk when it returns. @throws NotStored if the disk is full or read-only: the old marker stays */
export function writeMarker(
  dataDir: string,
  store: StoreName,
  { identity, sequence }: Omit<Marker, 'writtenAt'>,
): void {
  new StateFile(markerPath(dataDir, store), marker).write({ identity, sequence, writtenAt: new Date().toISOString() })
}

/**
 * Removes all markers: for a restore, before it puts databases into the folder. The next time that a database is opened, it gets
 * a new marker.
 */
export function removeMarkers(dataDir: string): void {
  for (const name of ['console', 'stack', 'engine'] as const) rmSync(markerPath(dataDir, name), { force: true })
}

const files: Record<StoreName, readonly string[]> = {
  console: ['console.marker', 'console.key', 'connections.json.migrated'],
  stack: ['stack.marker', 'stack.key'],
}
/** A field of `credentials.json` that the console, or the stack, writes. */
const fields: Record<StoreName, string> = { console: 'signInUrl', stack: 'keyId' }
/** The console's records before it had a database: it makes one from them. */
const former = 'connections.json'

/** A file that shows that the folder had records of the console, or of the stack; undefined if there is none. */
export function traceOf(dataDir: string, store: StoreName): string | undefined {
  if (store === 'console' && existsSync(join(dataDir, former))) return undefined
  const file = files[store].find((name) => existsSync(join(dataDir, name)))
  if (file !== undefined) return file
  return fields[store] in readCredentialsFile(dataDir) ? 'credentials.json' : undefined
}
