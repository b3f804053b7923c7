import { deflateSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { compressFrameSync } from 'lz4-napi'
import { Compressor, compressSync } from 'snappy'
import { describe, expect, test } from 'vitest'
import { compressedText, plainText } from '../testing/compressed/compressedText.ts'
import { Admission, type Ticket } from './admission.ts'
import { decompress, encodings, knownEncoding } from './decompress.ts'

const mebibyte = 1024 * 1024

function ticketFor(maxBytesInFlight: number): { admission: Admission; ticket: Ticket } {
  const limits = { maxRequestsInFlight: 1, maxRecordsInFlight: 1, maxDecodedBytesInFlight: 1, maxStoreWait: 1000 }
  const admission = new Admission({ ...limits, maxBytesInFlight })
  return { admission, ticket: admission.admit(0) }
}

const unpack = (encoding: string, body: Buffer, limit = 20 * mebibyte) =>
  decompress(body, encoding, limit, ticketFor(64 * mebibyte).ticket)

async function framed(data: Buffer): Promise<Buffer> {
  const compressor = new Compressor()
  return Buffer.concat([compressor.update(data), await compressor.finish()])
}

/** A frame of Zstandard without a checksum, whose blocks repeat one byte. */
function repeatedBytes(sizes: readonly number[], windowDescriptor = 0x58): Buffer {
  const blocks = sizes.map((size, at) => {
    const block = Buffer.from([0, 0, 0, 0x61])
    block.writeUIntLE((size << 3) | 0b10 | Number(at === sizes.length - 1), 0, 3)
    return block
  })
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, windowDescriptor]), ...blocks])
}
const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2])

describe('a body as collectors compress it', () => {
  test.each([
    ['zstd', 'zstd'],
    ['zstd', 'zstd-grpc'],
    ['zlib', 'zlib'],
    ['deflate', 'zlib'],
    ['snappy', 'snappy'],
    ['snappy', 'x-snappy-framed'],
    ['x-snappy-framed', 'x-snappy-framed'],
    ['lz4', 'lz4'],
  ] as const)('is decompressed: %s from %s', async (encoding, format) => {
    const { admission, ticket } = ticketFor(64 * mebibyte)
    const body = await decompress(compressedText(format), encoding, plainText.length, ticket)
    expect(body.equals(plainText)).toBe(true)
    expect(admission.bytes).toBe(plainText.length)
  })

  test.each(['zstd', 'zlib', 'snappy', 'x-snappy-framed', 'lz4'] as const)(
    'is refused when it is one byte too large or has no room (%s)',
    async (format) => {
      const body = compressedText(format)
      await expect(unpack(format, body, plainText.length - 1)).rejects.toMatchObject({ reason: 'tooLarge' })
      const { ticket } = ticketFor(plainText.length - 1)
      await expect(decompress(body, format, mebibyte, ticket)).rejects.toMatchObject({ reason: 'overloaded' })
    },
  )

  test.each(['zstd', 'zlib', 'snappy', 'x-snappy-framed', 'lz4'] as const)(
    'is refused wherever it is cut off (%s)',
    async (format) => {
      const body = compressedText(format)
      for (let kept = 1; kept < body.length; kept += Math.max(1, Math.floor(body.length / 50))) {
        // A framed stream may end after any chunk.
        const result = await unpack(format, body.subarray(0, kept)).catch((error: unknown) => error)
        if (Buffer.isBuffer(result)) expect(result.length).toBeLessThan(plainText.length)
        else expect(result).toMatchObject({ reason: 'malformed' })
        if (format !== 'x-snappy-framed') expect(Buffer.isBuffer(result)).toBe(false)
      }
    },
  )
})

