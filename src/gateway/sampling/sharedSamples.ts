/**
 * Samples of connections that consoles on one database share. Whichever console comes first in an interval reads the
 * metrics, and all of them show what each has read. Times are milliseconds since 1970.
 */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { z } from 'zod'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Row } from '#node/database/statements.ts'
import type { Database } from '../database/database.ts'
import { StoredRows } from '../database/storedRows.ts'
import type { Scrape } from './readSamples.ts'
import { maxSamples, maxSamplesPerPipe, retention } from './retainedSamples.ts'

/** A scrape, when it was taken, and the interval at that time. */
export interface TakenScrape extends Scrape {
  at: number
  pace: number
}

/** A connection in one of its revisions: an edit may lead to another deployment. */
export interface SampledConnection {
  connectionId: string
  revision: string
}

/** The share of an interval after which another console may read the metrics: timers are not exact. */
const share = 0.8

const row = z.object({ at: z.coerce.number(), pace: z.coerce.number(), text: z.string() })
const samples = z.object({
  pipes: z.array(z.tuple([z.string(), z.unknown()])),
  services: z.array(z.tuple([z.string(), z.unknown()])),
})
const deflated = promisify(deflateRaw)
const inflated = promisify(inflateRaw)

export class SharedSamples {
  readonly #stored: StoredRows
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
    this.#stored = new StoredRows(database, 'samples')
  }

  /** True for one of several consoles in each interval: it reads the metrics. */
  claim({ connectionId, revision }: SampledConnection, interval: number): Promise<boolean> {
    const now = currentTime()
    return this.#database.transactConcurrently(async ({ run }) => {
      const claimed = await run(
        `INSERT INTO samplings (connection_id, revision, begun_at) VALUES (?, ?, ?)
          ON CONFLICT (connection_id, revision) DO UPDATE SET begun_at = excluded.begun_at
          WHERE abs(excluded.begun_at - samplings.begun_at) >= ?`,
        [connectionId, revision, now, Math.floor(interval * share)],
      )
      return claimed > 0
    })
  }

  /**
   * Stores a scrape, unless a later one is stored already: other consoles have read on to that one, and would never show
   * this one.
   */
  async add({ connectionId, revision }: SampledConnection, { at, pace, pipes, services }: TakenScrape): Promise<void> {
    const bytes = await deflated(JSON.stringify({ pipes: [...pipes], services: [...services] }))
    const kept = Math.max(1, Math.min(maxSamplesPerPipe, Math.floor(maxSamples / Math.max(1, pipes.size))))
    await this.#database.transactConcurrently(async ({ run }) => {
      // One console after another: the row is locked until the end of the transaction.
      await run('UPDATE samplings SET begun_at = begun_at WHERE connection_id = ? AND revision = ?', [
        connectionId,
        revision,
      ])
      await run(
        `INSERT INTO samples (connection_id, revision, at, pace, bytes) SELECT ?, ?, ?, ?, ?
          WHERE NOT EXISTS (SELECT 1 FROM samples WHERE connection_id = ? AND revision = ? AND at >= ?)`,
        [connectionId, revision, at, Math.round(pace), bytes, connectionId, revision, at],
      )
      await run(
        `DELETE FROM samples WHERE connection_id = ? AND revision = ? AND at <= (SELECT at FROM samples
          WHERE connection_id = ? AND revision = ? ORDER BY at DESC LIMIT 1 OFFSET ?)`,
        [connectionId, revision, connectionId, revision, kept],
      )
      const oldest = currentTime() - retention
      await run('DELETE FROM samples WHERE at < ?', [oldest])
      await run('DELETE FROM samplings WHERE begun_at < ?', [oldest])
    })
  }

  /** Samples taken after a time, the oldest first. */
  async after({ connectionId, revision }: SampledConnection, at: number): Promise<TakenScrape[]> {
    const rows = await this.#database.rows(
      `SELECT connection_id, revision, at, pace, bytes FROM samples WHERE connection_id = ? AND revision = ? AND at > ? AND at > ?
        ORDER BY at DESC LIMIT ?`,
      [connectionId, revision, at, currentTime() - retention, maxSamplesPerPipe],
    )
    return this.#stored.each(await Promise.all(rows.toReversed().map(inflatedRow)), scrapeOf)
  }
}

/** The row with the decompressed text of its bytes, unless they are damaged. */
async function inflatedRow({ bytes, ...rest }: Row): Promise<Row> {
  const text = bytes instanceof ArrayBuffer && (await inflated(new Uint8Array(bytes)).catch(() => null))
  return { ...rest, text: text ? text.toString() : null }
}

function scrapeOf(found: Row): TakenScrape {
  const { at, pace, text } = row.parse(found)
  // Stored by `add`.
  const { pipes, services } = samples.parse(JSON.parse(text)) as {
    pipes: [string, never][]
    services: [string, never][]
  }
  return { at, pace, pipes: new Map(pipes), services: new Map(services) }
}
