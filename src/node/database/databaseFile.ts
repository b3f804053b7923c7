/** The SQLite file of a store: whether it is there and intact. */
import { existsSync, statSync } from 'node:fs'
import { LibsqlError } from '@libsql/client/sqlite3'
import { DataLoss, putDamagedAside, refuseMissing, remedy, type StoreOptions } from '../files/dataLoss/dataLoss.ts'
import { traceOf } from '../files/dataLoss/traces.ts'
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
