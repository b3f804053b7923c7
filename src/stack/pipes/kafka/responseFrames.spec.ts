/** Responses from their parts, in memory that is used again only when nobody needs it. */
import { PassThrough } from 'node:stream'
import type { Socket } from 'node:net'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { responseBuffers, assembleFrames } from './responseFrames.ts'

const framed = (body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}

test('each response is passed on whole, however it arrives', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 150_000 }), { minLength: 1, maxLength: 40 }),
      (sizes, parts) => {
        const bodies = sizes.map((size, at) => Buffer.alloc(size, at + 1))
        const sent = Buffer.concat(bodies.map(framed))
        const socket = new PassThrough() as unknown as Socket // only its data are used
        const buffers = responseBuffers(2 ** 20)
        const received: Buffer[] = []
        socket.on('data', (response: Buffer) => {
          received.push(Buffer.from(response))
          buffers.release(response)
        })
        assembleFrames(socket, { maxBytes: 2 ** 20, buffers, onProblem: (error) => expect.fail(error.message) })
        let at = 0
        for (let part = 0; at < sent.length; part++) {
          const size = parts[part % parts.length] ?? 1
          socket.emit('data', sent.subarray(at, at + size))
          at += size
        }
        expect(received.map((one) => one.toString('latin1'))).toEqual(
          bodies.map((body) => framed(body).toString('latin1')),
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('memory has one response at a time, and no more is kept than may be', () => {
  const action = fc.record({
    does: fc.constantFrom('take', 'hold', 'release'),
    bytes: fc.integer({ min: 1, max: 3 * 2 ** 20 }),
    which: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const buffers = responseBuffers(4 * 2 ** 20)
      const taken: { part: Buffer; holders: number }[] = []
      for (const { does, bytes, which } of actions) {
        const one = taken[which % Math.max(1, taken.length)]
        if (does === 'take') {
          const part = buffers.take(bytes)
          expect(part).toHaveLength(bytes)
          expect(taken.every(({ part: other }) => other.buffer !== part.buffer)).toBe(true)
          taken.push({ part, holders: 1 })
        } else if (one && does === 'hold') {
          one.holders++
          buffers.hold(one.part)
        } else if (one) {
          buffers.release(one.part.subarray(1))
          if (--one.holders === 0) taken.splice(taken.indexOf(one), 1)
        }
        expect(buffers.freeBytes).toBeLessThanOrEqual(4 * 2 ** 20)
      }
    }),
  )
})

test('a batch keeps the response that its rows are in until it is released', () => {
  const buffers = responseBuffers(8 * 2 ** 20)
  const response = buffers.take(100)
  response.write(' {"id":1} {"id":2} ')
  const [first, second] = [new RecordBuffer(undefined, buffers), new RecordBuffer(undefined, buffers)]
  first.keepJson(0, 1, response, 1, 9)
  second.keepJson(0, 2, response, 10, 18)
  expect(first.capacity).toBeGreaterThan(2 ** 20)
  buffers.release(response)
  first.release()
  expect(buffers.freeBytes).toBe(0)
  expect(second.lines().join('')).toBe('{"id":2}\n')
  second.release()
  second.release()
  expect(buffers.freeBytes).toBe(2 ** 20)
  expect(buffers.take(200).buffer).toBe(response.buffer)
})
