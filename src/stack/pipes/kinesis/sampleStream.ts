/** Reads the oldest records of a stream, for a sample. */
import { sampledRecords } from '../loads/sourceSample.ts'
import { userRecords } from './aggregatedRecords.ts'
import type { KinesisStream } from './kinesisClient.ts'
import { rangeOf } from './addRecords.ts'
import { readShard } from './readShard.ts'

/** Shards that are looked at, and reads of each: an old shard may have empty pages. */
const mostShards = 8
const mostReads = 5

/** @returns the texts of records, at most a hundred */
export async function sampleStream(stream: KinesisStream, signal: AbortSignal): Promise<string[]> {
  const found: string[] = []
  for (const shard of (await stream.shards(signal)).slice(-mostShards)) {
    let reads = 0
    for await (const page of readShard(stream, shard.ShardId ?? '', { Type: 'TRIM_HORIZON' }, signal)) {
      for (const { Data } of page.records) {
        for (const part of userRecords(Data ?? new Uint8Array(), rangeOf(shard))) {
          found.push(...Buffer.from(part).toString().trim().split('\n'))
        }
      }
      reads += 1
      if (found.length >= sampledRecords) return found.slice(0, sampledRecords)
      if (page.millisBehind === 0 || reads === mostReads) break
    }
  }
  return found
}
