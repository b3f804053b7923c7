/**
 * Records that a producer library packed into one record of the stream: a magic number, a protobuf message, and the MD5 of
 * that message. See https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 */
import { createHash } from 'node:crypto'
import protobuf from 'protobufjs/minimal.js'

export interface HashKeyRange {
  first: bigint
  last: bigint
}

const magic = Buffer.from([0xf3, 0x89, 0x9a, 0xc2])
const digestBytes = 16

/** Whether a record claims to be aggregated. */
const isAggregated = (data: Uint8Array) =>
  data.byteLength > magic.length + digestBytes && magic.every((byte, at) => data[at] === byte)

interface Part {
  keyIndex: number
  hashIndex: number | null
  data: Uint8Array
}

/**
 * The user's records in a record of the stream: itself, if it is not aggregated. Records whose hash key is not in the range
 * of the shard are left out: the producer sends them again to the shard that has taken over their range.
 */
export function userRecords(data: Uint8Array, range: HashKeyRange): Uint8Array[] {
  if (!isAggregated(data)) return [data]
  const message = data.subarray(magic.length, data.byteLength - digestBytes)
  const digest = createHash('md5').update(message).digest()
  // A record that only begins like an aggregated one.
  if (!digest.equals(data.subarray(data.byteLength - digestBytes))) return [data]
  const keys: string[] = []
  const hashKeys: string[] = []
  const parts: Part[] = []
  try {
    readFields(message, (field, reader) => {
      if (field === 1) keys.push(reader.string())
      else if (field === 2) hashKeys.push(reader.string())
      else if (field === 3) parts.push(readPart(reader.bytes()))
      else return false
      return true
    })
    return parts.filter((part) => isWithin(hashKeyOf(part, keys, hashKeys), range)).map((part) => part.data)
  } catch {
    return [data]
  }
}

function readPart(bytes: Uint8Array): Part {
  const part: Part = { keyIndex: 0, hashIndex: null, data: new Uint8Array() }
  readFields(bytes, (field, reader) => {
    if (field === 1) part.keyIndex = Number(reader.uint64())
    else if (field === 2) part.hashIndex = Number(reader.uint64())
    else if (field === 3) part.data = reader.bytes()
    else return false
    return true
  })
  return part
}

/** @param read reads the value of a field; false for fields that are skipped */
function readFields(bytes: Uint8Array, read: (field: number, reader: protobuf.Reader) => boolean): void {
  const reader = protobuf.Reader.create(bytes)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (!read(tag >>> 3, reader)) reader.skipType(tag & 7)
  }
}

function hashKeyOf({ keyIndex, hashIndex }: Part, keys: readonly string[], hashKeys: readonly string[]): bigint {
  const explicit = hashIndex === null ? undefined : hashKeys[hashIndex]
  if (explicit !== undefined) return BigInt(explicit)
  const digest = createHash('md5')
    .update(keys[keyIndex] ?? '', 'utf8')
    .digest('hex')
  return BigInt(`0x${digest}`)
}

const isWithin = (key: bigint, { first, last }: HashKeyRange) => key >= first && key <= last
