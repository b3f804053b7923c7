/** Reads the oldest records of a stream, for a sample. */
import { sampledRecords } from '../loads/sourceSample.ts'
import { userRecords } from './aggregatedRecords.ts'
import type { KinesisStream } from './kinesisClient.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { maxDecoded, rangeOf } from './addRecords.ts'
import { readShard } from './readShard.ts'

/** The JSON objects of a record; none of one that cannot be decoded. */
function textsOf(data: Buffer, values: FramedValues | null): string[] {
  if (!values) return data.toString().trim().split('\n')
  try {
    return [Buffer.from(values.toJson(data, maxDecoded), 'latin1').toString()]
  } catch {
    return []
  }
}

/** Shards that are looked at, and reads of each: an old shard may have empty pages. */
const maxShards = 8
const maxReads = 5

/** @returns the texts of records, at most a hundred */
export async function sampleStream(
  stream: KinesisStream,
  values: FramedValues | null,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = []
  for (const shard of (await stream.shards(signal)).slice(-maxShards)) {
    let reads = 0
    for await (const page of readShard(stream, shard.ShardId ?? '', { Type: 'TRIM_HORIZON' }, signal)) {
      for (const { Data } of page.records) {
        for (const part of userRecords(Data ?? new Uint8Array(), rangeOf(shard))) {
          found.push(...textsOf(Buffer.from(part), values))
          if (found.length >= sampledRecords) return found.slice(0, sampledRecords)
        }
      }
      reads += 1
      if (page.millisBehind === 0 || reads === maxReads) break
    }
  }
  return found
}
