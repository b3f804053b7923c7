/** Browsers in which somebody signed in before. Their cookie opens nothing: it only tells their attempts from those of others. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export class KnownBrowsers {
  readonly #key: Uint8Array

  /** @param key of this purpose only */
  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** The value of a cookie for a browser in which somebody signed in. */
  issue(account: string): string {
    const id = randomBytes(12).toString('base64url')
    return `${id}.${this.#seal(account, id).toString('base64url')}`
  }

  /** The browser's ID; undefined unless somebody signed in to this account with it. */
  known(account: string, value: string | undefined): string | undefined {
    const [id = '', seal = ''] = value?.split('.') ?? []
    const sent = Buffer.from(seal, 'base64url')
    const expected = this.#seal(account, id)
    return sent.length === expected.length && timingSafeEqual(sent, expected) ? id : undefined
  }

  #seal(account: string, id: string): Buffer {
    return createHmac('sha256', this.#key).update(`${id} ${account}`).digest()
  }
}
