import { expect } from '@playwright/test'
import { credentials, ports } from './environment.ts'

/** The answer of the collector while it is busy. After a 503, some of the rows may be stored. */
const busy: readonly number[] = [429, 502, 503, 504]

/** Sends OTLP as exporters do: what is refused because the collector is busy is sent again. */
export async function sendTelemetry(signal: 'logs' | 'metrics' | 'traces', body: object): Promise<void> {
  let status = 0
  const send = async () => {
    const response = await fetch(`http://127.0.0.1:${ports.otlpHttp}/v1/${signal}`, {
      method: 'POST',
      headers: { authorization: credentials().ingestionKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    status = response.status
    return busy.includes(status)
  }
  await expect.poll(send).toBe(false)
  expect(status).toBe(200)
}
