/** Export requests of the three signals, over HTTP and gRPC, at a steady rate. */
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { wireFromJson } from '../src/stack/collector/otlp/otlpJson.ts'
import { signals, type Signal } from '../src/stack/collector/signals.ts'

interface Collector {
  httpPort: number
  grpcPort: number
  ingestionKey: string
}

export type Transport = 'http' | 'grpc'

export interface OtlpLoad {
  /** Sends one request. Rejects unless the collector stored it. */
  send(name: Signal['name'], service: string, records: number, over: Transport): Promise<void>
  close(): void
}

const text = (value: string) => ({ stringValue: value })
const nanoseconds = () => String(BigInt(Date.now()) * 1_000_000n)
const hex = (length: number) => Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join('')

/** @returns a request in the JSON of OTLP */
function requestOf(name: Signal['name'], service: string, records: number): string {
  const resource = { attributes: [{ key: 'service.name', value: text(service) }] }
  const at = nanoseconds()
  const many = <T>(make: (index: number) => T) => Array.from({ length: records }, (_, index) => make(index))
  const attributes = (index: number) => [
    { key: 'http.route', value: text(`/products/${index % 20}`) },
    { key: 'session.id', value: text(hex(8)) },
  ]
  switch (name) {
    case 'logs': {
      const logRecords = many((index) => ({
        timeUnixNano: at,
        severityText: index % 10 === 0 ? 'ERROR' : 'INFO',
        body: text(`GET /products/${index} answered in ${index % 97} ms`),
        attributes: attributes(index),
      }))
      return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
    }
    case 'traces': {
      const traceId = hex(32)
      const spans = many((index) => ({
        traceId,
        spanId: hex(16),
        name: `operation ${index % 10}`,
        kind: 2,
        startTimeUnixNano: at,
        endTimeUnixNano: String(BigInt(at) + BigInt(index + 1) * 1_000_000n),
        attributes: attributes(index),
      }))
      return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
    }
    case 'metrics': {
      const dataPoints = many((index) => ({
        timeUnixNano: at,
        asDouble: Math.random() * 100,
        attributes: [{ key: 'shard', value: text(String(index)) }],
      }))
      const metrics = [{ name: 'queue.depth', unit: '1', gauge: { dataPoints } }]
      return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
    }
  }
}

export function openOtlpLoad({ httpPort, grpcPort, ingestionKey }: Collector): OtlpLoad {
  const metadata = new Metadata()
  metadata.set('authorization', ingestionKey)
  const client = new Client(`127.0.0.1:${grpcPort}`, credentials.createInsecure())
  const asIs = (bytes: Buffer) => bytes
  return {
    async send(name, service, records, over) {
      const signal = signals.find((candidate) => candidate.name === name)!
      const json = requestOf(name, service, records)
      if (over === 'grpc') {
        const body = wireFromJson(signal.request, json)
        await new Promise<void>((resolve, reject) => {
          client.makeUnaryRequest(signal.grpcPath, asIs, asIs, body, metadata, (error) =>
            error ? reject(error) : resolve(),
          )
        })
        return
      }
      const response = await fetch(`http://127.0.0.1:${httpPort}${signal.httpPath}`, {
        method: 'POST',
        headers: { authorization: ingestionKey, 'content-type': 'application/json' },
        body: json,
      })
      const answer = await response.text()
      if (!response.ok) throw new Error(`${signal.httpPath}: ${response.status} ${answer}`)
    },
    close: () => client.close(),
  }
}
