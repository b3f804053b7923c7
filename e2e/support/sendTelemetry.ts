import { randomBytes } from 'node:crypto'
import { expect } from '@playwright/test'
import { credentials, ports } from './environment.ts'
import { now } from './now.ts'

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

const serviceOf = (name: string) => ({ attributes: [{ key: 'service.name', value: { stringValue: name } }] })

/** Logs with these messages, about a minute ago. @param step milliseconds between two of them */
export async function sendMessages(service: string, messages: readonly string[], step = 1): Promise<void> {
  const start = now() - 60_000 - messages.length * (step - 1)
  const logRecords = messages.map((message, at) => ({
    timeUnixNano: `${start + at * step}000000`,
    severityText: 'INFO',
    body: { stringValue: message },
  }))
  await sendTelemetry('logs', { resourceLogs: [{ resource: serviceOf(service), scopeLogs: [{ logRecords }] }] })
}

/** Spans about a minute ago. @param durations milliseconds */
export async function sendSpans(service: string, durations: readonly number[]): Promise<void> {
  const start = now() - 60_000
  const spans = durations.map((duration, at) => ({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: 'GET /orders',
    kind: 2,
    // All but the first have it.
    attributes: at === 0 ? [] : [{ key: 'app.queue.length', value: { intValue: String(duration) } }],
    startTimeUnixNano: `${start + at}000000`,
    endTimeUnixNano: `${start + at + duration}000000`,
  }))
  await sendTelemetry('traces', { resourceSpans: [{ resource: serviceOf(service), scopeSpans: [{ spans }] }] })
}
