/**
 * Sends log records to a collector from a process of its own: concurrent senders with bodies that are encoded beforehand.
 * Reports what was acknowledged when its time is over, or when the collector is gone.
 */
import { Client } from 'undici'
import { wireFromJson } from '#stack/collector/otlp/otlpJson.ts'
import { otlpBatch } from './support/logBatch.ts'

export interface SenderTask {
  port: number
  key: string
  encoding: 'json' | 'protobuf'
  senders: number
  batch: number
  seconds: number
}

export interface SenderReport {
  acknowledged: number
  /** Requests that were answered with an error, or not at all. */
  failed: number
  /** Milliseconds of each answer. */
  waits: number[]
  seconds: number
  cpuSeconds: number
}

/** Different bodies, so that the engine does not compress the same rows. */
const bodyCount = 48
const mediaTypes = { json: 'application/json', protobuf: 'application/x-protobuf' }

// The parent sends a `SenderTask`.
process.once('message', (task) => void run(task as SenderTask))
process.once('disconnect', () => process.exit(0))

async function run({ port, key, encoding, senders, batch, seconds }: SenderTask): Promise<void> {
  const bodies = Array.from({ length: bodyCount }, (_, at) => {
    const json = otlpBatch(at * batch, batch)
    return encoding === 'json' ? Buffer.from(json) : wireFromJson('ExportLogsRequest', json)
  })
  const headers = { authorization: key, 'content-type': mediaTypes[encoding] }
  const report = { acknowledged: 0, failed: 0, waits: [] as number[] }
  process.send?.('ready')
  await new Promise((go) => process.once('message', go))
  const begin = performance.now()
  const cpu = process.cpuUsage()
  const end = begin + seconds * 1000
  const sender = async (first: number) => {
    const client = new Client(`http://127.0.0.1:${port}`)
    for (let at = first; performance.now() < end; at++) {
      const sent = performance.now()
      const done = await send(client, bodies[at % bodyCount]!)
      report.waits.push(performance.now() - sent)
      if (done) report.acknowledged += batch
      else report.failed += 1
      if (done === null) break
    }
    await client.destroy()
  }
  /** Whether the records are stored; null if the collector is gone. */
  async function send(client: Client, body: Buffer): Promise<boolean | null> {
    try {
      const answer = await client.request({ method: 'POST', path: '/v1/logs', headers, body })
      await answer.body.dump()
      return answer.statusCode === 200
    } catch {
      return null
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, at) => sender(at * 3)))
  const { user, system } = process.cpuUsage(cpu)
  const finished: SenderReport = {
    ...report,
    seconds: (performance.now() - begin) / 1000,
    cpuSeconds: (user + system) / 1e6,
  }
  process.send?.(finished)
}
