/** Refuses to go on where data is missing or damaged, unless whoever starts the product accepts the loss. */
import { existsSync } from 'node:fs'
import { renameDurably } from '../atomicFile.ts'
import { consoleCommand } from '../../consoleCommand.ts'
import { UnusableState } from '../stateFile.ts'

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
