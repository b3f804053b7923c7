import { expect, test } from 'vitest'
import { gatewayForTests } from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()
const path = '/api/c/oss/stack/team/members'

/** The response to a read of a member with a name of this length. */
function read(length: number, encodings: string): Promise<Response> {
  const members = JSON.stringify({ data: [{ _id: 'a', name: 'x'.repeat(length), email: 'a@example.com' }] })
  upstream.become((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(members))
  const headers = { ...gateway.own, cookie: gateway.cookie, 'accept-encoding': encodings }
  return fetch(gateway.address + path, { headers })
}

test('compresses large responses for who can read them', async () => {
  const zipped = await read(10_000, 'br, gzip')
  expect([zipped.status, zipped.headers.get('content-encoding'), zipped.headers.get('vary')]).toEqual([
    200,
    'gzip',
    'accept-encoding',
  ])
  expect(Number(zipped.headers.get('content-length'))).toBeLessThan(1_000)
  expect(await zipped.json()).toMatchObject({ result: [{ name: 'x'.repeat(10_000) }] })

  const plain = await read(10_001, 'identity')
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'accept-encoding'])
  expect(await plain.json()).toMatchObject({ result: [{ name: 'x'.repeat(10_001) }] })
})

test('sends small responses as they are', async () => {
  const small = await read(10, 'gzip')
  expect([small.status, small.headers.get('content-encoding')]).toEqual([200, null])
})
