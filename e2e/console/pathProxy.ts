/** A reverse proxy of a host that has the console under one path, as those of `deploy/`: it takes nothing off the path. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export interface PathProxy {
  /** The origin of the host. */
  origin: string
  /** Sets the address of the console. */
  target(url: string): void
  /** Requests that went past the path, which another application of the host would have received. */
  elsewhere: string[]
  stop(): Promise<void>
}

export async function startPathProxy(path: string): Promise<PathProxy> {
  let target = new URL('http://127.0.0.1')
  const elsewhere: string[] = []
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming
    if (url !== path && !url.startsWith(`${path}/`)) {
      elsewhere.push(`${method} ${url}`)
      return void response.writeHead(404).end('another application')
    }
    const passed = { ...headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' }
    const { port } = target
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response, () => {})
    })
    outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    pipeline(incoming, outgoing, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    origin: `http://localhost:${port}`,
    target: (url) => void (target = new URL(url)),
    elsewhere,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
