/**
 * The only way out: undici agents whose connector resolves a name itself, checks every address, and connects to a
 * checked one. The check sits here, not in a route, so that no way to the network goes round it; and it runs for every
 * new socket, literal addresses included (Node asks no `lookup` hook for those).
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { hostCheck } from './addresses.ts'

/** Bytes of the headers of one answer. */
export const maxHeaders = 16 * 1024

export type Resolver = (hostname: string) => Promise<string[]>

export const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** Nothing was sent: the name was not resolved, the address refused, or the connection not made. */
export class ConnectError extends Error {
  override name = 'ConnectError'

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export interface Deadlines {
  connect: number
  headers: number
  /** Between two pieces of a body. */
  body: number
  /** From the first byte sent to the last one read. */
  total: number
}

export interface Egress {
  agent(allowPrivate: boolean): Agent
  close(): Promise<void>
}

/** Two agents, because a socket that was opened for one rule must not be reused under the other. */
export function createEgress(deadlines: Deadlines, resolve: Resolver = systemResolver): Egress {
  const agents = { open: createAgent(true), closed: createAgent(false) }

  function createAgent(allowPrivate: boolean): Agent {
    const dial = buildConnector({ timeout: deadlines.connect })
    return new Agent({
      connect: (options, callback) => {
        withinTime(admit(options.hostname, allowPrivate, resolve), deadlines.connect)
          .then((addresses) => connectInTurn(dial, options, addresses))
          .then(
            (socket) => callback(null, socket),
            (error: unknown) => callback(unreached(error), null),
          )
      },
      headersTimeout: deadlines.headers,
      bodyTimeout: deadlines.body,
      pipelining: 1,
      maxHeaderSize: maxHeaders,
      // Above what all keys of one deployment have in flight, those included that hang: the budget is what limits.
      connections: 256,
      keepAliveTimeout: 4_000,
    })
  }

  return {
    agent: (allowPrivate) => (allowPrivate ? agents.open : agents.closed),
    close: async () => {
      await Promise.all([agents.open.destroy(), agents.closed.destroy()])
    },
  }
}

/** A name server that does not answer is an address that was not reached, and must not look like a lost answer. */
async function withinTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new ConnectError('EAI_AGAIN', 'no answer of the name server')), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** The addresses of a name, all of them allowed; one that is not refuses the name as a whole. */
async function admit(hostname: string, allowPrivate: boolean, resolve: Resolver): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) throw new ConnectError('ENOTFOUND', `${host} has no address`)
  for (const address of addresses) {
    const reach = hostCheck(address)
    const which = address === host ? host : `${host} (${address})`
    if (reach === 'never')
      throw new ConnectError('REFUSED_ADDRESS', `${which} is an address that is never connected to`)
    if (reach === 'private' && !allowPrivate) {
      throw new ConnectError('PRIVATE_ADDRESS', `${which} is a loopback or private address`)
    }
  }
  return addresses
}

/** Addresses of one name that are tried in turn. */
const mostTried = 4

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>

async function connectInTurn(
  dial: buildConnector.connector,
  options: buildConnector.Options,
  addresses: string[],
): Promise<Socket> {
  // A name is what a certificate is checked against, although the connection goes to the address.
  const servername = isIP(options.hostname.replace(/^\[|\]$/g, '')) ? undefined : options.hostname
  let last: unknown
  for (const hostname of addresses.slice(0, mostTried)) {
    try {
      return await new Promise<Socket>((done, fail) => {
        dial({ ...options, hostname, ...(servername ? { servername } : {}) }, (error, socket) =>
          error ? fail(error) : done(socket),
        )
      })
    } catch (error) {
      last = error
    }
  }
  throw last
}

function unreached(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  const { code, message } = error as NodeJS.ErrnoException // what net, tls, dns and undici throw
  return new ConnectError(code ?? 'UNKNOWN', message)
}
