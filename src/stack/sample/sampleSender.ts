/** Sends slices of the shop's telemetry to the collector. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { type Labelled, exportRequest, type SignalName } from './otlpRequests.ts'
import { generateSlice, type Telemetry } from './shop.ts'

export interface SenderOptions {
  /** Base address of OTLP over HTTP. */
  collectorUrl: string
  /** The key as it is now. */
  ingestionKey: () => string
  /** The telemetry of a slice. Default: `generateSlice`. */
  generate?: (anchor: number, index: number) => Telemetry
}

const signalNames = ['logs', 'traces', 'metrics'] as const
/** Larger batches cost less in total, but delay other requests to the process. */
const recordsPerRequest = 4000
const requestsAtOnce = 4
const maxTries = 8

/**
 * Resolves to the number of records once all of them are stored. Rejects if a batch could not be sent, or soon after
 * `signal`: then some of them are stored. In any case, no request is in progress afterwards.
 */
export async function sendSlices(
  anchor: number,
  indices: readonly number[],
  options: SenderOptions,
  signal: AbortSignal,
): Promise<number> {
  return sendTelemetry(await generate(anchor, indices, options.generate ?? generateSlice), options, signal)
}

/** Sends any telemetry to the collector. */
export async function sendTelemetry(
  telemetry: Telemetry,
  options: SenderOptions,
  signal: AbortSignal,
): Promise<number> {
  const batches = signalNames.flatMap((name) => batchesOf(telemetry[name]).map((batch) => ({ name, batch })))
  const left = batches.values()
  // Several at a time, so that the collector combines them into few inserts.
  const work = async () => {
    for (const { name, batch } of left) {
      signal.throwIfAborted()
      await send(name, exportRequest(name, batch), options)
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: requestsAtOnce }, work))
  const failed = workers.find((worker) => worker.status === 'rejected')
  if (failed) throw failed.reason
  return batches.reduce((sum, { batch }) => sum + batch.length, 0)
}

/** Generates an hour at a time, so that the process can handle other requests in between. */
async function generate(anchor: number, indices: readonly number[], sliceOf: typeof generateSlice): Promise<Telemetry> {
  const all: Telemetry = { logs: [], traces: [], metrics: [] }
  for (const index of indices) {
    const slice = sliceOf(anchor, index)
    for (const name of signalNames) all[name].push(...slice[name])
    await turn()
  }
  return all
}

function batchesOf(records: readonly Labelled<object>[]): (readonly Labelled<object>[])[] {
  const count = Math.ceil(records.length / recordsPerRequest)
  return Array.from({ length: count }, (_, at) => records.slice(at * recordsPerRequest, (at + 1) * recordsPerRequest))
}

/**
 * Resolves once the batch is stored. Rejects if the collector rejects it or stays overloaded, or if no response comes:
 * then it is unknown whether it was stored. A request is never cancelled, so that nothing is stored after its end.
 */
async function send(signal: SignalName, body: string, options: SenderOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${options.collectorUrl}/v1/${signal}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.ingestionKey()}`, 'content-type': 'application/json' },
      body,
    })
    const answer = await response.text()
    if (response.status === 429 && attempt < maxTries) {
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
      continue
    }
    // Partial success is an error too: every sample record is valid.
    if (!response.ok || answer !== '{}') {
      throw new Error(`the collector responded to a sample batch with ${response.status} ${answer.slice(0, 300)}`)
    }
    return
  }
}
