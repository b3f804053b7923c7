/** Measures the memory of the stack at its limits: an export request, and a chart over its records. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startStackProcess, watch } from '../soak/processes/stackProcess.ts'
import type { Row } from './support/measure.ts'
import type { Source } from '#contract/stack/sources.ts'
import { bombs } from '#stack/testing/requestBombs.ts'

const requests = 4
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

export async function memory(): Promise<Row[]> {
  const stack = await startStackProcess()
  const eyes = watch(stack)
  const { ports, credentials } = stack
  const headers = { authorization: `Bearer ${credentials.personalAccessKey}`, 'content-type': 'application/json' }
  const api = async <T>(path: string, body?: object): Promise<T> => {
    const url = `http://127.0.0.1:${ports.api}/api/v2${path}`
    const answer = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    // Responses of the stack, checked by its tests.
    return (await answer.json()) as T
  }
  const send = async (body: Buffer): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${ports.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { authorization: credentials.ingestionKey, 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(body),
    })
    if (answer.status === 429) {
      await sleep(1000 * Number(answer.headers.get('retry-after') ?? 1))
      return send(body)
    }
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }
  try {
    const { resident: atRest } = await eyes.take()
    const body = bombs.find(({ name }) => name === 'as many records as may come')!.body(20 * 1024 * 1024)
    for (let sent = 0; sent < requests; sent++) await send(body)
    const ingest = await eyes.take()
    const source = (await api<{ data: Source[] }>('/sources')).data.find(({ kind }) => kind === 'log')
    const now = Date.now()
    await api('/charts/series', {
      startTime: now - 3_600_000,
      endTime: now + 3_600_000,
      granularity: '1h',
      series: [{ sourceId: source?.id, aggFn: 'count', where: '', groupBy: ['Body'] }],
    })
    const query = await eyes.take()
    return [
      {
        what: `Memory of the stack: at rest; during ${requests} requests of 495,000 log records; while a chart counts them`,
        result: `${megabytes(atRest)}, ${megabytes(ingest.resident)}, ${megabytes(query.resident)}`,
        aim: '1,500 MB',
      },
    ]
  } finally {
    eyes.stop()
    await stack.stop()
  }
}
