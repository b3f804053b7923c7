/** Limits of request bodies: encodings, decompressed size, characters. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'
import { wellFormedJson } from './apiBody.ts'

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

const dashboard = (name: string) => JSON.stringify({ name, tiles: [] })

function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, managed = false) {
  const { personalAccessKey, keyId, keySecret, organizationId, serviceId } = stack.identity
  const path = managed
    ? `/v1/organizations/${organizationId}/services/${serviceId}/stack/dashboards`
    : '/api/v2/dashboards'
  const authorization = managed ? basic(keyId, keySecret) : `Bearer ${personalAccessKey}`
  return fetch(stack.url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body,
  })
}

describe('compressed body', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is accepted with %s', async (encoding, compress) => {
    const response = await post(new Uint8Array(compress(dashboard(`by ${encoding}`))), { 'content-encoding': encoding })
    expect(response.status).toBe(200)
    expect((await response.json()).data.name).toBe(`by ${encoding}`)
  })

  test('is rejected with an unsupported encoding', async () => {
    const response = await post(dashboard('x'), { 'content-encoding': 'zstd' })
    expect([response.status, (await response.json()).message]).toEqual([415, expect.stringContaining('gzip')])
  })

  test('is rejected if it is malformed', async () => {
    expect((await post(dashboard('x'), { 'content-encoding': 'gzip' })).status).toBe(400)
    const cutOff = gzipSync(dashboard('x'.repeat(1000))).subarray(0, 40)
    expect((await post(new Uint8Array(cutOff), { 'content-encoding': 'gzip' })).status).toBe(400)
  })

  test('is limited by its decompressed size', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '))
    expect((await post(new Uint8Array(bomb), { 'content-encoding': 'gzip' })).status).toBe(413)
    expect((await post(dashboard('after'))).status).toBe(200)
  })
})

describe('body that is expensive to parse', () => {
  test.each([false, true])('is rejected for its depth (managed: %s)', async (managed) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number) => `{"name":"x","tiles":${open.repeat(levels)}0${close.repeat(levels)}}`
      const refused = await post(nested(100), {}, managed)
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('nested at most 100 levels deep'),
      ])
      // One less is for the schema to refuse.
      expect(await (await post(nested(99), {}, managed)).text()).not.toContain('levels deep')
    }
  })

  test('is rejected for its number of items', async () => {
    const refused = await post(`{"name":"x","tiles":[${'{},'.repeat(200_000)}{}]}`)
    expect([refused.status, (await refused.json()).message]).toEqual([413, expect.stringContaining('200,000 fields')])
  })

  test('gets a short error, whatever limit it exceeds', async () => {
    const refused = await post(`{"name":"x","tiles":[${'{},'.repeat(20_000)}{}]}`)
    expect(refused.status).toBe(400)
    expect((await refused.text()).length).toBeLessThan(20_000)
  })
})

test.each([false, true])('bytes that are not UTF-8 are rejected instead of replaced (managed: %s)', async (managed) => {
  const refused = await post(Uint8Array.from(Buffer.from(dashboard('caf\u00e9'), 'latin1')), {}, managed)
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('Request body is not UTF-8')])
})

describe('unpaired surrogate', () => {
  test('is rejected with the name of its field', async () => {
    const refused = await post('{"name":"cut \\ud83d","tiles":[]}')
    expect(refused.status).toBe(400)
    expect((await refused.json()).message).toMatch(/^Body validation failed: name: Invalid text/)
    const managed = await post('{"name":"x","tiles":[],"tags":["fine","\\uDE00"]}', {}, true)
    expect(managed.status).toBe(400)
    expect((await managed.json()).error).toMatch(/request body\.tags\.1: Invalid text/)
    expect((await post('{"name":"x","tiles":[],"\\ud83d":1}')).status).toBe(400)
  })

  test('is accepted as part of a pair', async () => {
    const response = await post('{"name":"whole \\ud83d\\ude00","tiles":[]}')
    expect((await response.json()).data.name).toBe('whole 😀')
  })

  test('in a stored record does not break the list', async () => {
    const created = await (await post(dashboard('kept before'))).json()
    await stack.store.run(
      `UPDATE dashboards SET document = replace(document, 'kept before', 'kept \\ud83d') WHERE id = ?`,
      [created.data.id],
    )
    const listed = await stack.send('GET', '/api/v2/dashboards', {
      headers: { authorization: `Bearer ${stack.identity.personalAccessKey}` },
    })
    expect(listed.json.data.map(({ name }: { name: string }) => name)).toContain('kept \ufffd')
    expect(listed.text).not.toMatch(/\\ud83d/)
  })

  test.each([
    ['\\ud83d', '\ufffd'],
    ['\\ud83d\\ude00', '\\ud83d\\ude00'],
    ['\\ude00\\ud83d', '\ufffd\ufffd'],
    ['\\ud83d\\ud83d\\ude00', '\ufffd\\ud83d\\ude00'],
    ['\\\\ud83d', '\\\\ud83d'],
    ['\\\\\\ud83d', '\\\\\ufffd'],
    ['\\u00e9\\n\\"', '\\u00e9\\n\\"'],
  ])('%s is answered as %s', (kept, answered) => {
    expect(wellFormedJson(`"${kept}"`)).toBe(`"${answered}"`)
  })
})
