/** Sessions: opaque ids, stored as hashes, so that a restart signs nobody out. */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { signInWays, type SessionEntry } from '#contract/console/connections.ts'
import { currentTime, wallClock, type WallClock } from '#node/clock/wallClock.ts'
import type { Database, Row, Statement } from '../../database/database.ts'
import { StoredRows } from '../../database/storedRows.ts'
import { takeOverFile } from '../../database/formerFiles.ts'

export const idleTimeout = 12 * 3_600_000
export const absoluteTimeout = 7 * 24 * 3_600_000

/** Milliseconds after which a session ends: without use, and in any case. */
export interface SessionLimits {
  idle: number
  absolute: number
}
export const defaultLimits: SessionLimits = { idle: idleTimeout, absolute: absoluteTimeout }

/** Milliseconds between two writes of a session's last use. */
const touchInterval = 60_000
/** The oldest sessions are removed beyond this. */
const maxSessions = 5_000
/** The oldest sessions of one person, and of those without a person, are removed beyond this. */
const maxOfPerson = 100

const formerSessions = z.object({
  sessions: z.array(
    z.object({
      hash: z.string(),
      createdAt: z.number(),
      seenAt: z.number(),
      way: z.enum(signInWays).optional(),
      browser: z.string().default(''),
      address: z.string().default(''),
      /** Absent for a session that began with the link or password of the console. */
      person: z.string().optional(),
    }),
  ),
})
type StoredSession = z.infer<typeof formerSessions>['sessions'][number]

const sessionRow = z.object({
  hash: z.string(),
  created_at: z.number(),
  seen_at: z.number(),
  way: z.enum(signInWays).nullable().catch(null),
  browser: z.string(),
  address: z.string(),
  person: z.string().nullable(),
})

/** How a session was started, to tell it from others in the list. */
export type Start = Pick<StoredSession, 'way' | 'browser'> & Partial<Pick<StoredSession, 'address' | 'person'>>
/** Stored characters of the user agent. */
const maxBrowserLength = 300

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
/** The public id of a session: half of the hash, so that the whole hash is never shown. */
const idOf = ({ hash }: Pick<StoredSession, 'hash'>) => sessionIdOf(hash)
/** The public id of the session with this key. */
export const sessionIdOf = (key: string) => key.slice(0, 32)
const iso = (at: number) => new Date(at).toISOString()
const randomSecret = () => randomBytes(32).toString('base64url')
const derive = promisify<string, Buffer, number, Buffer>(scrypt)

/** A session in use. */
export interface FoundSession {
  /** Identifies it in this process. Not its ID. */
  key: string
  /** Undefined for a session that began with the link or password of the console. */
  person: string | undefined
}

export class Sessions {
  /** Sessions read from a file, which nobody else changes. Another console may end a session at any time. */
  readonly #held = new Map<string, StoredSession>()
  /** Counts how often sessions ended here. */
  #forgotten = 0
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #now: () => number
  readonly #limits: SessionLimits
  readonly #clock: Pick<WallClock, 'skippedSince' | 'deletionLag'>

  constructor(
    database: Database,
    now: () => number = currentTime,
    limits: SessionLimits = defaultLimits,
    clock: Pick<WallClock, 'skippedSince' | 'deletionLag'> = wallClock,
  ) {
    this.#database = database
    this.#now = now
    this.#limits = limits
    this.#clock = clock
    this.#stored = new StoredRows(database, 'sessions')
  }

