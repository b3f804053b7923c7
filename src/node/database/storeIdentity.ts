/**
 * Compares a database with the marker of its data directory. The table `store_identity` has the ID of the database and counts
 * its write transactions, so that a copy that is older than the marker has a lower number. It counts neither rows, which
 * retention removes, nor time.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { counted } from '#domain/text/words.ts'
import { NotStored } from '../files/atomicFile.ts'
import {
  DataLoss,
  refuseMissing,
  remedy,
  type StoreOptions,
  readMarker,
  writeMarker,
  type Marker,
  traceOf,
} from '../files/dataLoss.ts'
import type { Statements } from './statements.ts'

/** A database with the table `store_identity`. */
export interface IdentifiedDatabase {
  rows: Statements['rows']
  transact<T>(work: (transaction: Statements) => Promise<T>): Promise<T>
}

interface CheckOptions extends StoreOptions {
  /** A query that finds something in each database that was in use. */
  records: string
}

type Identity = Pick<Marker, 'identity' | 'sequence'>

/**
 * Checks that the database is the one of the marker and not older, and writes the marker. A database without identity, of an
 * earlier version or new, gets one.
 * @throws DataLoss if it is another one, older, or new although the data directory had one: nothing is changed
 */
export async function checkIdentity(database: IdentifiedDatabase, options: CheckOptions): Promise<void> {
  const { dataDir, store, acceptDataLoss } = options
  // Before the database: another process that begins to use it marks it after it has an identity.
  const trace = traceOf(dataDir, store)
  const marker = readMarker(dataDir, store)
  const known = await readIdentity(database)
  const isEmpty = !known && (await database.rows(options.records)).length === 0
  if (!acceptDataLoss) refuseLoss({ trace, marker, known, isEmpty }, options)
  const found = known ?? (await createIdentity(database))
  const isMarked =
    typeof marker === 'object' && marker.identity === found.identity && marker.sequence === found.sequence
  if (isMarked) return
  try {
    markIfPossible(options, found)
  } catch (error) {
    // A full disk. The marker stays behind, so less is noticed; reads work.
    if (!(error instanceof NotStored)) throw error
  }
}

interface Found {
  /** The file that shows that there were records: see `traceOf`. */
  trace: string | undefined
  marker: Marker | 'damaged' | undefined
  known: Identity | undefined
  isEmpty: boolean
}

function refuseLoss({ trace, marker, known, isEmpty }: Found, options: CheckOptions): void {
  const { dataDir, store, title } = options
  if (isEmpty) {
    refuseMissing(options, 'is empty', trace)
    return
  }
  if (marker === undefined) return
  if (marker === 'damaged') {
    throw new DataLoss(
      `${store}.marker in DATA_DIR ${dataDir} is damaged, so it is unknown whether ${title} has all records. ` +
        remedy('to use the records that are there'),
    )
  }
  if (marker.identity !== known?.identity) {
    throw new DataLoss(
      `${title} is not the database that DATA_DIR ${dataDir} was used with until ${marker.writtenAt}. ` +
        remedy('to use it from now on'),
    )
  }
  const lost = marker.sequence - known.sequence
  if (lost > 0) {
    throw new DataLoss(
      `${title} is older than it was at ${marker.writtenAt}: at least ${counted(lost, 'later write')} ${lost === 1 ? 'is' : 'are'} ` +
        `missing. ${remedy('to go on without them')}`,
    )
  }
}

/** Milliseconds between a write and the marker that includes it. */
const usualDelay = 1_000
/** Milliseconds until another attempt after a failure. */
const retryDelay = 10_000

/** Counts write transactions in the database and in its marker, some time after them, so that no write waits for it. */
export class WriteCount {
  #waiting = 0
  /** Is in the database and not in the marker yet. */
  #unmarked: Identity | undefined
  #timer: NodeJS.Timeout | undefined
  #storing = Promise.resolve()
  readonly #database: Pick<IdentifiedDatabase, 'transact'>
  readonly #options: Pick<StoreOptions, 'dataDir' | 'store'>
  readonly #delay: number

  constructor(
    database: Pick<IdentifiedDatabase, 'transact'>,
    options: Pick<StoreOptions, 'dataDir' | 'store'>,
    delay = usualDelay,
  ) {
    this.#database = database
    this.#options = options
    this.#delay = delay
  }

  /** Call this after each commit. */
  committed(): void {
    this.#waiting += 1
    this.#schedule(this.#delay)
  }

  /** Stores what is waiting. Call this before the database is closed. */
  async close(): Promise<void> {
    await this.#storing
    clearTimeout(this.#timer)
    await this.#store()
    clearTimeout(this.#timer)
  }

  #schedule(delay: number): void {
    if (this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#storing = this.#store()
    }, delay)
    this.#timer.unref()
  }

  async #store(): Promise<void> {
    const count = this.#waiting
    this.#waiting = 0
    try {
      if (count > 0) this.#unmarked = await this.#add(count)
      // The number is on the disk: the marker is never ahead of the database.
      if (this.#unmarked) markIfPossible(this.#options, this.#unmarked)
      this.#unmarked = undefined
    } catch {
      // The server is away, or the disk is full. The marker stays behind until it is back.
      if (!this.#unmarked) this.#waiting += count
      this.#schedule(retryDelay)
    }
  }

  #add(count: number): Promise<Identity | undefined> {
    return this.#database.transact(async (transaction) => {
      await transaction.run('UPDATE store_identity SET sequence = sequence + ?', [count])
      return readIdentity(transaction)
    })
  }
}

/** Without a data directory there is no marker, as for a database of tests. @throws NotStored if the disk is full or read-only */
function markIfPossible({ dataDir, store }: Pick<StoreOptions, 'dataDir' | 'store'>, identity: Identity): void {
  if (existsSync(dataDir)) writeMarker(dataDir, store, identity)
}

async function readIdentity({ rows }: Pick<Statements, 'rows'>): Promise<Identity | undefined> {
  const [row] = await rows('SELECT id, sequence FROM store_identity')
  return row && { identity: String(row['id']), sequence: Number(row['sequence']) }
}

function createIdentity(database: IdentifiedDatabase): Promise<Identity> {
  return database.transact(async (transaction) => {
    const known = await readIdentity(transaction)
    if (known) return known
    const created = { identity: randomUUID(), sequence: 0 }
    await transaction.run('INSERT INTO store_identity (id, sequence) VALUES (?, ?)', [created.identity, 0])
    return created
  })
}
