/**
 * The state that the gateway has to remember between the two requests of a sign-in, such as a challenge: sealed in a cookie of the
 * browser that began it, so that nobody else can finish it, strangers store nothing here, and any console of several can go on.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { currentTime } from '#node/clock/wallClock.ts'
import { VaultError } from '#node/secrets/vault.ts'
import type { SealedJson } from '../../database/sealedJson.ts'
import { hashOfSecret, randomSecret } from './secrets.ts'
import type { UsedOnce } from './usedOnce.ts'

interface CookieSettings {
  /** The name contains the port, because all ports of a host share its cookies. */
  name: string
  secure: boolean
  path: string
}

export interface CeremonyDependencies {
  sealed: SealedJson
  used: UsedOnce
  cookie: CookieSettings
  now?: (() => number) | undefined
}

interface Kept {
  id: string
  endsAt: number
  content: unknown
}

/** One kind of them. A browser has one at a time: a new one replaces it. */
export class Ceremonies<S extends z.ZodType> {
  readonly #now: () => number

  readonly #kind: string
  readonly #schema: S
  readonly #period: number
  readonly #parts: CeremonyDependencies

  /** @param period milliseconds in which it has to be finished */
  constructor(kind: string, schema: S, period: number, parts: CeremonyDependencies) {
    this.#kind = kind
    this.#schema = schema
    this.#period = period
    this.#parts = parts
    this.#now = parts.now ?? currentTime
  }

  begin(reply: FastifyReply, content: z.input<S>): void {
    const kept: Kept = { id: randomSecret(), endsAt: this.#now() + this.#period, content }
    const value = Buffer.from(this.#parts.sealed.seal(this.#context, kept)).toString('base64url')
    void reply.setCookie(this.#cookieName, value, { ...this.#attributes, maxAge: Math.ceil(this.#period / 1000) })
  }

  /** The ceremony that this browser began; undefined if that was nothing, or too long ago. It can be used once: see `use`. */
  open(request: FastifyRequest): z.output<S> | undefined {
    const kept = this.#kept(request)
    return kept === undefined || kept.endsAt <= this.#now() ? undefined : this.#schema.parse(kept.content)
  }

  /** Uses it up. Call this once the proof is valid. @returns whether it was not used before */
  async use(request: FastifyRequest): Promise<boolean> {
    const kept = this.#kept(request)
    return kept !== undefined && this.#parts.used.use(this.#kind, hashOfSecret(kept.id), this.#period)
  }

  /** The browser forgets it, whatever came of it. */
  end(reply: FastifyReply): void {
    void reply.clearCookie(this.#cookieName, this.#attributes)
  }

  #kept({ cookies }: FastifyRequest): Kept | undefined {
    const value = cookies[this.#cookieName]
    if (value === undefined) return undefined
    try {
      // Sealed by `begin`, and nobody else has the key.
      return this.#parts.sealed.open(this.#context, Buffer.from(value, 'base64url')) as Kept
    } catch (error) {
      if (error instanceof VaultError) return undefined
      throw error
    }
  }

  get #context(): string {
    return `ceremony ${this.#kind}`
  }

  get #cookieName(): string {
    return `${this.#parts.cookie.name}_${this.#kind}`
  }

  get #attributes() {
    // Never sent with a request from another site: the page itself finishes what it began.
    const { path, secure } = this.#parts.cookie
    return { path, httpOnly: true, sameSite: 'strict', secure } as const
  }
}
