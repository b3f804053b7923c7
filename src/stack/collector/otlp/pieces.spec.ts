import { describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { bombs } from '../../testing/requestBombs.ts'
import { Batch, timeWindow } from '../convert/batch.ts'
import { signals } from '../signals.ts'
import { type DecodeLimits, defaultDecodeLimits, LimitExceeded } from './decodeLimits.ts'
import { decodeJson } from '../../testing/otlpModel/otlpModel.ts'
import { encode } from './messages.ts'
import { wireFromJson } from './otlpJson.ts'
import { piecesOf, weighRequest as weighInSlices } from './pieces.ts'
import type { RequestName } from './shapes.ts'

/** Without a pause. */
function weighRequest(...request: Parameters<typeof weighInSlices>) {
  const work = weighInSlices(...request)
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value
}

const signalOf = (name: RequestName) => signals.find(({ request }) => request === name)!
const text = (value: string) => ({ stringValue: value })
const attributes = (count: number, of = 'k') =>
  Array.from({ length: count }, (_, at) => ({ key: `${of}${at}`, value: text(`v${at}`) }))
const each = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
const time = () => String(BigInt(currentTime()) * 1_000_000n)

/** Requests with an uneven number of records in resources, scopes and metrics. */
const requests: Record<RequestName, object> = {
  ExportLogsRequest: {
    schemaUrl: 'passed over',
    resourceLogs: each(5, (resource) => ({
      scopeLogs: each(resource, (scope) => ({
        logRecords: each(40 * scope, (at) => ({ body: text(`${resource}.${scope}.${at}`), attributes: attributes(3) })),
        schemaUrl: 'scope',
        scope: { name: `s${scope}`, attributes: attributes(scope) },
      })),
      resource: { attributes: attributes(resource, 'service.name') },
      schemaUrl: 'https://a/"b"',
    })),
  },
  ExportTraceRequest: {
    resourceSpans: each(3, (resource) => ({
      scopeSpans: [
        {
          scope: { name: `s${resource}` },
          spans: each(70, (at) => ({
            traceId: 'ab'.repeat(16),
            spanId: at % 7 === 0 ? '' : 'cd'.repeat(8),
            startTimeUnixNano: time(),
            name: `[${at}]`,
            events: each(at % 3, () => ({ name: '{"e":[', attributes: attributes(2) })),
          })),
        },
      ],
    })),
  },
  ExportMetricsRequest: {
    resourceMetrics: [
      {
        resource: { attributes: attributes(4) },
        scopeMetrics: each(2, (scope) => ({
          metrics: [
            { name: 'g', unit: 's', gauge: { dataPoints: each(90, (at) => ({ asInt: String(at), flags: at % 2 })) } },
            {
              name: 'h',
              histogram: {
                dataPoints: each(60, (at) => ({
                  count: String(at),
                  bucketCounts: ['1', '2'],
                  explicitBounds: [scope],
                })),
                aggregationTemporality: 2,
              },
            },
            { sum: { isMonotonic: true, dataPoints: each(50, () => ({ asDouble: 1.5 })) }, name: 'c' },
          ],
        })),
      },
    ],
  },
}

const names = Object.keys(requests) as RequestName[]
const encodings = ['json', 'protobuf'] as const

function bodyOf(name: RequestName, encoding: (typeof encodings)[number]): Buffer {
  const json = JSON.stringify(requests[name], null, 1)
  return encoding === 'json' ? Buffer.from(json) : encode(name, decodeJson(name, json))
}

describe.each(names)('%s in pieces', (name) => {
  test.each(encodings)('gives the same rows as the whole request, in %s', (encoding) => {
    const body = bodyOf(name, encoding)
    const window = timeWindow(currentTime(), 30)
    const whole = new Batch(window)
    signalOf(name).read(body, encoding, whole)
    const rows = [...whole.take()]
    const { records, weight } = weighRequest(name, encoding, body, defaultDecodeLimits)
    for (const share of [2, 10, 1000]) {
      const batch = new Batch(window)
      const weights: number[] = []
      for (const piece of piecesOf(name, encoding, body, defaultDecodeLimits, weight / share)) {
        if (!piece) continue
        weights.push(piece.weight)
        signalOf(name).read(piece.bytes, encoding, batch)
      }
      expect(weights.length).toBeGreaterThanOrEqual(share === 1000 ? records : share)
      expect(batch.rejected).toBe(whole.rejected)
      expect([...batch.take()]).toEqual(rows)
    }
  })
})

describe('names the exceeded limit', () => {
  const small: DecodeLimits = {
    maxRecords: 20,
    maxContainers: 20,
    maxAttributes: 20,
    maxRecordBytes: 5_000,
    maxRecordValues: 100,
    maxValues: 500,
    maxExpandedBytes: 20_000,
  }
  const logs = (record: object) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
  const cases: [string, object, RegExp][] = [
    ['records', { resourceLogs: [{ scopeLogs: [{ logRecords: each(21, () => ({})) }] }] }, /20 log records, spans/],
    ['resources', { resourceLogs: each(21, () => ({})) }, /20 resources, scopes and metrics/],
    ['attributes', logs({ attributes: attributes(21) }), /a record may have at most 20 attributes/],
    ['attributes of a resource', { resourceLogs: [{ resource: { attributes: attributes(21) } }] }, /20 attributes/],
    [
      'bytes',
      logs({ body: text('x'.repeat(5_001)) }),
      /a record, with its resource and scope, may have at most 5,000 bytes/,
    ],
    [
      'bytes, most of them of the resource and the scope',
      {
        resourceLogs: [
          {
            scopeLogs: [{ scope: { name: 'x'.repeat(2_400) }, logRecords: [{ body: text('x'.repeat(300)) }] }],
            resource: { attributes: [{ key: 'x'.repeat(2_400) }] },
          },
        ],
      },
      /a record, with its resource and scope, may have at most 5,000 bytes/,
    ],
    ['items of a list', logs({ body: { arrayValue: { values: each(101, () => ({})) } } }), /100 fields and list items/],
    [
      'values',
      { resourceLogs: [{ scopeLogs: [{ logRecords: each(18, () => ({ attributes: attributes(8) })) }] }] },
      /a request may have at most 500 fields and list items/,
    ],
    [
      'what records share',
      {
        resourceLogs: [
          {
            scopeLogs: [{ logRecords: each(20, () => ({})) }],
            resource: { attributes: [{ key: 'k', value: text('x'.repeat(2000)) }] },
          },
        ],
      },
      /each with its resource and scope, may have at most 20,000 bytes/,
    ],
  ]
  test.each(encodings.flatMap((encoding) => cases.map(([what, ...rest]) => [what, encoding, ...rest] as const)))(
    '%s in %s',
    (_, encoding, request, words) => {
      const json = JSON.stringify(request)
      const body = encoding === 'json' ? Buffer.from(json) : Buffer.from(encodeLoosely(json))
      const read = () => {
        weighRequest('ExportLogsRequest', encoding, body, small)
        if (encoding === 'json') wireFromJson('ExportLogsRequest', json, small)
      }
      expect(read).toThrow(LimitExceeded)
      expect(read).toThrow(words)
      weighRequest('ExportLogsRequest', encoding, body, defaultDecodeLimits)
    },
  )

  test.each(bombs.filter(({ name }) => name === 'lists within lists'))('nesting in $encoding', ({ encoding, body }) => {
    const read = (size: number) => weighRequest('ExportLogsRequest', encoding, body(size), defaultDecodeLimits)
    expect(() => read(20_000)).toThrow(LimitExceeded)
    expect(() => read(20_000)).toThrow(/nested at most 100 levels deep/)
    expect(read(200).records).toBe(1)
  })

  /** Without the reader, which has the same limits. */
  function encodeLoosely(json: string): Buffer {
    return encode('ExportLogsRequest', JSON.parse(json) as object)
  }
})

test.each(bombs.map((bomb) => [bomb.encoding, bomb.name, bomb] as const))(
  'a decompression bomb in %s, %s, gives no piece over the limit',
  (_, __, { signal, encoding, body }) => {
    const bytes = body(300_000)
    expect(bytes.length).toBeLessThanOrEqual(300_000)
    const limits = {
      maxRecords: 2_000,
      maxContainers: 2_000,
      maxAttributes: 200,
      maxRecordBytes: 100_000,
      maxRecordValues: 2_000,
      maxValues: 40_000,
      maxExpandedBytes: 1_000_000,
    }
    const { request, read } = signals.find(({ name }) => name === signal)!
    try {
      expect(weighRequest(request, encoding, bytes, limits).records).toBeLessThanOrEqual(2_000)
      for (const piece of piecesOf(request, encoding, bytes, limits, 200_000))
        if (piece) read(piece.bytes, encoding, new Batch(timeWindow(currentTime(), 30)))
    } catch (error) {
      // Too large, or not a valid request.
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(RangeError)
    }
  },
)
