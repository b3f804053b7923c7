/**
 * Many senders of log records over gRPC and HTTP, with deadlines of three seconds, against a stack that is too slow for them. Each
 * export is sent once and has a name, so that what is stored can be told by what its sender knows: acknowledged ones are
 * stored once, refused ones not at all, and the others at most once. `SOAK_SECONDS` of load, `SOAK_SENDERS` for each protocol.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, credentials, Metadata, status } from '@grpc/grpc-js'
import { wireFromJson } from '../src/stack/collector/otlp/otlpJson.ts'
import { openEngine } from '../src/stack/telemetry/engine/engine.ts'
import { startStackProcess, type StackProcess } from './processes/stackProcess.ts'

const seconds = Number(process.env['SOAK_SECONDS'] ?? 60)
const senders = Number(process.env['SOAK_SENDERS'] ?? 48)
const rowsPerExport = 1000
const deadline = 3000
/** The longest time in milliseconds that the stack is stopped, and that it runs. */
const pause = 4000

/** `unknown`: the sender gave up before the response. */
type Outcome = 'acknowledged' | 'unknown' | 'refused'
type Send = (body: Buffer) => Promise<Outcome>

/** @returns exports whose stored rows contradict what their sender was told */
export async function overload(): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-overload-'))
  const stack = await startStackProcess({}, dataDir)
  try {
    const outcomes = await sendAll(stack)
    await stack.kill()
    return await compare(dataDir, outcomes)
  } finally {
    if (stack.alive()) await stack.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function sendAll(stack: StackProcess): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const { grpc, http, close } = openSenders(stack)
  const end = performance.now() + seconds * 1000
  let count = 0
  const sendUntilEnd = async (send: Send) => {
    while (performance.now() < end) {
      const name = `export-${++count}`
      const outcome = await send(requestOf(name))
      outcomes.set(name, outcome)
      if (outcome === 'refused') await sleep(200)
    }
  }
  // A processor that is taken away again and again makes the stack slow on any machine.
  const pauseUntilEnd = async () => {
    while (performance.now() < end) {
      process.kill(stack.pid, 'SIGSTOP')
      await sleep(pause * Math.random())
      process.kill(stack.pid, 'SIGCONT')
      await sleep(pause * Math.random())
    }
  }
  const sending = Array.from({ length: senders }, () => [sendUntilEnd(grpc), sendUntilEnd(http)])
  await Promise.all([...sending.flat(), pauseUntilEnd()])
  close()
  return outcomes
}

function requestOf(name: string): Buffer {
  const at = String(BigInt(Date.now()) * 1_000_000n)
  const logRecords = Array.from({ length: rowsPerExport }, (_, index) => ({
    timeUnixNano: at,
    body: { stringValue: `GET /products/${index}` },
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: name } }] }
  return wireFromJson(
    'ExportLogsRequest',
    JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }),
  )
}

function openSenders({ ports, credentials: { ingestionKey } }: StackProcess) {
  const metadata = new Metadata()
  metadata.set('authorization', ingestionKey)
  const client = new Client(`127.0.0.1:${ports.otlpGrpc}`, credentials.createInsecure())
  const path = '/opentelemetry.proto.collector.logs.v1.LogsService/Export'
  const asIs = (bytes: Buffer) => bytes
  const grpc: Send = (body) =>
    new Promise((resolve) => {
      client.makeUnaryRequest(path, asIs, asIs, body, metadata, { deadline: Date.now() + deadline }, (error) => {
        if (!error) resolve('acknowledged')
        else resolve(error.code === status.DEADLINE_EXCEEDED ? 'unknown' : 'refused')
      })
    })
  const http: Send = async (body) => {
    try {
      const response = await fetch(`http://127.0.0.1:${ports.otlpHttp}/v1/logs`, {
        method: 'POST',
        headers: { authorization: ingestionKey, 'content-type': 'application/x-protobuf' },
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(deadline),
      })
      await response.arrayBuffer()
      return response.ok ? 'acknowledged' : 'refused'
    } catch {
      return 'unknown'
    }
  }
  return { grpc, http, close: () => client.close() }
}

async function compare(dataDir: string, outcomes: ReadonlyMap<string, Outcome>): Promise<string[]> {
  const engine = await openEngine({ dataDir })
  try {
    const found = await engine.query<{ name: string; rows: string }>(
      "SELECT ServiceName AS name, count() AS rows FROM otel_logs WHERE ServiceName LIKE 'export-%' GROUP BY name",
    )
    const stored = new Map(found.map(({ name, rows }) => [name, Number(rows)]))
    const faults: string[] = []
    for (const outcome of ['acknowledged', 'unknown', 'refused'] as const) {
      const names = [...outcomes].filter(([, value]) => value === outcome).map(([name]) => name)
      const rows = names.map((name) => stored.get(name) ?? 0)
      const wrong = rows.filter((count) => !isAllowed(outcome, count)).length
      const total = rows.reduce((sum, count) => sum + count, 0)
      console.log(
        `${outcome}: ${names.length * rowsPerExport} rows sent, ${total} stored; ${wrong} exports contradict it`,
      )
      if (wrong > 0) faults.push(`${wrong} exports that were ${outcome} are stored otherwise`)
    }
    if (![...outcomes.values()].includes('acknowledged')) faults.push('no export was acknowledged')
    return faults
  } finally {
    await engine.close()
  }
}

function isAllowed(outcome: Outcome, rows: number): boolean {
  if (outcome === 'acknowledged') return rows === rowsPerExport
  return rows === 0 || (outcome === 'unknown' && rows === rowsPerExport)
}
