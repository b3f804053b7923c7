/**
 * The last reading of each connection and its last comparisons, for a console that starts again: it shows them at once, with their
 * age, while it reads again. They are stored some seconds later, in batches; one that is lost is read from the deployment again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { TimeSlice } from '#node/concurrency/timeSlices.ts'
import { VaultError } from '#node/secrets/vault.ts'
import { MalformedJson } from '#node/upstream/untrustedJson.ts'
import type { Database, Statement } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'

/** Milliseconds that readings wait, so that those of many connections are stored together. */
const delay = 2_000
/** Readings of one transaction. */
const batchSize = 50

/** `state`: the state of a connection. `names`: the names of its records. `drift` and `comparison`: beside another connection. */
export type ReadingPart = 'state' | 'names' | 'drift' | 'comparison'

export interface LastReading {
  part: ReadingPart
  /** The connection, or the pair of connections and who sees it. */
  key: string
  connectionId: string
  /** The connection that it is compared with. */
  baselineId?: string
  /** The revision of the connections when it was read. */
  revision: string
}

type Name = Pick<LastReading, 'part' | 'key'>

interface LastReadingsDependencies {
  database: Pick<Database, 'rows' | 'transactConcurrently'>
  sealed: SealedJson
  /** Another build may read and compare in another way: what it stored is not used. */
  build: string
  onError: (error: unknown) => void
}

const nameOf = ({ part, key }: Name) => `${part} ${key}`

export class LastReadings {
  /** The readings to store, and null for those to remove, by name. */
  readonly #waiting = new Map<string, (LastReading & { content: unknown }) | null>()
  #storing: Promise<void> | undefined
  readonly #closing = new AbortController()
  readonly #dependencies: LastReadingsDependencies

  constructor(dependencies: LastReadingsDependencies) {
    this.#dependencies = dependencies
  }

  /** Stores a reading in place of an earlier one. */
  note(reading: LastReading, content: unknown): void {
    this.#change(nameOf(reading), { ...reading, content })
  }

  /** Removes a reading that is not shown any more. */
  forget(reading: Name): void {
    this.#change(nameOf(reading), null)
  }

  /** The readings of a part that this build stored. Those that cannot be read are removed. */
  async all<T>(part: ReadingPart, schema: z.ZodType<T>): Promise<(LastReading & { content: T })[]> {
    const { database, sealed, build } = this.#dependencies
    const rows = await database.rows(
      'SELECT name, connection_id, baseline_id, revision, content FROM last_readings WHERE part = ? AND build = ?',
      [part, build],
    )
    const readings: (LastReading & { content: T })[] = []
    const slice = new TimeSlice()
    for (const row of rows) {
      const name = String(row['name'])
      const content = schema.safeParse(openOrUndefined(sealed, name, row['content']))
      const baselineId = row['baseline_id']
      const reading: LastReading = {
        part,
        key: name.slice(part.length + 1),
        connectionId: String(row['connection_id']),
        ...(baselineId != null && { baselineId: String(baselineId) }),
        revision: String(row['revision']),
      }
      if (content.success) readings.push({ ...reading, content: content.data })
      else this.forget(reading)
      if (slice.isOver()) await slice.next()
    }
    return readings
  }

  /**
   * Removes the readings of a connection that is deleted. One that is stored at the same moment, or by another console, is removed
   * with the next ones that are stored.
   */
  async removeOf(connectionId: string): Promise<void> {
    for (const [name, reading] of this.#waiting) {
      if (reading?.connectionId === connectionId || reading?.baselineId === connectionId) this.#waiting.delete(name)
    }
    const sql = 'DELETE FROM last_readings WHERE connection_id = ? OR baseline_id = ?'
    await this.#carryOut([{ sql, args: [connectionId, connectionId] }])
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    this.#closing.abort()
    while (this.#storing) await this.#storing
  }

  #change(name: string, reading: (LastReading & { content: unknown }) | null): void {
    if (this.#closing.signal.aborted) return
    this.#waiting.set(name, reading)
    this.#storing ??= this.#store()
  }

  async #store(): Promise<void> {
    await sleep(delay, undefined, { signal: this.#closing.signal }).catch(() => {})
    try {
      const slice = new TimeSlice()
      let statements: Statement[] = []
      // In one order, so that two consoles do not wait for each other's rows.
      for (const name of [...this.#waiting.keys()].toSorted()) {
        const reading = this.#waiting.get(name)
        if (reading === undefined) continue
        this.#waiting.delete(name)
        statements.push(reading === null ? removal(name) : this.#upsert(name, reading))
        if (statements.length >= batchSize) {
          await this.#carryOut(statements)
          statements = []
        }
        if (slice.isOver()) await slice.next()
      }
      await this.#carryOut([...statements, removalOfOthers])
    } catch (error) {
      this.#dependencies.onError(error)
    } finally {
      this.#storing = this.#waiting.size > 0 ? this.#store() : undefined
    }
  }

  async #carryOut(statements: readonly Statement[]): Promise<void> {
    await this.#dependencies.database.transactConcurrently(async ({ run }) => {
      for (const { sql, args } of statements) await run(sql, args)
    })
  }

  #upsert(name: string, reading: LastReading & { content: unknown }): Statement {
    const { part, connectionId, baselineId = null, revision, content } = reading
    const { sealed, build } = this.#dependencies
    return {
      sql: `INSERT INTO last_readings (name, part, connection_id, baseline_id, revision, build, content)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET connection_id = excluded.connection_id, baseline_id = excluded.baseline_id,
          revision = excluded.revision, build = excluded.build, content = excluded.content`,
      args: [name, part, connectionId, baselineId, revision, build, sealed.seal(contextOf(name), content)],
    }
  }
}

const contextOf = (name: string) => `last reading ${name}`

const removal = (name: string): Statement => ({ sql: 'DELETE FROM last_readings WHERE name = ?', args: [name] })

/** Removes the readings of connections that were deleted while they were read or compared. */
const removalOfOthers: Statement = {
  sql: `DELETE FROM last_readings WHERE connection_id NOT IN (SELECT id FROM connections)
    OR (baseline_id IS NOT NULL AND baseline_id NOT IN (SELECT id FROM connections))`,
}

/** Undefined for one that is damaged: it is read from the deployment again. */
function openOrUndefined(sealed: SealedJson, name: string, bytes: unknown): unknown {
  if (!(bytes instanceof ArrayBuffer)) return undefined
  try {
    return sealed.open(contextOf(name), new Uint8Array(bytes))
  } catch (error) {
    if (error instanceof VaultError || error instanceof MalformedJson) return undefined
    throw error
  }
}
