/** A balancer for tests: sends requests to its targets in turn, and those that a target does not accept to the next one. */
import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  url: string
  /** Sets the address of a target, such as after a restart. */
  target(number: number, url: string): void
  close(): Promise<void>
}

/** @param passed called with each request that a target got */
export async function startBalancer(passed: (headers: IncomingHttpHeaders) => void = () => {}): Promise<Balancer> {
  const targets: string[] = []
  let turn = 0

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    // A request without an encoding gives buffers.
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    for (let tries = 0; tries < targets.length; tries++) {
      const target = targets[turn++ % targets.length] ?? ''
      const answer = await send(target, incoming, body).catch((error: NodeJS.ErrnoException) => error)
      if (answer instanceof Error) {
        // Only what was not sent may be sent again.
        if (answer.code === 'ECONNREFUSED') continue
        break
      }
      passed(incoming.headers)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
      return
    }
    response.writeHead(502).end()
  }

  const server = createServer((incoming, response) => void pass(incoming, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    target: (number, url) => void (targets[number] = url),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(target)
    const sent = request({ hostname, port, method, path: url, headers, agent: false }, resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}
