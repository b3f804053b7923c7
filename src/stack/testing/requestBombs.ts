/** Export requests that are small but expensive to decode, in any size. */
import { currentTime } from '#node/clock/wallClock.ts'

export interface Bomb {
  name: string
  signal: 'logs' | 'traces' | 'metrics'
  encoding: 'json' | 'protobuf'
  /** A body of at most this many bytes. */
  body(size: number): Buffer
}

/** The wire format, by field numbers. */
function varint(value: number): number[] {
  const bytes: number[] = []
  for (; value > 0x7f; value = Math.floor(value / 128)) bytes.push((value % 128) | 0x80)
  return [...bytes, value]
}
const field = (number: number, content: Buffer) =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content])
const within = (path: readonly number[], content: Buffer) =>
  path.reduceRight((inner, number) => field(number, inner), content)
/** Room for tags and lengths around the content. */
const around = 64
const repeated = (item: Buffer, size: number) =>
  Buffer.alloc(Math.floor((size - around) / item.length) * item.length, item)
const many = (path: readonly number[], item: Buffer) => (size: number) => within(path, repeated(item, size))
const empty = (number: number) => field(number, Buffer.alloc(0))
const text = (number: number, value: string) => field(number, Buffer.from(value))

/** Messages within messages, in turn by these field numbers. */
function nested(numbers: readonly number[], size: number): Buffer {
  const heads: Buffer[] = []
  let length = 0
  for (let level = 0; length < size - around || level % numbers.length > 0; level++) {
    const head = Buffer.from([...varint(numbers[level % numbers.length]! * 8 + 2), ...varint(length)])
    heads.push(head)
    length += head.length
  }
  return Buffer.concat(heads.toReversed())
}

const attribute = (key: string) => Buffer.concat([text(1, key), field(2, text(1, ''))])
const attributes = (number: number, count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, at) => field(number, attribute(at.toString(36)))))
const spanId = Buffer.concat([
  field(1, Buffer.alloc(16, 1)),
  field(2, Buffer.alloc(8, 1)),
  // Its start, 64 bits.
  Buffer.concat([Buffer.from([0x39]), timeBytes()]),
])

function timeBytes(): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(currentTime()) * 1_000_000n)
  return bytes
}

/** Records with few bytes of their own and many shared ones. */
function sharedByMany(size: number): Buffer {
  const resource = field(1, field(1, Buffer.concat([text(1, 'k'), field(2, text(1, 'x'.repeat(size / 2)))])))
  return within([1], Buffer.concat([resource, field(2, repeated(empty(2), size / 2 - around))]))
}

/** Scales a number for a body of 20 MiB to the given size. */
const share = (size: number, ofTwentyMebibytes: number) => Math.floor((size / (20 * 1024 * 1024)) * ofTwentyMebibytes)
const largest = (size: number) => share(size, 4_100_000)

function sharedByThese(size: number, records: number, record = field(2, Buffer.alloc(0))): Buffer {
  const count = share(size, records)
  const resource = field(1, field(1, Buffer.concat([text(1, 'k'), field(2, text(1, 'x'.repeat(10_000)))])))
  return within([1], Buffer.concat([resource, field(2, Buffer.alloc(count * record.length, record))]))
}

type Shape = [name: string, signal: Bomb['signal'], body: (size: number) => Buffer]

