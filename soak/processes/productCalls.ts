/** Requests to all parts of a product: both variants of its stack, and its console in the name of people. */
import { consoleHeader } from '../../src/contract/wire/gatewayWire.ts'
import type { Product } from './product.ts'

export interface Answer {
  status: number
  // A soak looks at whatever came.
  json: any // oxlint-disable-line typescript/no-explicit-any
  cookie: string
}

export type ProductCalls = ReturnType<typeof productCalls>

export function productCalls({ consoleUrl, credentials, ports }: Product) {
  /** A request to any address. Resolves for every status. */
  async function call(url: string, method: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const response = await fetch(url, {
      method,
      // A server may end an idle connection when the next request is sent.
      headers: {
        connection: 'close',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      json: /^[{[]/.test(text) ? JSON.parse(text) : text,
      cookie: response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    }
  }

  /** @throws Error with what came instead of success */
  async function done(answer: Promise<Answer>): Promise<Answer> {
    const came = await answer
    if (came.status >= 300) throw new Error(`${came.status} ${JSON.stringify(came.json)}`)
    return came
  }

  /** A request to the open-source variant. @param key of the stack @returns the data of its response */
  async function stack(method: string, path: string, body?: unknown, key = credentials.personalAccessKey) {
    const url = `http://127.0.0.1:${ports.api}/api/v2${path}`
    return (await done(call(url, method, { authorization: `Bearer ${key}` }, body))).json.data
  }

  /** The status of a request to the organization of the managed variant, with any key. */
  const organization = (method: string, path: string, body?: unknown, key: [string, string] = ownKey) => {
    const authorization = `Basic ${btoa(key.join(':'))}`
    const url = `http://127.0.0.1:${ports.api}/v1/organizations/${credentials.organizationId}${path}`
    return call(url, method, { authorization }, body)
  }
  const ownKey: [string, string] = [credentials.keyId, credentials.keySecret]

  /** A request to the organization of the managed variant. @returns the result of its response */
  const managed = async (method: string, path: string, body?: unknown) =>
    (await done(organization(method, path, body))).json.result

  /** A request to the console, as its page sends it. */
  const ofConsole = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    call(consoleUrl + path, method, { [consoleHeader]: '1', origin: consoleUrl, ...headers }, body)

  /** Signs in. @returns the cookie of the session */
  const enter = async (proof: unknown) => (await done(ofConsole('POST', '/api/session', {}, proof))).cookie

  /** Adds somebody to the console. @returns the secret of the invitation */
  async function invite(administrator: string, name: string, role: string): Promise<string> {
    const person = { name, email: `${name.toLowerCase()}@example.com`, role }
    const { json } = await done(ofConsole('POST', '/api/people', { cookie: administrator }, person))
    return String(json.link).split('#invitation=')[1] ?? ''
  }

  return { call, done, stack, organization, managed, ofConsole, enter, invite }
}
