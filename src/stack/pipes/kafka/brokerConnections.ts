/**
 * Connections to the brokers of a cluster. The cluster names its brokers itself, so every name is checked when it is
 * connected to, and the connection goes to a checked address. Responses have a size and a time limit.
 */
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Connection, type Broker, type ConnectionOptions, type Reader, type Writer } from '@platformatic/kafka'
import { refuse } from '../../refusal.ts'
import { firstAddress, type HostCheck } from '../../net/reachableHosts.ts'
import { responseBuffers, type ResponseBuffers, assembleFrames } from './responseFrames.ts'

/** A request of the Kafka protocol. */
export interface BrokerRequest<Response> {
  key: number
  version: number
  /** Whether the header of the response is of the first version, which has no tags. */
  isFirstHeader?: boolean
  /** Whether the response has records, and may be as large as a batch of them. Such requests have a purpose of their own. */
  carriesRecords?: boolean
  create(): Writer
  parse(correlationId: number, key: number, version: number, reader: Reader): Response | Promise<Response>
}

/** A broker could not be connected to, closed the connection, or did not respond in time. */
export class BrokerUnreachable extends Error {
  override name = 'BrokerUnreachable'
}

const connectMs = 10_000
const responseMs = 30_000
/** The largest response with records. Fetches ask for less, but a single batch of records may be larger than that. */
const maxRecordBytes = 64 * 1024 ** 2
/** The largest other response, which becomes many objects: the metadata of 100,000 partitions fits. */
const maxMetadataBytes = 8 * 1024 ** 2

export type Security = Pick<ConnectionOptions, 'tls' | 'sasl'>

export class BrokerConnections {
  readonly #clientId: string
  readonly #security: Security
  readonly #checkHost: HostCheck
  readonly #buffers: Pick<ResponseBuffers, 'take'>
  /** By purpose and address. */
  readonly #open = new Map<string, Promise<Connection>>()
  readonly #sockets = new Set<Socket>()
  /** Why a connection was lost: the first reason is the one that caused the others. */
  readonly #problems = new WeakMap<Connection, Error>()
  #isClosed = false

  /** @param buffers the memory of responses. Default: new memory for each */
  constructor(
    clientId: string,
    security: Security,
    checkHost: HostCheck,
    buffers: Pick<ResponseBuffers, 'take'> = responseBuffers(0),
  ) {
    this.#clientId = clientId
    this.#security = security
    this.#checkHost = checkHost
    this.#buffers = buffers
  }

  /**
   * @param purpose a broker answers one request of a connection at a time, so a waiting request needs its own
   * @throws BrokerUnreachable, or Refusal 400 for a host that is not allowed
   */
  async send<Response>(
    broker: Broker,
    purpose: string,
    request: BrokerRequest<Response>,
    timeoutMs = responseMs,
  ): Promise<Response> {
    if (this.#isClosed) throw new BrokerUnreachable('the connections are closed')
    const key = `${purpose} ${broker.host}:${broker.port}`
    const { key: apiKey, version, isFirstHeader = false, carriesRecords = false, create, parse } = request
    const connection = await this.#connectionTo(key, broker, carriesRecords ? maxRecordBytes : maxMetadataBytes)
    try {
      return await withTimeout(
        timeoutMs,
        new Promise((resolve, reject) => {
          connection.send(apiKey, version, create, parse, true, !isFirstHeader, (error, response) =>
            error ? reject(error) : resolve(response),
          )
        }),
      )
    } catch (error) {
      if (!isLost(error)) throw error
      this.#open.delete(key)
      connection.socket.destroy()
      const reason = reasonOf(this.#problems.get(connection) ?? error)
      throw new BrokerUnreachable(`${broker.host}:${broker.port}: ${reason}`, { cause: error })
    }
  }

  close(): void {
    this.#isClosed = true
    for (const socket of this.#sockets) socket.destroy()
  }

  #connectionTo(key: string, broker: Broker, maxBytes: number): Promise<Connection> {
    const known = this.#open.get(key)
    if (known) return known
    const opened = this.#connect(broker, maxBytes)
    this.#open.set(key, opened)
    const forget = () => this.#open.get(key) === opened && this.#open.delete(key)
    opened.then((connection) => {
      connection.once('close', forget)
      if (this.#isClosed) connection.socket.destroy()
    }, forget)
    return opened
  }

  async #connect(broker: Broker, maxBytes: number): Promise<Connection> {
    const { host, address } = await checkedBroker(broker, this.#checkHost)
    const { tls, ...others } = this.#security
    const connection = new Connection(this.#clientId, {
      ...others,
      connectTimeout: connectMs,
      ...(tls && { tls: { ...tls, lookup: lookupOf(address) } }),
    })
    const lost = (error: Error) => this.#problems.has(connection) || this.#problems.set(connection, error)
    // Later failures reach the callers through their requests.
    connection.on('error', lost)
    // A certificate is checked against the name; without one, the address does.
    const connected = Promise.resolve(connection.connect(tls && !isIP(host) ? host : address, broker.port))
    const { socket } = connection
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    const frames = { maxBytes, buffers: this.#buffers, onProblem: lost }
    socket.once(tls ? 'secureConnect' : 'connect', () => assembleFrames(socket, frames))
    try {
      await withTimeout(connectMs, connected)
    } catch (error) {
      socket.destroy()
      const reason = reasonOf(this.#problems.get(connection) ?? error)
      throw new BrokerUnreachable(`Could not connect to ${broker.host}:${broker.port}: ${reason}`, { cause: error })
    }
    return connection
  }
}

/** @throws Refusal 400 for a host that is not allowed, BrokerUnreachable for one that cannot be resolved */
async function checkedBroker({ host }: Broker, checkHost: HostCheck): Promise<{ host: string; address: string }> {
  const checked = await checkHost(host)
  if (checked.problem !== null) throw refuse(`source.kafka.brokers: ${checked.problem}`)
  const address = firstAddress(checked.addresses)
  if (address === undefined) throw new BrokerUnreachable(`${host} cannot be resolved`)
  return { host, address }
}

/** Resolves every name to an address that was checked. */
function lookupOf(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family))
}

class TimeUp extends Error {}

function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeUp(`no response in ${ms / 1000} seconds`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function isLost(error: unknown): boolean {
  return error instanceof TimeUp || (error instanceof Error && 'code' in error && error.code === 'PLT_KFK_NETWORK')
}

/** The innermost reason, which is the one that says what happened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