const wireBombs: Shape[] = [
  ['empty resources', 'logs', many([], empty(1))],
  ['empty scopes', 'logs', many([1], empty(2))],
  ['empty log records', 'logs', many([1, 2], empty(2))],
  ['empty attributes of a record', 'logs', many([1, 2, 2], empty(6))],
  ['empty attributes of a resource', 'logs', many([1, 1], empty(1))],
  ['empty attributes of a scope', 'logs', many([1, 2, 1], empty(3))],
  ['empty items of a list', 'logs', many([1, 2, 2, 5, 5], empty(1))],
  ['empty entries of a map', 'logs', many([1, 2, 2, 5, 6], empty(1))],
  ['lists within lists', 'logs', (size) => within([1, 2, 2, 5], nested([1, 5], size))],
  ['lists of many levels', 'logs', many([1, 2], within([2, 5], nested([1, 5], 260)))],
  ['a resource shared by all', 'logs', sharedByMany],
  [
    '10,000 attributes in each record',
    'logs',
    (size) => many([1, 2], field(2, attributes(6, Math.min(10_000, size / 20))))(size),
  ],
  ['records of 40 bytes', 'logs', many([1, 2], field(2, field(5, text(1, 'x'.repeat(32)))))],
  [
    'as many records as may come',
    'logs',
    (size) => within([1, 2], repeated(field(2, field(5, text(1, 'x'.repeat(15)))), share(size, 10_400_000))),
  ],
  [
    'as many spans as may come',
    'traces',
    (size) => within([1, 2], repeated(field(2, spanId), share(size, 19_000_000))),
  ],
  ['the largest texts', 'logs', (size) => many([1, 2], within([2, 5, 1], Buffer.alloc(largest(size), 'x')))(size)],
  [
    'the largest texts of control characters',
    'logs',
    (size) => many([1, 2], within([2, 5, 1], Buffer.alloc(largest(size), 1)))(size),
  ],
  [
    'the largest texts that are none',
    'logs',
    (size) => many([1, 2], within([2, 5, 1], Buffer.alloc(largest(size), 0xed)))(size),
  ],
  [
    'as many attributes as may come',
    'logs',
    (size) => within([1, 2], repeated(field(2, attributes(6, share(size, 9_900))), share(size, 8_000_000))),
  ],
  ['a resource of 10 kB shared by 25,000', 'logs', (size) => sharedByThese(size, 25_000)],
  ['a resource shared by very many spans', 'traces', (size) => sharedByThese(size, 25_000, field(2, spanId))],
  [
    'as many buckets as may come',
    'metrics',
    (size) => many([1, 2, 2, 10], field(1, within([8, 2], Buffer.alloc(share(size, 90_000)))))(size / 4),
  ],
  [
    'as many points as may come',
    'metrics',
    (size) => within([1, 2, 2, 10], Buffer.alloc(2 * share(size, 490_000), empty(1))),
  ],
  ['unknown fields', 'logs', many([1, 2, 2], Buffer.from([0xf8, 0x01, 0x00]))],
  ['unknown fields of a container', 'logs', many([1], Buffer.from([0xf8, 0x01, 0x00]))],
  ['groups within groups', 'logs', (size) => Buffer.alloc(size, 0x0b)],
  ['one text', 'logs', (size) => within([1, 2, 2, 5], text(1, 'x'.repeat(size - around)))],
  ['one text of control characters', 'logs', (size) => within([1, 2, 2, 5], text(1, '\u0001'.repeat(size - around)))],
  ['bytes that are no text', 'logs', (size) => within([1, 2, 2, 5, 1], Buffer.alloc(size - around, 0xed))],
  ['empty spans', 'traces', many([1, 2], empty(2))],
  ['spans of 37 bytes', 'traces', many([1, 2], field(2, spanId))],
  ['empty events', 'traces', (size) => within([1, 2, 2], Buffer.concat([spanId, repeated(empty(11), size - around)]))],
  ['empty links', 'traces', (size) => within([1, 2, 2], Buffer.concat([spanId, repeated(empty(13), size - around)]))],
  ['empty attributes of an event', 'traces', many([1, 2, 2, 11], empty(3))],
  ['empty metrics', 'metrics', many([1, 2], empty(2))],
  ['empty gauge points', 'metrics', many([1, 2, 2, 5], empty(1))],
  ['empty histogram points', 'metrics', many([1, 2, 2, 9], empty(1))],
  ['empty exponential points', 'metrics', many([1, 2, 2, 10], empty(1))],
  ['empty summary points', 'metrics', many([1, 2, 2, 11], empty(1))],
  ['empty exemplars', 'metrics', many([1, 2, 2, 5, 1], empty(5))],
  ['attributes of an exemplar', 'metrics', many([1, 2, 2, 5, 1, 5], empty(7))],
  ['buckets of zero', 'metrics', (size) => within([1, 2, 2, 10, 1, 8, 2], Buffer.alloc(size - around))],
  ['bounds', 'metrics', (size) => within([1, 2, 2, 9, 1, 7], Buffer.alloc((size - around) & ~7))],
  ['empty quantiles', 'metrics', many([1, 2, 2, 11, 1], empty(6))],
]

/** JSON with as many items in the middle as there is room for. */
function filledWith(before: string, item: string, after: string) {
  return (size: number): Buffer => {
    const count = Math.max(1, Math.floor((size - before.length - after.length) / (item.length + 1)))
    return Buffer.from(`${before}${`${item},`.repeat(count).slice(0, -1)}${after}`)
  }
}
const deep =
  (open: string, close: string, before = '', after = '', middle = '') =>
  (size: number) => {
    const levels = Math.floor((size - before.length - after.length - 1) / (open.length + close.length))
    return Buffer.from(`${before}${open.repeat(levels)}${middle}${close.repeat(levels)}${after}`)
  }
const inRecord = (fields: string): [string, string] => [
  `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{${fields}`,
  '}]}]}]}',
]
const [record, recordEnd] = inRecord('')
const inMetric = (fields: string) => `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m",${fields}`
const metricEnd = '}]}]}]}'