test('what was compressed is decompressed, and no bytes make a decoder fail in another way', async () => {
  const compress: Record<string, (data: Buffer) => Buffer | Promise<Buffer>> = {
    gzip: (data) => gzipSync(data),
    deflate: (data) => deflateSync(data),
    snappy: (data) => compressSync(data),
    'x-snappy-framed': framed,
    lz4: (data) => compressFrameSync(data, { contentChecksum: true, blockChecksums: true }),
  }
  const text = fc
    .array(fc.stringMatching(/^[a-c]{0,9}$/), { maxLength: 300 })
    .map((parts) => Buffer.from(parts.join('')))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(compress)),
      text,
      fc.nat(),
      fc.nat(255),
      async (name, data, at, byte) => {
        const body = Buffer.from((await compress[name]?.(data)) ?? [])
        expect((await unpack(name, body)).equals(data)).toBe(true)
        body[at % body.length] = byte
        for (const encoding of encodings) {
          const result = await unpack(encoding, body).catch((error: unknown) => error)
          if (!Buffer.isBuffer(result))
            expect(result).toMatchObject({ reason: expect.stringMatching(/malformed|tooLarge/) })
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('a damaged body of a collector is refused, or is another body, but never an error of ours', async () => {
  const formats = ['zstd', 'zlib', 'snappy', 'x-snappy-framed', 'lz4'] as const
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...formats), fc.nat(), fc.nat(255), async (format, at, byte) => {
      const body = Buffer.from(compressedText(format))
      body[at % body.length] = byte
      const result = await unpack(format, body).catch((error: unknown) => error)
      if (!Buffer.isBuffer(result))
        expect(result).toMatchObject({ reason: expect.stringMatching(/malformed|tooLarge/) })
    }),
    { numRuns: 300 },
  )
})

describe('several frames in one body', () => {
  const twice = (one: Buffer) => Buffer.concat([skippable, one, one])

  test.each(['zstd', 'lz4'] as const)('are all decompressed (%s)', async (format) => {
    const body = await unpack(format, twice(compressedText(format)))
    expect(body.equals(Buffer.concat([plainText, plainText]))).toBe(true)
  })

  test.each(['zstd', 'lz4'] as const)('are refused if anything else follows (%s)', async (format) => {
    const body = Buffer.concat([compressedText(format), Buffer.from('and more')])
    await expect(unpack(format, body)).rejects.toMatchObject({ reason: 'malformed' })
  })
})

describe('a small body that becomes large', () => {
  test.each([
    ['snappy', () => Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0])],
    ['snappy', () => compressSync(Buffer.alloc(100 * mebibyte))],
    ['x-snappy-framed', () => framed(Buffer.alloc(100 * mebibyte))],
    ['lz4', () => compressFrameSync(Buffer.alloc(100 * mebibyte))],
    ['zstd', () => repeatedBytes(Array.from({ length: 800 }, () => 128 * 1024))],
    [
      'zstd',
      () =>
        repeatedBytes(
          Array.from({ length: 400 }, () => 128 * 1024),
          0x88,
        ),
    ],
  ])('is refused before it has become so (%s)', async (encoding, bomb) => {
    const body = await bomb()
    const before = process.memoryUsage().rss
    await expect(unpack(encoding, body)).rejects.toMatchObject({ reason: 'tooLarge' })
    expect(process.memoryUsage().rss - before).toBeLessThan(90 * mebibyte)
  })

  test('is refused for a window that no sender needs', async () => {
    const body = repeatedBytes(
      Array.from({ length: 2000 }, () => 128 * 1024),
      0xa0,
    )
    await expect(unpack('zstd', body)).rejects.toMatchObject({ reason: 'malformed' })
  })

  test('does not cost the window that it claims', async () => {
    // The claimed window is 1 GiB, the content has three bytes.
    expect(await unpack('zstd', repeatedBytes([3], 0xa0))).toEqual(Buffer.from('aaa'))
  })
})

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['GZIP', 'gzip'],
  ['br', undefined],
  ['gzip, zstd', undefined],
  ['constructor', undefined],
])('the encoding %s is known as %s', (name, known) => {
  expect(knownEncoding(name)).toBe(known)
})
