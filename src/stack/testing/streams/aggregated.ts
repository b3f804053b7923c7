/** Packs records as the Kinesis producer library does. */
import { createHash } from 'node:crypto'
import protobuf from 'protobufjs/minimal.js'

export interface PackedRecord {
  key: string
  hashKey?: string
  data: string | Uint8Array
}

export function aggregated(records: readonly PackedRecord[]): Uint8Array {
  const message = protobuf.Writer.create()
  for (const { key } of records) message.uint32(10).string(key)
  for (const { hashKey } of records) message.uint32(18).string(hashKey ?? '')
  for (const [at, { hashKey, data }] of records.entries()) {
    message.uint32(26).fork().uint32(8).uint64(at)
    if (hashKey !== undefined) message.uint32(16).uint64(at)
    message.uint32(26).bytes(Buffer.from(data)).ldelim()
  }
  const body = message.finish()
  const digest = createHash('md5').update(body).digest()
  return Buffer.concat([Buffer.from([0xf3, 0x89, 0x9a, 0xc2]), body, digest])
}
