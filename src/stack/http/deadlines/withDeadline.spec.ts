import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Refusal } from '../../refusal.ts'
import { withDeadline } from './withDeadline.ts'

interface Work {
  request: IncomingMessage
  signal: AbortSignal
  end(): void
}

let app: FastifyInstance
let url: string
let begun: Promise<Work>
let timeout: number
let mutates: boolean

beforeEach(async () => {
  timeout = 10_000
  mutates = false
  app = Fastify()
  begun = new Promise((resolve) => {
    app.post('/', ({ raw: request }, reply) =>
      withDeadline(reply, { timeout, mutates }, async (signal) => {
        await new Promise<void>((end) => resolve({ request, signal, end }))
        return { done: true }
      }),
    )
  })
  app.setErrorHandler((error, _, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send({ message: error.message })
    throw error
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  // A client that went away has opened another connection by now, which the end would wait for.
  app.server.closeAllConnections()
  await app.close()
})

const post = (signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
    ...(signal && { signal }),
  })

test('does not abort while the client waits, or after the response', async () => {
  const answer = post()
  const { request, signal, end } = await begun
  // The body is read, and its stream closed: that alone must not count as gone.
  if (!request.closed) await once(request, 'close')
  expect(signal.aborted).toBe(false)
  end()
  expect(await (await answer).json()).toEqual({ done: true })
  expect(signal.aborted).toBe(false)
})

test('aborts when the client disconnects', async () => {
  const client = new AbortController()
  const answer = post(client.signal)
  const { signal } = await begun
  const fired = once(signal, 'abort')
  client.abort()
  await expect(answer).rejects.toThrow()
  await fired
})

test.each([
  { what: 'a question', mutates: false, status: 503, message: 'The request took too long and was cancelled' },
  {
    what: 'a change',
    mutates: true,
    status: 504,
    message: 'The change took too long. It is unknown whether it was saved',
  },
])('aborts after the timeout of $what, and reports it to the client', async ({ status, message, ...given }) => {
  timeout = 50
  ;({ mutates } = given)
  const answer = await post()
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ message })
  expect((await begun).signal.aborted).toBe(true)
})
