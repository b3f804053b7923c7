/** A text, and what the libraries of Go that the OpenTelemetry Collector sends with made of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** 120 kB, which is more than one block of most formats. */
export const plainText = Buffer.from(
  Array.from({ length: 5000 }, (_, at) => `record ${at % 40} of the shop ${'x'.repeat(at % 7)}\n`).join(''),
)

/** `zstd-grpc` is Zstandard with the smaller window that collectors use over gRPC. */
export type Format = 'lz4' | 'snappy' | 'x-snappy-framed' | 'zlib' | 'zstd' | 'zstd-grpc'

export function compressedText(format: Format): Buffer {
  return readFileSync(join(import.meta.dirname, `text.${format}`))
}
