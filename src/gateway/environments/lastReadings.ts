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

/** `state`: what was read. `names`: those of its records. `drift` and `comparison`: beside another connection. */
export type ReadingPart = 'state' | 'names' | 'drift' | 'comparison'

export interface LastReading {
  part: ReadingPart
  /** The connection, or the pair of connections and who sees it. */
  key: string
  connectionId: string
  /** The revision of the connections when it was read. */
  revision: string
}

interface LastReadingsDependencies {
  database: Pick<Database, 'rows' | 'write'>
  sealed: SealedJson
  onError: (error: unknown) => void
}

const nameOf = ({ part, key }: Pick<LastReading, 'part' | 'key'>) => `${part} ${key}`

export class LastReadings {
  private readonly waiting = new Map<string, LastReading & { content: unknown }>()
  private storing: Promise<void> | undefined
  private readonly closing = new AbortController()

  constructor(private readonly dependencies: LastReadingsDependencies) {}

  /** Takes the place of an earlier one. */
  note(reading: LastReading, content: unknown): void {
    if (this.closing.signal.aborted) return
    this.waiting.set(nameOf(reading), { ...reading, content })
    this.storing ??= this.store()
  }

  /** All of a part that can be read and have the form of a schema. */
  async all<T>(part: ReadingPart, schema: z.ZodType<T>): Promise<(LastReading & { content: T })[]> {
    const { database, sealed } = this.dependencies
    const rows = await database.rows(
      'SELECT name, connection_id, revision, content FROM last_readings WHERE part = ?',
      [part],
    )
    const readings: (LastReading & { content: T })[] = []
    const slice = new TimeSlice()
    for (const row of rows) {
      const name = String(row['name'])
      const content = schema.safeParse(openOrUndefined(sealed, name, row['content']))
      const [connectionId, revision] = [String(row['connection_id']), String(row['revision'])]
      if (content.success) {
        readings.push({ part, key: name.slice(part.length + 1), connectionId, revision, content: content.data })
      }
      if (slice.isOver()) await slice.next()
    }
    return readings
  }

  /** Forgets some of those that are stored. */
  async remove(readings: readonly Pick<LastReading, 'part' | 'key'>[]): Promise<void> {
    if (readings.length === 0) return
    const statements = readings.map((reading) => removal('name', nameOf(reading)))
    await this.dependencies.database.write(...statements).catch(this.dependencies.onError)
  }

  /** Forgets a connection that is deleted. */
  async removeOf(connectionId: string): Promise<void> {
    for (const [name, reading] of this.waiting) if (reading.connectionId === connectionId) this.waiting.delete(name)
    await this.dependencies.database.write(removal('connection_id', connectionId))
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    this.closing.abort()
    await this.storing
  }

  private async store(): Promise<void> {
    await sleep(delay, undefined, { signal: this.closing.signal }).catch(() => {})
    try {
      const slice = new TimeSlice()
      const statements: Statement[] = []
      // In one order, so that two consoles do not wait for each other's rows.
      for (const [name, reading] of [...this.waiting].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        this.waiting.delete(name)
        statements.push(this.upsert(name, reading))
        if (statements.length >= batchSize) await this.dependencies.database.write(...statements.splice(0))
        if (slice.isOver()) await slice.next()
      }
      if (statements.length > 0) await this.dependencies.database.write(...statements)
    } catch (error) {
      this.dependencies.onError(error)
    } finally {
      this.storing = this.waiting.size > 0 && !this.closing.signal.aborted ? this.store() : undefined
    }
  }

  private upsert(name: string, { part, connectionId, revision, content }: LastReading & { content: unknown }) {
    return {
      sql: `INSERT INTO last_readings (name, part, connection_id, revision, content) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET connection_id = excluded.connection_id, revision = excluded.revision,
          content = excluded.content`,
      args: [name, part, connectionId, revision, this.dependencies.sealed.seal(contextOf(name), content)],
    }
  }
}

const contextOf = (name: string) => `last reading ${name}`

const removal = (column: 'name' | 'connection_id', value: string): Statement => ({
  sql: `DELETE FROM last_readings WHERE ${column} = ?`,
  args: [value],
})

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
