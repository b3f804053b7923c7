/** Sends export requests to the collector, and again while it is busy. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignalName } from './otlp.ts'

export interface SenderOptions {
  /** Base address of OTLP over HTTP. */
  collectorUrl: string
  ingestionKey: string
}

const maxTries = 8

/**
 * Resolves once the batch is stored. Rejects when the collector refuses it or stays busy, and when no answer comes:
 * then nobody knows whether it was stored. A request under way is never cut off, so that nothing is stored after its end.
 */
export async function send(signal: SignalName, body: string, options: SenderOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${options.collectorUrl}/v1/${signal}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.ingestionKey}`, 'content-type': 'application/json' },
      body,
    })
    const answer = await response.text()
    if (response.status === 429 && attempt < maxTries) {
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
      continue
    }
    // A partial success is a fault as well: sample records are all of a kind that can be stored.
    if (!response.ok || answer !== '{}') {
      throw new Error(`the collector answered a sample batch with ${response.status} ${answer.slice(0, 300)}`)
    }
    return
  }
}