  /** Starts a session that replaces the browser's former one. @returns its secret id, which is not stored */
  async start({ way, browser, address = '', person }: Start, former?: string): Promise<string> {
    const id = randomSecret()
    const now = this.#now()
    const { idle, absolute } = this.#limits
    const trusted = now - this.#clock.deletionLag()
    const from = { way, browser: browser.slice(0, maxBrowserLength), address, person }
    const formerHash = former === undefined ? '' : hashOf(former)
    const removals: Statement[] = [
      {
        sql: 'DELETE FROM sessions WHERE hash = ? OR seen_at <= ? OR created_at <= ? RETURNING hash',
        args: [formerHash, trusted - idle, trusted - absolute],
      },
      {
        // Many sign-ins of one person sign out nobody else.
        sql: `DELETE FROM sessions WHERE hash IN (
          SELECT hash FROM sessions WHERE coalesce(person, '') = ? ORDER BY created_at DESC LIMIT 1000 OFFSET ?) RETURNING hash`,
        args: [person ?? '', maxOfPerson - 1],
      },
      {
        sql: `DELETE FROM sessions WHERE hash IN (
          SELECT hash FROM sessions ORDER BY created_at DESC LIMIT 1000 OFFSET ?) RETURNING hash`,
        args: [maxSessions - 1],
      },
    ]
    const ended = await this.#database.transact(async ({ rows, run }) => {
      const gone: string[] = []
      for (const { sql, args } of removals) gone.push(...(await rows(sql, args)).map(({ hash }) => String(hash)))
      const { sql, args } = insert({ hash: hashOf(id), createdAt: now, seenAt: now, ...from })
      await run(sql, args)
      return gone
    })
    this.#forget([formerHash, ...ended])
    return id
  }

  /** The session with this id; null if it does not exist or has expired. */
  async find(id: string | undefined): Promise<FoundSession | null> {
    const session = id === undefined ? undefined : await this.#read(hashOf(id))
    if (!session || this.#expired(session)) return null
    const now = this.#now()
    if (now - session.seenAt >= touchInterval) await this.#touch(session, now)
    return { key: session.hash, person: session.person }
  }

  /** The number of sessions of each person who has any. */
  async counts(): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for (const session of await this.#all()) {
      const { person } = session
      if (person !== undefined && !this.#expired(session)) counts.set(person, (counts.get(person) ?? 0) + 1)
    }
    return counts
  }

  async end(id: string | undefined): Promise<void> {
    if (id !== undefined) await this.#remove([hashOf(id)])
  }

  /** The sessions of the caller, most recently used first. @param currentKey the key of the caller's session */
  async list(currentKey: string, person?: string): Promise<SessionEntry[]> {
    return (await this.listAll(currentKey))
      .filter(({ personId }) => personId === person)
      .map(({ personId: _person, ...entry }) => entry)
  }

  /** The sessions of everybody, most recently used first, each with the ID of its person. */
  async listAll(currentKey: string): Promise<(SessionEntry & { personId: string | undefined })[]> {
    const live = (await this.#all()).filter((session) => !this.#expired(session))
    return live
      .toSorted((a, b) => b.seenAt - a.seenAt)
      .map((session) => ({
        id: idOf(session),
        personId: session.person,
        current: session.hash === currentKey,
        way: session.way,
        browser: session.browser,
        ...(session.address && { address: session.address }),
        createdAt: iso(session.createdAt),
        seenAt: iso(session.seenAt),
        endsAt: iso(Math.min(session.seenAt + this.#limits.idle, session.createdAt + this.#limits.absolute)),
      }))
  }

  /** Ends the sessions that match, damaged ones included, so that they stay ended once they are repaired. @returns their keys */
  async endThose(
    isOne: (entry: { id: string; name: string; person: string | undefined }) => boolean,
  ): Promise<string[]> {
    const rows = await this.#database.rows('SELECT * FROM sessions ORDER BY created_at')
    const all = rows.map((row) => this.#stored.ifReadable(row, sessionOf) ?? whoseOf(row))
    const ended = all.filter((session) => isOne({ id: idOf(session), name: session.hash, person: session.person }))
    const names = ended.map(({ hash }) => hash)
    await this.#remove(names)
    return names
  }

  /** Takes over the sessions of the version that had them in `sessions.json`. Call this before the first request. */
  async takeOver(dataDir: string): Promise<void> {
    await takeOverFile(join(dataDir, 'sessions.json'), formerSessions, async ({ sessions }) => {
      if (sessions.length > 0) await this.#database.write(...sessions.map(insert))
    })
  }

  /** Milliseconds that a cookie is kept. */
  get longest(): number {
    return this.#limits.absolute
  }

  async #read(hash: string): Promise<StoredSession | undefined> {
    const known = this.#held.get(hash)
    if (known) return known
    const forgotten = this.#forgotten
    const [row] = await this.#database.rows('SELECT * FROM sessions WHERE hash = ?', [hash])
    const session = this.#stored.ifReadable(row, sessionOf)
    if (!session) return undefined
    // It may have ended while it was read.
    if (forgotten === this.#forgotten) this.#hold(session)
    return session
  }

  #hold(session: StoredSession): void {
    if (this.#database.isShared) return
    this.#held.set(session.hash, session)
    const [oldest] = this.#held.keys()
    if (this.#held.size > maxSessions && oldest !== undefined) this.#held.delete(oldest)
  }

  async #all(): Promise<StoredSession[]> {
    return this.#stored.each(await this.#database.rows('SELECT * FROM sessions ORDER BY created_at'), sessionOf)
  }

  async #remove(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return
    await this.#database.write(...hashes.map((hash) => ({ sql: 'DELETE FROM sessions WHERE hash = ?', args: [hash] })))
    this.#forget(hashes)
  }

  /** Call this after the rows were changed elsewhere. */
  forgetHeld(): void {
    this.#forgotten += 1
    this.#held.clear()
  }

  #forget(hashes: readonly string[]): void {
    this.#forgotten += 1
    for (const hash of hashes) this.#held.delete(hash)
  }

  #expired({ createdAt, seenAt }: StoredSession): boolean {
    const since = (time: number) => this.#now() - time - this.#clock.skippedSince(time)
    return since(seenAt) >= this.#limits.idle || since(createdAt) >= this.#limits.absolute
  }

  /** A full disk signs nobody out: the time of use is stored later. */
  async #touch(session: StoredSession, seenAt: number): Promise<void> {
    const change = 'UPDATE sessions SET seen_at = ? WHERE hash = ? AND seen_at < ?'
    await this.#database
      .transactConcurrently(({ run }) => run(change, [seenAt, session.hash, seenAt]))
      .then(() => this.#held.has(session.hash) && this.#hold({ ...session, seenAt }))
      .catch(() => {})
  }
}

function insert({ hash, createdAt, seenAt, way, browser, address, person }: StoredSession): Statement {
  return {
    sql: `INSERT INTO sessions (hash, created_at, seen_at, way, browser, address, person) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
    args: [hash, createdAt, seenAt, way ?? null, browser, address, person ?? null],
  }
}

/** The fields that tell whose session it is, of a damaged session too. */
function whoseOf({ hash, person }: Row): Pick<StoredSession, 'hash' | 'person'> {
  return { hash: String(hash), person: typeof person === 'string' ? person : undefined }
}

function sessionOf(row: Row): StoredSession {
  const { hash, created_at: createdAt, seen_at: seenAt, way, browser, address, person } = sessionRow.parse(row)
  return { hash, createdAt, seenAt, way: way ?? undefined, browser, address, person: person ?? undefined }
}

/** Checks the password without storing it in memory. */
export class Password {
  readonly #salt = randomBytes(16)
  readonly #derived: Promise<Buffer>

  constructor(password: string) {
    this.#derived = derive(password, this.#salt, 32)
  }

  async matches(entered: string): Promise<boolean> {
    return timingSafeEqual(await derive(entered, this.#salt, 32), await this.#derived)
  }
}
