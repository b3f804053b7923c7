/** A person who is signed in to a console, and the keys of the stack behind it. */
import { consoleHeader } from '../../src/contract/wire/gatewayWire.ts'
import type { Credentials } from '../../src/stack/store/identity.ts'

export class ProductClient {
  #cookie = ''
  readonly #consoleUrl: string
  readonly #apiUrl: string
  readonly #keys: Credentials

  constructor(consoleUrl: string, apiUrl: string, keys: Credentials) {
    this.#consoleUrl = consoleUrl
    this.#apiUrl = apiUrl
    this.#keys = keys
  }

  async signIn(password: string): Promise<void> {
    this.#cookie = await this.newSession(password)
  }

  /** A session that reads and signs out, as of somebody who looks in. */
  async visit(password: string): Promise<void> {
    const cookie = await this.newSession(password)
    await this.#call('GET', '/api/connections', undefined, cookie)
    await this.#call('DELETE', '/api/session', undefined, cookie)
  }

  /** A request to the stack through the console. Resolves to the result; rejects with the error of the response. */
  // The result depends on the path.
  // oxlint-disable-next-line typescript/no-explicit-any
  async stack(method: string, path: string, body?: unknown): Promise<any> {
    const response = await this.#call(method, `/api/c/local-open-source/stack${path}`, body, this.#cookie)
    return response.result
  }

  /** A request to the managed variant of the stack, below its service. */
  async managed(method: string, path: string, body?: unknown): Promise<void> {
    const { organizationId, serviceId, keyId, keySecret } = this.#keys
    const url = `${this.#apiUrl}/v1/organizations/${organizationId}/services/${serviceId}${path}`
    const response = await fetch(url, {
      method,
      headers: { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  }

  /** Opens a page, with the reads that its document carries. */
  async page(path: string): Promise<void> {
    const headers = {
      cookie: this.#cookie,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      accept: 'text/html',
    }
    const response = await fetch(this.#consoleUrl + path, { headers })
    const text = await response.text()
    if (!response.ok || !text.includes('</html>')) throw new Error(`${path}: ${response.status}`)
  }

  async newSession(password: string): Promise<string> {
    const response = await fetch(`${this.#consoleUrl}/api/session`, {
      method: 'POST',
      headers: this.#headers(''),
      body: JSON.stringify({ password }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`sign-in: ${response.status} ${text}`)
    return response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  }

  async #call(method: string, path: string, body: unknown, cookie: string) {
    const response = await fetch(this.#consoleUrl + path, {
      method,
      headers: this.#headers(cookie),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${method} ${path.replace(/\/[0-9a-f-]{12,}$/, '/…')}: ${response.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }

  #headers(cookie: string): Record<string, string> {
    return { [consoleHeader]: '1', origin: this.#consoleUrl, 'content-type': 'application/json', cookie }
  }
}