const jsonBombs: Shape[] = [
  ['empty resources', 'logs', filledWith('{"resourceLogs":[', '{}', ']}')],
  ['empty scopes', 'logs', filledWith('{"resourceLogs":[{"scopeLogs":[', '{}', ']}]}')],
  ['empty log records', 'logs', filledWith(record.slice(0, -1), '{}', recordEnd.slice(1))],
  ['an escaped name', 'logs', filledWith('{"resource\\u004cogs":[{"scopeLogs":[{"log\\u0052ecords":[', '{}', ']}]}]}')],
  ['empty attributes', 'logs', filledWith(`${record}"attributes":[`, '{}', `]${recordEnd}`)],
  ['empty items of a list', 'logs', filledWith(`${record}"body":{"arrayValue":{"values":[`, '{}', `]}}${recordEnd}`)],
  ['brackets', 'logs', deep('[', ']')],
  ['brackets in an unknown field', 'logs', deep('[', ']', '{"future":', '}')],
  ['braces', 'logs', deep('{"a":', '}', '{"b":', '}', '0')],
  ['lists within lists', 'logs', deep('{"arrayValue":{"values":[', ']}}', `${record}"body":`, recordEnd)],
  ['brackets that never close', 'logs', (size) => Buffer.alloc(size, '[')],
  ['zeros in an unknown field', 'logs', filledWith('{"future":[', '0', ']}')],
  ['zeros in a list', 'logs', filledWith(`${record}"body":{"arrayValue":{"values":[`, '0', `]}}${recordEnd}`)],
  ['names in an unknown field', 'logs', (size) => namesOf(size)],
  [
    'records of 40 bytes',
    'logs',
    filledWith(record.slice(0, -1), `{"body":{"stringValue":"${'x'.repeat(15)}"}}`, recordEnd.slice(1)),
  ],
  [
    'the largest texts',
    'logs',
    (size) =>
      filledWith(
        record.slice(0, -1),
        `{"body":{"stringValue":"${'x'.repeat(largest(size))}"}}`,
        recordEnd.slice(1),
      )(size),
  ],
  [
    'the largest texts beside a long integer',
    'logs',
    (size) =>
      filledWith(
        record.slice(0, -1),
        `{"body":{"stringValue":"${'x'.repeat(largest(size))}"},"timeUnixNano":1${'0'.repeat(18)}}`,
        recordEnd.slice(1),
      )(size),
  ],
  [
    'as many long integers as may come',
    'logs',
    (size) =>
      filledWith(
        record.slice(0, -1),
        '{"timeUnixNano":18446744073709551615}',
        recordEnd.slice(1),
      )(share(size, 18_000_000)),
  ],
  [
    'long integers',
    'logs',
    filledWith(record.slice(0, -1), '{"timeUnixNano":18446744073709551615}', recordEnd.slice(1)),
  ],
  ['one long integer', 'logs', (size) => Buffer.from(`${record}"timeUnixNano":${'1'.repeat(size - 100)}${recordEnd}`)],
  [
    'one text',
    'logs',
    (size) => Buffer.from(`${record}"body":{"stringValue":"${'x'.repeat(size - 150)}"}${recordEnd}`),
  ],
  [
    'one text beside a long integer',
    'logs',
    (size) =>
      Buffer.from(
        `${record}"body":{"stringValue":"${'x'.repeat(size - 200)}"},"observedTimeUnixNano":1${'0'.repeat(18)}${recordEnd}`,
      ),
  ],
  [
    'one text of escapes',
    'logs',
    (size) => Buffer.from(`${record}"body":{"stringValue":"${'\\u0001'.repeat((size - 150) / 6)}"}${recordEnd}`),
  ],
  ['spaces', 'logs', (size) => Buffer.from(`{"resourceLogs":[${' '.repeat(size - 20)}]}`)],
  ['a resource shared by all', 'logs', (size) => sharedInJson(size)],
  ['empty spans', 'traces', filledWith('{"resourceSpans":[{"scopeSpans":[{"spans":[', '{}', ']}]}]}')],
  ['empty events', 'traces', filledWith('{"resourceSpans":[{"scopeSpans":[{"spans":[{"events":[', '{}', ']}]}]}]}')],
  ['empty metrics', 'metrics', filledWith('{"resourceMetrics":[{"scopeMetrics":[{"metrics":[', '{}', ']}]}]}')],
  ['empty gauge points', 'metrics', filledWith(inMetric('"gauge":{"dataPoints":['), '{}', `]}${metricEnd}`)],
  [
    'empty exponential points',
    'metrics',
    filledWith(inMetric('"exponentialHistogram":{"dataPoints":['), '{}', `]}${metricEnd}`),
  ],
  ['buckets', 'metrics', filledWith(inMetric('"histogram":{"dataPoints":[{"bucketCounts":['), '0', `]}]}${metricEnd}`)],
  [
    'empty exemplars',
    'metrics',
    filledWith(inMetric('"gauge":{"dataPoints":[{"exemplars":['), '{}', `]}]}${metricEnd}`),
  ],
]

function namesOf(size: number): Buffer {
  const members: string[] = []
  for (let length = 20, at = 0; length < size - 20; at++) {
    const member = `"${at.toString(36)}":0`
    members.push(member)
    length += member.length + 1
  }
  return Buffer.from(`{"future":{${members.join(',')}}}`)
}

function sharedInJson(size: number): Buffer {
  const resource = `{"attributes":[{"key":"k","value":{"stringValue":"${'x'.repeat(size / 2 - 100)}"}}]}`
  return filledWith(`{"resourceLogs":[{"resource":${resource},"scopeLogs":[{"logRecords":[`, '{}', ']}]}]}')(size)
}

export const bombs: readonly Bomb[] = [
  ...wireBombs.map(([name, signal, body]): Bomb => ({ name, signal, encoding: 'protobuf', body })),
  ...jsonBombs.map(([name, signal, body]): Bomb => ({ name, signal, encoding: 'json', body })),
]
