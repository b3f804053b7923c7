/** A receiver of webhooks: a real server on this machine that records requests and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

export interface TestReceiver {
  /** Base URL, without a slash at the end. */
  url: string
  port: number
  requests: ReceivedRequest[]
  /** How requests are answered from now on. Default: 200 `ok`. */
  answer: (request: ReceivedRequest, response: ServerResponse, count: number) => void
  close(): Promise<void>
}

export async function startReceiver(host = '127.0.0.1'): Promise<TestReceiver> {
  const server = createServer(async (incoming, response) => {
    const parts = await incoming.toArray()
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(parts).toString(),
      at: performance.now(),
    }
    receiver.requests.push(request)
    receiver.answer(request, response, receiver.requests.length)
  })
  await new Promise<void>((ready) => server.listen(0, host, ready))
  const { port } = server.address() as AddressInfo // it listens on a port
  const receiver: TestReceiver = {
    url: `http://${host}:${port}`,
    port,
    requests: [],
    answer: (_, response) => response.end('ok'),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return receiver
}

/** Answers with these statuses one after another, then with 200. */
export function statuses(...all: readonly number[]): TestReceiver['answer'] {
  return (_, response, count) => {
    response.statusCode = all[count - 1] ?? 200
    response.end('answer')
  }
}
