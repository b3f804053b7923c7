/** Sessions: opaque ids, stored as hashes in `sessions.json`, so that a restart signs nobody out. */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { signInWays, type SessionEntry } from '#contract/connections.ts'
import { StateFile } from '#node/stateFile.ts'
import { NotStored } from '#node/atomicFile.ts'

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
const maxSessions = 500

const sessions = z.object({
  sessions: z.array(
    z.object({
      hash: z.string(),
      createdAt: z.number(),
      seenAt: z.number(),
      way: z.enum(signInWays).optional(),
      browser: z.string().default(''),
      address: z.string().default(''),
      /** Absent for who signed in with the link or password of the console. */
      person: z.string().optional(),
    }),
  ),
})
type StoredSession = z.infer<typeof sessions>['sessions'][number]

/** How a session was started, to tell it from others in the list. */
export type Start = Pick<StoredSession, 'way' | 'browser'> & Partial<Pick<StoredSession, 'address' | 'person'>>
/** Stored characters of the user agent. */
const maxBrowserLength = 300

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
/** The public id of a session: half of the hash, so that the whole hash is never shown. */
const idOf = ({ hash }: StoredSession) => sessionIdOf(hash)
/** The public id of the session with this key. */
export const sessionIdOf = (key: string) => key.slice(0, 32)
const iso = (at: number) => new Date(at).toISOString()
const randomSecret = () => randomBytes(32).toString('base64url')
const derive = promisify<string, Buffer, number, Buffer>(scrypt)

export class Sessions {
  private readonly file: StateFile<typeof sessions>
  private live: Map<string, StoredSession>

  constructor(
    dataDir: string,
    private readonly now: () => number = Date.now,
    private readonly limits: SessionLimits = defaultLimits,
  ) {
    this.file = new StateFile(join(dataDir, 'sessions.json'), sessions)
    this.live = new Map(this.file.read()?.sessions.map((session) => [session.hash, session]))
  }

  /** Starts a session that replaces the browser's former one. @returns its secret id, which is not stored */
  start({ way, browser, address = '', person }: Start, former?: string): string {
    const id = randomSecret()
    const now = this.now()
    const others = this.others(former === undefined ? [] : [hashOf(former)]).filter((one) => !this.expired(one))
    const from = { way, browser: browser.slice(0, maxBrowserLength), address, person }
    const started = { hash: hashOf(id), createdAt: now, seenAt: now, ...from }
    this.store([...others.slice(Math.max(0, others.length - maxSessions + 1)), started])
    return id
  }

  /** The key of the session with this id; null if it does not exist or has expired. */
  find(id: string | undefined): string | null {
    const session = id === undefined ? undefined : this.live.get(hashOf(id))
    if (!session || this.expired(session)) return null
    const now = this.now()
    if (now - session.seenAt >= touchInterval) this.touch(session, now)
    return session.hash
  }

  /** The person of a session; undefined for who signed in with the link or password of the console. */
  personOf(key: string): string | undefined {
    return this.live.get(key)?.person
  }

  /** The number of sessions of each person who has any. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const session of this.live.values()) {
      const { person } = session
      if (person !== undefined && !this.expired(session)) counts.set(person, (counts.get(person) ?? 0) + 1)
    }
    return counts
  }

  end(id: string | undefined): void {
    const hash = id === undefined ? '' : hashOf(id)
    if (this.live.has(hash)) this.store(this.others([hash]))
  }

  /** The sessions of the caller, most recently used first. @param currentKey the key of the caller's session */
  list(currentKey: string, person?: string): SessionEntry[] {
    return this.listAll(currentKey)
      .filter((one) => one.personId === person)
      .map(({ personId: _person, ...entry }) => entry)
  }

  /** The sessions of everybody, most recently used first, each with the ID of its person. */
  listAll(currentKey: string): (SessionEntry & { personId: string | undefined })[] {
    const live = [...this.live.values()].filter((session) => !this.expired(session))
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
        endsAt: iso(Math.min(session.seenAt + this.limits.idle, session.createdAt + this.limits.absolute)),
      }))
  }

  /** Ends the sessions that match. @returns their keys */
  endThose(isOne: (entry: { id: string; name: string; person: string | undefined }) => boolean): string[] {
    const ended = [...this.live.values()].filter((one) => isOne({ id: idOf(one), name: one.hash, person: one.person }))
    const names = ended.map(({ hash }) => hash)
    if (ended.length > 0) this.store(this.others(names))
    return names
  }

  private expired({ createdAt, seenAt }: StoredSession): boolean {
    const now = this.now()
    return now - seenAt >= this.limits.idle || now - createdAt >= this.limits.absolute
  }

  private others(names: readonly string[]): StoredSession[] {
    return [...this.live.values()].filter(({ hash }) => !names.includes(hash))
  }

  /** A full disk signs nobody out: the time of use is stored later. */
  private touch(used: StoredSession, seenAt: number): void {
    try {
      this.store([...this.live.values()].map((session) => (session === used ? { ...session, seenAt } : session)))
    } catch (error) {
      if (!(error instanceof NotStored)) throw error
    }
  }

  /** Milliseconds that a cookie is kept. */
  get longest(): number {
    return this.limits.absolute
  }

  /** Writes to the disk first, so that memory never holds what could not be stored. */
  private store(sessions: StoredSession[]): void {
    this.file.write({ sessions })
    this.live = new Map(sessions.map((session) => [session.hash, session]))
  }
}

/** The token of the sign-in link. It can be used once. */
export class SignInToken {
  private current = randomSecret()

  matches(token: string): boolean {
    return sameSecret(token, this.current)
  }

  /** Replaces the token. Call this after a sign-in. */
  renew(): void {
    this.current = randomSecret()
  }

  get value(): string {
    return this.current
  }
}

/** Checks the password without storing it in memory. */
export class Password {
  private readonly salt = randomBytes(16)
  private readonly derived: Promise<Buffer>

  constructor(password: string) {
    this.derived = derive(password, this.salt, 32)
  }

  async matches(entered: string): Promise<boolean> {
    return timingSafeEqual(await derive(entered, this.salt, 32), await this.derived)
  }
}

function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)))
}
