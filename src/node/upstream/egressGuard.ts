/**
 * Outgoing connections: undici agents whose connector resolves a name itself, checks every address, and connects to a
 * checked one. The check is here and not in a route, so that nothing bypasses it. It runs for every new socket, also for
 * literal addresses, for which Node does not call a `lookup` hook.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { addressScope, plainHost } from '../net/addresses.ts'

/** Bytes of the headers of one response. */
export const maxHeaderBytes = 16 * 1024

export type Resolver = (hostname: string) => Promise<string[]>

const systemResolver: Resolver = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** Nothing was sent: the name was not resolved, the address was refused, or the connection failed. */
export class ConnectError extends Error {
  override name = 'ConnectError'

  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface Deadlines {
  connect: number
  headers: number
  /** Between two pieces of a body. */
  body: number
  /** From the first byte sent to the last byte read. */
  total: number
  /** How long a new connection may stay unused. Default: 4 seconds. */
  unused?: number
}

export interface Egress {
  agent(allowPrivate: boolean): Agent
  close(): Promise<void>
}

/** Two agents, because a socket that was opened under one rule must not be reused under the other. */
export function createEgress(deadlines: Deadlines, resolve: Resolver = systemResolver): Egress {
  const agents = { withPrivate: createAgent(true), publicOnly: createAgent(false) }

  function createAgent(allowPrivate: boolean): Agent {
    const connect = buildConnector({ timeout: deadlines.connect })
    return new Agent({
      connect: (options, callback) => {
        withTimeout(checkedAddresses(options.hostname, allowPrivate, resolve), deadlines.connect)
          .then((addresses) => connectToFirst(connect, options, addresses))
          .then(
            (socket) => callback(null, closedUnlessUsed(socket, deadlines.unused)),
            (error: unknown) => callback(asConnectError(error), null),
          )
      },
      headersTimeout: deadlines.headers,
      bodyTimeout: deadlines.body,
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      // More than all keys of one deployment have in flight, hanging requests included: the rate limit decides.
      connections: 256,
      keepAliveTimeout: 4_000,
    })
  }

  return {
    agent: (allowPrivate) => (allowPrivate ? agents.withPrivate : agents.publicOnly),
    close: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

/**
 * Closes a connection on which nothing was sent: undici opens one again for a request that was cancelled. Servers close it
 * after some seconds with a 408, which would be taken for the response to a request that is sent at that moment.
 */
function closedUnlessUsed(socket: Socket, milliseconds = 4_000): Socket {
  const timer = setTimeout(() => socket.bytesWritten === 0 && socket.destroy(), milliseconds)
  timer.unref()
  return socket.once('close', () => clearTimeout(timer))
}

/** A DNS server that does not respond is a failed connection, not a lost response. */
async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new ConnectError('EAI_AGAIN', 'the DNS server did not respond')), milliseconds)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/** The addresses of a host. One address that is not allowed refuses the host as a whole. */
async function checkedAddresses(hostname: string, allowPrivate: boolean, resolve: Resolver): Promise<string[]> {
  const host = plainHost(hostname)
  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) throw new ConnectError('ENOTFOUND', `${host} has no address`)
  for (const address of addresses) {
    const scope = addressScope(address)
    // Not the address itself: whoever may use a connection would learn the addresses of an internal network.
    const name = address === host ? `${host} is` : `${host} resolves to`
    if (scope === 'never') throw new ConnectError('REFUSED_ADDRESS', `${name} a reserved address`)
    if (scope === 'private' && !allowPrivate) {
      throw new ConnectError('PRIVATE_ADDRESS', `${name} a loopback or private address`)
    }
  }
  return addresses
}

/** Addresses of one name that are tried, one after another. */
const maxAttempts = 4

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>

/** Connects to the first of some checked addresses of a host that accepts. @throws what the last attempt failed with */
export async function connectToFirst(
  connect: buildConnector.connector,
  options: buildConnector.Options,
  addresses: readonly string[],
): Promise<Socket> {
  // The certificate is checked against the name, although the connection goes to the address.
  const servername = isIP(plainHost(options.hostname)) ? undefined : options.hostname
  let last: unknown
  for (const hostname of addresses.slice(0, maxAttempts)) {
    try {
      return await new Promise<Socket>((done, fail) => {
        connect({ ...options, hostname, ...(servername ? { servername } : {}) }, (error, socket) =>
          error ? fail(error) : done(socket),
        )
      })
    } catch (error) {
      last = error
    }
  }
  throw last
}

function asConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  const { code, message } = error as NodeJS.ErrnoException // what net, tls, dns and undici throw
  return new ConnectError(code ?? 'UNKNOWN', message)
}
