/**
 * The proxy for outgoing requests of the embedded engine. The engine would resolve a name again after the check, so this
 * proxy resolves, checks and connects in one step. TLS passes through it end to end.
 *
 * The engine reads its proxy from the environment once in the life of a process, so there is one proxy for a process.
 */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import { plainHost } from '#node/net/addresses.ts'
import { firstAddress, type HostCheck } from './reachableHosts.ts'

const variables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
const exceptions = ['no_proxy', 'NO_PROXY']

let proxy: { server: Server; checkHost: HostCheck | null } | null = null

/**
 * Routes the engine's requests through this process. Call it before the engine's first request. If the environment already
 * names a proxy, nothing changes: that proxy decides which hosts are reached.
 * @returns a function that closes the proxy: no host can be reached after that
 */
export async function openEgressProxy(checkHost: HostCheck): Promise<() => void> {
  if (!proxy) {
    if (variables.some((name) => process.env[name])) return () => undefined
    const server = createEgressProxy(async (host) => (proxy?.checkHost ? proxy.checkHost(host) : { problem: 'closed' }))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    server.unref()
    proxy = { server, checkHost: null }
    const { port } = server.address() as AddressInfo // it listens on a port
    process.env['http_proxy'] = process.env['https_proxy'] = `http://127.0.0.1:${port}`
    for (const name of exceptions) delete process.env[name]
  }
  const opened = proxy
  opened.checkHost = checkHost
  return () => {
    if (opened.checkHost === checkHost) opened.checkHost = null
  }
}

/** A proxy that connects to the addresses that `checkHost` returns, and to no other. */
export function createEgressProxy(checkHost: HostCheck): Server {
  return createServer((incoming, response) => void forward(incoming, response, checkHost)).on(
    'connect',
    (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void tunnel(incoming, socket, head, checkHost),
  )
}

/** Forwards a plain HTTP request. */
async function forward(incoming: IncomingMessage, response: ServerResponse, checkHost: HostCheck): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null
  const destination =
    url?.protocol === 'http:'
      ? await resolveDestination(url, checkHost)
      : { status: 400, problem: 'not a proxy request' }
  if ('problem' in destination) {
    response.writeHead(destination.status, { 'content-type': 'text/plain' }).end(destination.problem)
    return
  }
  const { connection: _connection, 'proxy-connection': _proxy, ...headers } = incoming.headers
  const outgoing = request({
    host: destination.address,
    port: destination.port,
    method: incoming.method,
    // Unchanged: a signature may cover its spelling.
    path: incoming.url?.replace(/^http:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/'),
    headers,
    setHost: false,
    agent: false,
  })
  outgoing.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    pipeline(reply, response, () => undefined)
  })
  outgoing.on('error', (error) =>
    response.headersSent ? response.destroy() : response.writeHead(502).end(error.message),
  )
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** Forwards bytes in both directions, such as TLS. */
async function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer, checkHost: HostCheck): Promise<void> {
  socket.on('error', () => undefined)
  const url = `http://${incoming.url ?? ''}`
  const destination = URL.canParse(url)
    ? await resolveDestination(new URL(url), checkHost)
    : { status: 400, problem: 'not a host and port' }
  if ('problem' in destination) return void socket.end(`HTTP/1.1 ${destination.status} Refused\r\n\r\n`)
  const out = connect(destination.port, destination.address)
  const notReached = (error: Error) => void socket.end(`HTTP/1.1 502 Not Reached\r\n\r\n${error.message}`)
  out.once('error', notReached)
  out.once('connect', () => {
    out.off('error', notReached)
    socket.write('HTTP/1.1 200 Connected\r\n\r\n')
    out.write(head)
    pipeline(socket, out, socket, () => undefined)
  })
  socket.once('close', () => out.destroy())
}

type Destination = { address: string; port: number } | { status: number; problem: string }

async function resolveDestination(url: URL, checkHost: HostCheck): Promise<Destination> {
  const checked = await checkHost(url.hostname)
  if (checked.problem !== null) return { status: 403, problem: checked.problem }
  const address = firstAddress(checked.addresses)
  if (address === undefined) return { status: 502, problem: `${plainHost(url.hostname)} cannot be resolved` }
  return { address, port: Number(url.port || 80) }
}
