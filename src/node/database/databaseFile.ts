/**
 * The SQLite file of a store: whether it is there and intact, and its checkpoints, which copy the commits in SQLite's
 * write-ahead log into it. SQLite itself does that only after about 4 MB of log, and not when the file is closed: until
 * then, a copy of the file without its log has none of them.
 */
import { existsSync, statSync } from 'node:fs'
import { LibsqlError } from '@libsql/client/sqlite3'
import { DataLoss, putDamagedAside, refuseMissing, remedy, type StoreOptions, traceOf } from '../files/dataLoss.ts'
import type { FileConnection } from './fileConnection.ts'

/**
 * SQLite would begin with an empty database. Where the loss is accepted, what is left of the old one is put aside.
 * @throws DataLoss if the file is missing or empty although the data directory had one
 */
export function requireFile(file: string, options: StoreOptions): void {
  const isMissing = !existsSync(file)
  if (!isMissing && statSync(file).size > 0) return
  refuseMissing(options, isMissing ? 'is missing' : 'has no content', traceOf(options.dataDir, options.store))
  // A log without its file may have the last records, and SQLite would delete it.
  if (options.acceptDataLoss) putDamagedAside(file)
}

/** Reads the pages of the file, about a second for 500 MB. @throws DataLoss if one is damaged */
export function requireIntact(connection: FileConnection, file: string, options: StoreOptions): void {
  const [row] = connection.execute('PRAGMA quick_check(1)').rows
  const answer = String(row?.['quick_check'])
  if (answer !== 'ok') throw damaged(file, options, answer.split('\n').at(-1) ?? answer)
}

/** The error for one of SQLite that says that the file is damaged; undefined for other errors. */
export function damageIn(error: unknown, file: string, options: StoreOptions): DataLoss | undefined {
  if (error instanceof DataLoss) return error
  if (!(error instanceof LibsqlError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return undefined
  return damaged(file, options, error.code, error)
}

function damaged(file: string, { title }: StoreOptions, reason: string, cause?: Error): DataLoss {
  return new DataLoss(
    `${title} is damaged (${reason}). ${remedy(`to begin with an empty database: ${file} is then kept with the ending .damaged`)}`,
    { cause },
  )
}

/** Milliseconds between a commit and the checkpoint that copies it. */
const usualDelay = 5_000

export class Checkpoints {
  #timer: NodeJS.Timeout | undefined
  readonly #connection: FileConnection
  readonly #delay: number

  constructor(connection: FileConnection, delay = usualDelay) {
    this.#connection = connection
    this.#delay = delay
  }

  /** Call this after each commit. Commits within the delay share a checkpoint. */
  committed(): void {
    if (this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      // It waits for nobody: what a reader holds back comes later.
      if (!this.#checkpoint('PASSIVE')) this.committed()
    }, this.#delay)
    this.#timer.unref()
  }

  /** The last checkpoint, which also empties the log. Call this before the connection is closed. */
  close(): void {
    clearTimeout(this.#timer)
    this.#checkpoint('TRUNCATE')
  }

  /** @returns false if a reader holds commits back. Where the file cannot be written, the log keeps them until the next commit */
  #checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    try {
      const [row] = this.#connection.execute(`PRAGMA wal_checkpoint(${mode})`).rows
      return row?.['busy'] === 0 && row['log'] === row['checkpointed']
    } catch {
      return true
    }
  }
}
