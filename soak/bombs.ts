/**
 * `npm run soak bombs`, or some of them by a part of their names: `SOAK_ONLY=largest npm run soak bombs`.
 * Sends requests of 20 MiB, compressed or not, that are expensive to handle. Limits: 1.5 GB resident memory, and two
 * seconds without a response of the API. Each one alone over HTTP and gRPC, then many at once, then bodies of the API.
 */
import { Client, compressionAlgorithms, credentials, Metadata } from '@grpc/grpc-js'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { bombs as catalogue, type Bomb } from '#stack/testing/requestBombs.ts'
import { signals } from '#stack/collector/signals.ts'
import { startStackProcess, watch, type StackProcess } from './processes/stackProcess.ts'

const size = 20 * 1024 * 1024
const maxResident = 1.5e9
const longestAway = 2000
const { SOAK_ONLY: only = '' } = process.env
const chosen = catalogue.filter(({ encoding, name }) => `${encoding}, ${name}`.includes(only))
const apiBombs: [string, string][] = [
  ['brackets', '[]'],
  ['braces', '{"a":}'],
]

interface Line {
  what: string
  answer: string
  milliseconds: number
  resident: number
  away: number
  busy: number
}

export async function bombs(): Promise<string[]> {
  const stack = await startStackProcess()
  const eyes = watch(stack)
  const lines: Line[] = []
  const measured = async (what: string, work: () => Promise<string>) => {
    await eyes.take()
    const begin = performance.now()
    const answer = await work()
    const milliseconds = performance.now() - begin
    const { resident, away, busy } = await eyes.take()
    lines.push({ what, answer, milliseconds, resident, away, busy })
    console.log(lineOf(lines.at(-1)!))
    if (!stack.alive()) throw new Error(`the stack ended at ${what}`)
  }
  const { send, close } = senders(stack)
  await measured('at rest', () => new Promise((done) => setTimeout(() => done(''), 3000)))
  for (const bomb of chosen) {
    const body = bomb.body(size)
    const zipped = gzipSync(body)
    const name = `${bomb.encoding}, ${bomb.name}`
    await measured(`${name}: HTTP`, () => send.http(bomb, body, false))
    await measured(`${name}: HTTP gzip ${kilobytes(zipped)}`, () => send.http(bomb, zipped, true))
    if (bomb.encoding === 'protobuf') await measured(`${name}: gRPC gzip`, () => send.grpc(bomb, body))
  }
  for (const bomb of chosen.filter(({ name }) => severalAtOnce.includes(name))) {
    const zipped = gzipSync(bomb.body(size))
    await measured(`${bomb.encoding}, ${bomb.name}: 16 at once`, async () =>
      tally(await Promise.all(Array.from({ length: 16 }, () => send.http(bomb, zipped, true)))),
    )
  }
  const all = chosen.map((bomb) => ({ bomb, zipped: gzipSync(bomb.body(size), { level: 1 }) }))
  await measured('one of each at once over HTTP', async () =>
    tally(await Promise.all(all.map(({ bomb, zipped }) => send.http(bomb, zipped, true)))),
  )
  const wire = chosen.filter(({ encoding }) => encoding === 'protobuf')
  await measured('one of each at once over gRPC', async () =>
    tally(await Promise.all(wire.map((bomb) => send.grpc(bomb, bomb.body(size))))),
  )
  for (const [what, pair] of apiBombs) {
    const half = pair.length - 1
    const levels = Math.floor((8 * 1024 * 1024) / pair.length)
    const body = Buffer.from(
      pair.slice(0, half).repeat(levels) + (half > 1 ? '0' : '') + pair.slice(half).repeat(levels),
    )
    await measured(`API, ${what} within ${what}`, () => send.api(body.subarray(0, 8 * 1024 * 1024), false))
    await measured(`API, ${what} within ${what}, gzip`, () => send.api(gzipSync(body), true))
  }
  const tiles = Buffer.from(`{"name":"x","tiles":[${'{},'.repeat(2_700_000)}{}]}`)
  await measured('API, empty tiles', () => send.api(tiles, false))
  await measured('API, empty tiles, 8 at once', async () =>
    tally(await Promise.all(Array.from({ length: 8 }, () => send.api(tiles, false)))),
  )
  await measured('API, spaces, gzip', () => send.api(gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20)), true))
  close()
  eyes.stop()
  await stack.stop()
  const worst = (of: (line: Line) => number) => Math.max(...lines.map(of))
  console.log(
    `${lines.length} runs: at most ${megabytes(worst(({ resident }) => resident))} resident, ${Math.round(worst(({ away }) => away))} ms away, ${worst(({ busy }) => busy)} ms of them busy`,
  )
  return lines
    .filter(({ resident, away }) => resident > maxResident || away > longestAway)
    .map((line) => `too much: ${lineOf(line)}`)
}

