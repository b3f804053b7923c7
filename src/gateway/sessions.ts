/** Who is signed in: opaque ids, kept as hashes in `sessions.json`, so that a restart signs nobody out. */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { signInWays, type SessionEntry } from '#contract/connections.ts'
import { StateFile } from '#node/stateFile.ts'

export const idleTimeout = 12 * 3_600_000
export const absoluteTimeout = 7 * 24 * 3_600_000
/** How stale a session's last use may be on disk: not every request is worth a write. */
const touchInterval = 60_000
/** Old sessions go when so many exist. */
const maxSessions = 500

const sessions = z.object({
  sessions: z.array(
    z.object({
      hash: z.string(),
      createdAt: z.number(),
      seenAt: z.number(),
      way: z.enum(signInWays).optional(),
      browser: z.string().default(''),
    }),
  ),
})
type StoredSession = z.infer<typeof sessions>['sessions'][number]

/** How a session came to be, for telling it from others. */
export type Start = Pick<StoredSession, 'way' | 'browser'>
/** Characters of what a browser calls itself. */
const longestBrowser = 300

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
/** Names a session where it is shown; half of the hash, so that not even that is told. */
const idOf = ({ hash }: StoredSession) => hash.slice(0, 32)
const iso = (at: number) => new Date(at).toISOString()
const randomSecret = () => randomBytes(32).toString('base64url')
const derive = promisify<string, Buffer, number, Buffer>(scrypt)

export class Sessions {
  private readonly file: StateFile<typeof sessions>
  private readonly live: Map<string, StoredSession>

  constructor(
    dataDir: string,
    private readonly now: () => number = Date.now,
  ) {
    this.file = new StateFile(join(dataDir, 'sessions.json'), sessions)
    this.live = new Map(this.file.read()?.sessions.map((session) => [session.hash, session]))
  }

  /** Starts a session and returns its id, which is stored nowhere. */
  start({ way, browser }: Start): string {
    const id = randomSecret()
    const now = this.now()
    for (const session of this.live.values()) if (this.expired(session)) this.live.delete(session.hash)
    if (this.live.size >= maxSessions) this.live.delete(this.live.keys().next().value ?? '')
    this.live.set(hashOf(id), {
      hash: hashOf(id),
      createdAt: now,
      seenAt: now,
      way,
      browser: browser.slice(0, longestBrowser),
    })
    this.save()
    return id
  }

  /** A name for the session behind an id, fit for keying things by; null when there is none or its time is over. */
  find(id: string | undefined): string | null {
    const session = id === undefined ? undefined : this.live.get(hashOf(id))
    if (!session || this.expired(session)) return null
    const now = this.now()
    if (now - session.seenAt >= touchInterval) {
      session.seenAt = now
      this.save()
    }
    return session.hash
  }

  end(id: string | undefined): void {
    if (id !== undefined && this.live.delete(hashOf(id))) this.save()
  }

  /** Everybody who is signed in, the last used first. `asking` is the name of the session that wants to know. */
  list(asking: string): SessionEntry[] {
    const live = [...this.live.values()].filter((session) => !this.expired(session))
    return live
      .toSorted((a, b) => b.seenAt - a.seenAt)
      .map((session) => ({
        id: idOf(session),
        current: session.hash === asking,
        way: session.way,
        browser: session.browser,
        createdAt: iso(session.createdAt),
        seenAt: iso(session.seenAt),
        endsAt: iso(Math.min(session.seenAt + idleTimeout, session.createdAt + absoluteTimeout)),
      }))
  }

  /** Ends every session that the list shows as one of these, and answers their names. */
  endThose(isOne: (entry: { id: string; name: string }) => boolean): string[] {
    const ended = [...this.live.values()].filter((one) => isOne({ id: idOf(one), name: one.hash }))
    for (const { hash } of ended) this.live.delete(hash)
    if (ended.length > 0) this.save()
    return ended.map(({ hash }) => hash)
  }

  private expired({ createdAt, seenAt }: StoredSession): boolean {
    const now = this.now()
    return now - seenAt >= idleTimeout || now - createdAt >= absoluteTimeout
  }

  private save(): void {
    this.file.write({ sessions: [...this.live.values()] })
  }
}

/** The token of the sign-in link: used once, and worth nothing once another one has been made. */
export class SignInToken {
  private current = randomSecret()

  /** Whether this was the token; if so, a new one takes its place. */
  redeem(token: string): boolean {
    if (!sameSecret(token, this.current)) return false
    this.current = randomSecret()
    return true
  }

  get value(): string {
    return this.current
  }
}

/** Checks a lasting password without keeping it. */
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
