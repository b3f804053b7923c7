/**
 * The way out for the engine in this process. The engine resolves names itself, and may be led elsewhere than where was looked:
 * so it is given a proxy, here, which resolves, looks and connects in one. TLS goes through it untouched, from engine to host.
 *
 * The engine reads its proxy from the environment once in the life of a process: there is one way out, whoever opens it.
 */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import { plainHost } from './hosts.ts'
import { firstAddress, type HostCheck } from './reachableHosts.ts'

const variables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']
const exceptions = ['no_proxy', 'NO_PROXY']

let way: { server: Server; checkHost: HostCheck | null } | null = null

/**
 * Leads the engine's requests through this process, before its first. Where the environment names a proxy already, it is left:
 * that one decides what is reached.
 * @returns what closes the way: nothing is reached any longer then
 */
export async function openEgress(checkHost: HostCheck): Promise<() => void> {
  if (!way) {
    if (variables.some((name) => process.env[name])) return () => undefined
    const server = egressServer(async (host) => (way?.checkHost ? way.checkHost(host) : { problem: 'closed' }))
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    server.unref()
    way = { server, checkHost: null }
    const { port } = server.address() as AddressInfo // it listens on a port
    process.env['http_proxy'] = process.env['https_proxy'] = `http://127.0.0.1:${port}`
    for (const name of exceptions) delete process.env[name]
  }
  const opened = way
  opened.checkHost = checkHost
  return () => {
    if (opened.checkHost === checkHost) opened.checkHost = null
  }
}

/** A proxy that goes where `reach` lets it, and connects to the address that `reach` has looked at. */
export function egressServer(checkHost: HostCheck): Server {
  return createServer((incoming, answer) => void forward(incoming, answer, checkHost)).on(
    'connect',
    (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void tunnel(incoming, socket, head, checkHost),
  )
}

/** A request in the clear. */
async function forward(incoming: IncomingMessage, answer: ServerResponse, checkHost: HostCheck): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null
  const way =
    url?.protocol === 'http:' ? await wayTo(url, checkHost) : { status: 400, problem: 'not a request to a proxy' }
  if ('problem' in way) return void answer.writeHead(way.status, { 'content-type': 'text/plain' }).end(way.problem)
  const { connection: _connection, 'proxy-connection': _proxy, ...headers } = incoming.headers
  const outgoing = request({
    host: way.address,
    port: way.port,
    method: incoming.method,
    // As it was asked for: a signature may stand over its spelling.
    path: incoming.url?.replace(/^http:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/'),
    headers,
    setHost: false,
    agent: false,
  })
  outgoing.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    pipeline(response, answer, () => undefined)
  })
  outgoing.on('error', (error) => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end(error.message)))
  answer.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** Bytes both ways, such as TLS. */
async function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer, checkHost: HostCheck): Promise<void> {
  socket.on('error', () => undefined)
  const target = `http://${incoming.url ?? ''}`
  const way = URL.canParse(target)
    ? await wayTo(new URL(target), checkHost)
    : { status: 400, problem: 'not a host and port' }
  if ('problem' in way) return void socket.end(`HTTP/1.1 ${way.status} Refused\r\n\r\n`)
  const out = connect(way.port, way.address)
  out.once('connect', () => {
    socket.write('HTTP/1.1 200 Connected\r\n\r\n')
    out.write(head)
    pipeline(socket, out, socket, () => undefined)
  })
  out.once('error', () => socket.destroy())
}

type Way = { address: string; port: number } | { status: number; problem: string }

async function wayTo(url: URL, checkHost: HostCheck): Promise<Way> {
  const reached = await checkHost(url.hostname)
  if (reached.problem !== null) return { status: 403, problem: reached.problem }
  const address = firstAddress(reached.addresses)
  if (address === undefined) return { status: 502, problem: `${plainHost(url)} is not known` }
  return { address, port: Number(url.port || 80) }
}
