/** Records that the collector acknowledged are counted exactly, and again after the stack was killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { currentTime } from '#node/clock/wallClock.ts'
import { freePort } from '#node/testing/freePort.ts'
import { chartPoint } from '#contract/stack/charts.ts'
import { program } from '#node/testing/program.ts'

let ports: { api: number; otlpHttp: number; otlpGrpc: number }
const host = '127.0.0.1'
const root = () => `http://${host}:${ports.api}`
const records = 100_000
const batch = 1000
const senders = 4

const dataDir = mkdtempSync(join(tmpdir(), 'stack-console-durability-'))
let stack: ChildProcess

beforeAll(async () => {
  const [api, otlpHttp, otlpGrpc] = [await freePort(), await freePort(), await freePort()]
  ports = { api, otlpHttp, otlpGrpc }
  stack = await start()
}, 90_000)
afterAll(async () => {
  stack.kill('SIGTERM')
  await once(stack, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
})

const stackProgram = program(join(import.meta.dirname, '../stack/startup/main.ts'))

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...stackProgram.execArgv, stackProgram.file], {
    env: {
      ...process.env,
      UV_THREADPOOL_SIZE: '16',
      API_PORT: String(ports.api),
      OTLP_HTTP_PORT: String(ports.otlpHttp),
      OTLP_GRPC_PORT: String(ports.otlpGrpc),
      DATA_DIR: dataDir,
      SAMPLE: '0',
      RATE_LIMIT_OPEN_SOURCE: '0',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await vi.waitFor(async () => expect((await fetch(`${root()}/api/v2/sources`)).status).toBe(401), {
    timeout: 60_000,
    interval: 200,
  })
  return child
}

const keys = () =>
  z
    .object({ personalAccessKey: z.string(), ingestionKey: z.string() })
    .parse(JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')))

async function send(first: number, sentAt: number): Promise<void> {
  const logRecords = Array.from({ length: batch }, (_, index) => ({
    timeUnixNano: String(BigInt(sentAt) * 1_000_000n + BigInt(first + index)),
    severityText: 'INFO',
    body: { stringValue: `record ${first + index}` },
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'counted' } }] }
  const answer = await fetch(`http://${host}:${ports.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { authorization: keys().ingestionKey, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }),
  })
  // Refused for now, with the time to wait: nothing of it was taken.
  if (answer.status === 429) {
    await new Promise((wake) => setTimeout(wake, Number(answer.headers.get('retry-after') ?? 1) * 1000))
    return send(first, sentAt)
  }
  expect(answer.status).toBe(200)
  const outcome = z.object({
    partialSuccess: z.object({ rejectedLogRecords: z.coerce.number().optional() }).optional(),
  })
  expect(outcome.parse(await answer.json()).partialSuccess?.rejectedLogRecords ?? 0).toBe(0)
}

async function ask(path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(root() + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${keys().personalAccessKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return z.object({ data: z.unknown() }).parse(await answer.json()).data
}

async function counted(): Promise<number> {
  const sources = z.array(z.object({ id: z.string(), kind: z.string() })).parse(await ask('/api/v2/sources'))
  const points = await ask('/api/v2/charts/series', {
    startTime: currentTime() - 3_600_000,
    endTime: currentTime() + 60_000,
    granularity: '1m',
    series: [
      {
        sourceId: sources.find(({ kind }) => kind === 'log')?.id,
        aggFn: 'count',
        where: 'ServiceName:"counted"',
        groupBy: [],
      },
    ],
  })
  return z
    .array(chartPoint)
    .parse(points)
    .reduce((sum, point) => sum + Number(point['series_0.data']), 0)
}

test(
  `${records} log records in batches of ${batch} are stored, before and after kill -9`,
  { timeout: 240_000 },
  async () => {
    const sentAt = currentTime()
    let next = 0
    const sender = async () => {
      while (next < records) {
        const first = next
        next += batch
        await send(first, sentAt)
      }
    }
    await Promise.all(Array.from({ length: senders }, sender))
    expect(await counted()).toBe(records)

    stack.kill('SIGKILL')
    await once(stack, 'exit')
    stack = await start()
    expect(await counted()).toBe(records)
  },
)
