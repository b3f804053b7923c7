/** A collector over the real engine, for tests, and the requests that they send to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { currentTime } from '#node/clock/wallClock.ts'
import { type Engine, openEngine } from '../telemetry/engine/engine.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'
import { type Collector, type CollectorOptions, startCollector } from '../collector/collector.ts'
import { onlyKey } from '../collector/ingestionKey.ts'

export const ingestionKey = 'test-ingestion-key'

/** The credentials of a sender: the key after "Bearer " with JSON, the bare key with protobuf. */
export const json = { authorization: `Bearer ${ingestionKey}`, 'content-type': 'application/json' }
export const protobuf = { authorization: ingestionKey, 'content-type': 'application/x-protobuf' }

export interface TestCollector {
  engine: Engine
  /** Starts a collector on free ports, in place of the one before; returns the address of OTLP over HTTP. */
  start(options?: Partial<CollectorOptions>): Promise<string>
  /** The one that was started last. */
  current(): Collector
  count(table: string): Promise<number>
  /** Closes the collector and empties the tables. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function createTestCollector(): Promise<TestCollector> {
  const dataDir = mkdtempSync(join(tmpdir(), 'collector-'))
  const engine = await openEngine({ dataDir })
  await ensureTables(engine)
  const usual = {
    host: '127.0.0.1',
    httpPort: 0,
    grpcPort: 0,
    acceptedKeys: onlyKey(ingestionKey),
    engine,
    retentionDays: () => 30,
  }
  const logger = pino({ level: 'silent' })
  let collector: Collector | undefined

  const reset = async () => {
    await collector?.close()
    collector = undefined
    for (const table of Object.values(tables)) await engine.command(`TRUNCATE TABLE ${table}`)
  }

  return {
    engine,
    start: async (options) => {
      await collector?.close()
      collector = await startCollector({ ...usual, logger, ...options })
      return `http://127.0.0.1:${collector.httpPort}`
    },
    current: () => {
      if (!collector) throw new Error('no collector was started')
      return collector
    },
    count: async (table) => {
      const [row] = await engine.query<{ count: string }>(`SELECT count() AS count FROM ${table}`)
      return Number(row?.count)
    },
    reset,
    close: async () => {
      await collector?.close()
      await engine.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Nanoseconds since 1970. */
export const now = () => BigInt(currentTime()) * 1_000_000n

export const log = (text: string) => ({ timeUnixNano: String(now()), body: { stringValue: text } })

/** The JSON of an export request of the service `shop`. */
export function logsOf(...logRecords: object[]): string {
  const attributes = [{ key: 'service.name', value: { stringValue: 'shop' } }]
  return JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] })
}

export function post(
  url: string,
  headers: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer>,
  path = '/v1/logs',
): Promise<Response> {
  return fetch(url + path, { method: 'POST', headers, body })
}

/** An engine whose inserts wait until they are let through. */
export function holdInserts(engine: Engine) {
  const waiting: (() => void)[] = []
  const inserts: number[] = []
  const insertBlocks: Engine['insertBlocks'] = async (table, blocks) => {
    await new Promise<void>((go) => waiting.push(go))
    inserts.push(blocks.reduce((sum, { rows }) => sum + rows, 0))
    await engine.insertBlocks(table, blocks)
  }
  return { insertBlocks, waiting, inserts, letThrough: () => waiting.splice(0).forEach((go) => go()) }
}
