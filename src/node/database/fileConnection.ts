/** A connection to an SQLite file, which keeps its statements prepared: that takes several times as long as to run most of them. */
import { LibsqlError } from '@libsql/client/sqlite3'
import Database from 'libsql'
import type { Row, Value } from './statements.ts'

export interface Result {
  rows: Row[]
  /** The number of changed rows; 0 for a statement that returns rows. */
  rowsAffected: number
}

type Prepared = ReturnType<Database.Database['prepare']>

/** Milliseconds that SQLite waits, in this thread, for a lock of another connection. */
const busyTimeout = 5_000

/** Statements that stay prepared: more than the product has in use at a time. */
const maxPrepared = 150

/** Every statement ends before its method returns, so no two of them overlap. Errors of SQLite are LibsqlErrors. */
export class FileConnection {
  /** Undefined before the first use. */
  #database: Database.Database | undefined
  /** The one that was used last comes last. */
  readonly #prepared = new Map<string, Prepared>()
  #isClosed = false
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  get isInTransaction(): boolean {
    // The library ends the process when it is asked about a closed database.
    return this.#database?.inTransaction ?? false
  }

  execute(sql: string, args: readonly Value[] = []): Result {
    return this.#mapErrors(() => {
      const values = args.map(toSql)
      // An argument that is left out keeps its value of the run before, so a statement always gets as many.
      const key = `${values.length} ${sql}`
      const statement = this.#prepared.get(key) ?? this.#prepare(sql)
      // Only one that succeeds is kept: after an error, it may be in the middle of its run.
      this.#prepared.delete(key)
      const result = run(statement, values)
      this.#keep(key, statement)
      return result
    })
  }

  /** Runs several statements, separated by semicolons. */
  executeMultiple(sql: string): void {
    this.#mapErrors(() => this.#open().exec(sql))
  }

  /** Ends a transaction that was not committed. A connection that cannot do so is replaced by a new one. */
  rollback(): void {
    if (!this.isInTransaction) return
    try {
      this.execute('ROLLBACK')
    } catch {
      this.#disconnect()
    }
  }

  close(): void {
    // The library closes the file once all statements are garbage, and would hold the lock of a transaction until then.
    this.rollback()
    this.#isClosed = true
    this.#disconnect()
  }

  #open(): Database.Database {
    if (this.#isClosed) throw new LibsqlError('The database is closed', 'CLIENT_CLOSED')
    return (this.#database ??= new Database(this.#path, { timeout: busyTimeout }))
  }

  #prepare(sql: string): Prepared {
    const statement = this.#open().prepare(sql).safeIntegers(true)
    return statement.reader ? statement.raw(true) : statement
  }

  #keep(key: string, statement: Prepared): void {
    this.#prepared.set(key, statement)
    if (this.#prepared.size <= maxPrepared) return
    for (const oldest of this.#prepared.keys()) {
      this.#prepared.delete(oldest)
      return
    }
  }

  #disconnect(): void {
    this.#prepared.clear()
    const database = this.#database
    this.#database = undefined
    try {
      database?.close()
    } catch {
      // Nothing of it is used again.
    }
  }

  #mapErrors<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error
      const { message, code, rawCode } = error
      throw new LibsqlError(message, /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code, code, rawCode, error)
    }
  }
}

/**
 * Does work in a write transaction, which is rolled back unless the work commits it. A connection has one at a time.
 * @throws LibsqlError if SQLite does not begin it
 */
export async function inTransaction<T>(
  connection: FileConnection,
  work: (transaction: FileTransaction) => Promise<T>,
): Promise<T> {
  connection.execute('BEGIN IMMEDIATE')
  const transaction = new FileTransaction(connection)
  try {
    return await work(transaction)
  } finally {
    transaction.close()
  }
}

/** Refuses statements once it has ended: they would be of no transaction, or of the next one. */
class FileTransaction {
  #hasEnded = false
  readonly #connection: FileConnection

  constructor(connection: FileConnection) {
    this.#connection = connection
  }

  execute(sql: string, args?: readonly Value[]): Result {
    this.#requireOpen()
    return this.#connection.execute(sql, args)
  }

  executeMultiple(sql: string): void {
    this.#requireOpen()
    this.#connection.executeMultiple(sql)
  }

  commit(): void {
    this.execute('COMMIT')
  }

  /** Rolls back what was not committed. */
  close(): void {
    this.#hasEnded = true
    this.#connection.rollback()
  }

  /** SQLite itself ends a transaction after some errors, as of a full disk. */
  #requireOpen(): void {
    if (this.#hasEnded || !this.#connection.isInTransaction) {
      throw new LibsqlError('The transaction has ended', 'TRANSACTION_CLOSED')
    }
  }
}

function run(statement: Prepared, values: readonly Value[]): Result {
  if (!statement.reader) return { rows: [], rowsAffected: statement.run(values).changes }
  // The library's types do not know that rows are arrays in raw mode.
  const rows = statement.all(values) as unknown[][]
  // Afterwards: the run prepares a statement again whose tables have other columns meanwhile.
  const columns = rows.length > 0 ? statement.columns().map(({ name }) => name) : []
  return { rows: rows.map((row) => toRow(row, columns)), rowsAffected: 0 }
}

/** The first one of columns with the same name counts. */
function toRow(values: readonly unknown[], columns: readonly string[]): Row {
  const row: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    if (!Object.hasOwn(row, column)) row[column] = fromSql(values[index])
  }
  return row
}

function fromSql(value: unknown): unknown {
  if (value instanceof Buffer) return value.buffer
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('SQLite returned an integer that a number cannot represent.')
  return number
}

function toSql(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('A statement got undefined as an argument.')
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RangeError('A statement got a number that is not finite as an argument.')
  }
  return value
}