const severalAtOnce = [
  'empty log records',
  'as many records as may come',
  'as many attributes as may come',
  'the largest texts of control characters',
  'a resource of 10 kB shared by 25,000',
]

function senders({ ports, credentials: { ingestionKey, personalAccessKey } }: StackProcess) {
  const metadata = new Metadata()
  metadata.set('authorization', ingestionKey)
  const client = new Client(`127.0.0.1:${ports.otlpGrpc}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
    'grpc.max_send_message_length': -1,
  })
  const asIs = (bytes: Buffer) => bytes
  const signalOf = (bomb: Bomb) => signals.find(({ name }) => name === bomb.signal)!
  const post = (port: number, path: string, headers: Record<string, string>, body: Buffer): Promise<string> =>
    new Promise((resolve) => {
      const sending = request({ port, path, method: 'POST', headers: { ...headers, 'content-length': body.length } })
      sending.on('response', (response) => {
        const text: Buffer[] = []
        response.on('data', (chunk: Buffer) => text.push(chunk))
        response.on('end', () =>
          resolve(`${response.statusCode} ${Buffer.concat(text).toString('latin1').slice(0, 120)}`),
        )
      })
      sending.on('error', (error) => resolve(error.message))
      sending.end(body)
    })
  const encoded = (gzip: boolean): Record<string, string> => (gzip ? { 'content-encoding': 'gzip' } : {})
  return {
    send: {
      http: (bomb: Bomb, body: Buffer, gzip: boolean) =>
        post(
          ports.otlpHttp,
          signalOf(bomb).httpPath,
          {
            authorization: ingestionKey,
            'content-type': bomb.encoding === 'json' ? 'application/json' : 'application/x-protobuf',
            ...encoded(gzip),
          },
          body,
        ),
      grpc: (bomb: Bomb, body: Buffer): Promise<string> =>
        new Promise((resolve) => {
          client.makeUnaryRequest(signalOf(bomb).grpcPath, asIs, asIs, body, metadata, (error) =>
            resolve(error ? `${error.code} ${error.details}` : 'OK'),
          )
        }),
      api: (body: Buffer, gzip: boolean) =>
        post(
          ports.api,
          '/api/v2/dashboards',
          { authorization: `Bearer ${personalAccessKey}`, 'content-type': 'application/json', ...encoded(gzip) },
          body,
        ),
    },
    close: () => client.close(),
  }
}

function tally(answers: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const answer of answers) counts.set(answer.slice(0, 3), (counts.get(answer.slice(0, 3)) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
const kilobytes = (bytes: Buffer) => `${Math.round(bytes.length / 1000)} kB`

function lineOf({ what, answer, milliseconds, resident, away, busy }: Line): string {
  const figures = [
    `${Math.round(milliseconds)} ms`,
    megabytes(resident),
    `away ${Math.round(away)} ms`,
    `busy ${busy} ms`,
  ]
  // oxlint-disable-next-line no-control-regex -- responses can be protobuf
  return `| ${what} | ${figures.join(' | ')} | ${answer.replaceAll(/[\u0000-\u001f\u007f-\uffff|]/g, ' ').trim()} |`
}
