/** How a pipe signs in to a real broker, what it says when that fails, and values that are not JSON. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type, type Schema } from 'avsc'
import protobuf from 'protobufjs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { intoEvents, pipeInputs } from '../../testing/managedClient.ts'
import { ownKafka } from '../../testing/kafka/testKafka.ts'
import { createHostCheck } from '../../net/reachableHosts.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { sampleTopic } from './sampleTopic.ts'

const certificates = mkdtempSync(join(tmpdir(), 'kafka-certificates-'))
const selfSigned = (name: string) => {
  const [key, certificate] = [`${name}.key`, `${name}.crt`].map((file) => join(certificates, file))
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const into = ['-keyout', key ?? '', '-out', certificate ?? '']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...into, ...names], {
    stdio: 'ignore',
  })
  return { key: readFileSync(key ?? '', 'utf8'), certificate: readFileSync(certificate ?? '', 'utf8') }
}
const server = selfSigned('broker')
const client = selfSigned('client')
const oneLine = (pem: string) => pem.trim().replaceAll('\n', ' \\\n')
const tls = (listener: string) => ({
  [`listener.name.${listener}.ssl.keystore.type`]: 'PEM',
  [`listener.name.${listener}.ssl.keystore.key`]: oneLine(server.key),
  [`listener.name.${listener}.ssl.keystore.certificate.chain`]: oneLine(server.certificate),
})
const loginModule = (name: string) => `org.apache.kafka.common.security.${name} required`
const kafka = ownKafka({
  listeners: { SIGNED_IN: 'SASL_SSL', MUTUAL: 'SSL' },
  properties: {
    // Topics without a rule are open to all.
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
    'allow.everyone.if.no.acl.found': 'true',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'listener.name.signed_in.plain.sasl.jaas.config': `${loginModule('plain.PlainLoginModule')} user_plain="secret-plain";`,
    'listener.name.signed_in.scram-sha-256.sasl.jaas.config': `${loginModule('scram.ScramLoginModule')};`,
    'listener.name.signed_in.scram-sha-512.sasl.jaas.config': `${loginModule('scram.ScramLoginModule')};`,
    ...tls('signed_in'),
    ...tls('mutual'),
    'listener.name.mutual.ssl.client.auth': 'required',
    'listener.name.mutual.ssl.truststore.type': 'PEM',
    'listener.name.mutual.ssl.truststore.certificates': oneLine(client.certificate),
  },
  scram: ['SCRAM-SHA-256=[name=scram,password=secret-256]', 'SCRAM-SHA-512=[name=scram,password=secret-512]'],
})

let dataDir: string
let pipes: PipeProcess
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pipes-'))
  await mkdir(join(dataDir, 'files'))
  pipes = await startPipeProcess(dataDir, join(dataDir, 'files'))
  await kafka.createTopic('events', 1)
  await kafka.createTopic('closed', 1)
  await kafka.denyRead('closed', 'User:plain')
  await kafka.produce('events', [{ partition: 0, value: '{"id":1,"text":"one"}' }])
}, 60_000)
afterAll(async () => {
  await pipes.kill()
  await rm(dataDir, { recursive: true, force: true })
  await rm(certificates, { recursive: true, force: true })
})

afterEach(() => pipes.stopAll())

type Source = NonNullable<PipeCreate['source']['kafka']>

/** @param table each pipe has its own */
function pipeOf(table: string, source: Partial<Source>): PipeCreate {
  const base = { type: 'kafka', format: 'JSONEachRow', topics: 'events', authentication: 'PLAIN' } as const
  return {
    ...pipeInputs.kafka,
    destination: { ...pipeInputs.kafka.destination, table },
    source: { kafka: { ...base, brokers: `127.0.0.1:${kafka.server.ports['SIGNED_IN']}`, ...source } },
    settings: { streaming_max_insert_wait_ms: 500 },
  }
}

const rows = (sql: string) => expect.poll(() => pipes.query(sql).catch(() => []), { interval: 100 })
const tableOf = (name: string) => `${pipeDatabase}.\`${name}\``
const stateOf = async (pipe: string) => (await pipes.states()).find(({ id }) => id === pipe)
const caCertificate = server.certificate
const mutual = () => ({
  brokers: `127.0.0.1:${kafka.server.ports['MUTUAL']}`,
  authentication: 'MUTUAL_TLS' as const,
  caCertificate,
})

test.each<[string, () => Partial<Source>]>([
  [
    'PLAIN',
    () => ({ authentication: 'PLAIN', caCertificate, credentials: { username: 'plain', password: 'secret-plain' } }),
  ],
  [
    'SCRAM-SHA-256',
    () => ({
      authentication: 'SCRAM-SHA-256',
      caCertificate,
      credentials: { username: 'scram', password: 'secret-256' },
    }),
  ],
  [
    'SCRAM-SHA-512',
    () => ({
      authentication: 'SCRAM-SHA-512',
      caCertificate,
      credentials: { username: 'scram', password: 'secret-512' },
    }),
  ],
  ['a certificate', () => ({ ...mutual(), credentials: { certificate: client.certificate, privateKey: client.key } })],
])('signs in with %s', { timeout: 60_000 }, async (name, source) => {
  await pipes.create(pipeOf(name, source()))
  await rows(`SELECT * FROM ${tableOf(name)}`).toEqual([{ id: '1', text: 'one' }])
})

test.each<[string, () => Partial<Source>, RegExp]>([
  [
    'a wrong password',
    () => ({
      authentication: 'SCRAM-SHA-512',
      caCertificate,
      credentials: { username: 'scram', password: 'wrong-one' },
    }),
    /authentication failed/i,
  ],
  [
    'a certificate of nobody',
    () => ({ credentials: { username: 'plain', password: 'secret-plain' } }),
    /self-signed certificate/,
  ],
  [
    'another certificate than the broker trusts',
    () => ({ ...mutual(), credentials: { certificate: server.certificate, privateKey: server.key } }),
    /certificate/,
  ],
  ['a listener without TLS', () => ({ brokers: `127.0.0.1:${kafka.server.port}` }), /Could not connect to/],
  ['an address where nobody listens', () => ({ brokers: 'PLAINTEXT://127.0.0.1:1' }), /ECONNREFUSED/],
  ['a private address', () => ({ brokers: 'PLAINTEXT://10.0.0.1:9092' }), /PIPE_HOSTNAME_ALLOWLIST/],
  [
    'a topic that the user may not read',
    () => ({ topics: 'closed', caCertificate, credentials: { username: 'plain', password: 'secret-plain' } }),
    /the user may not read topic closed/,
  ],
  ['no such topic', () => ({ brokers: kafka.server.brokers, topics: 'nothing' }), /topic nothing does not exist/],
])('says what is wrong: %s', { timeout: 60_000 }, async (name, source, pattern) => {
  const pipe = await pipes.create(pipeOf(name, source()))
  await expect.poll(async () => (await stateOf(pipe))?.stateDetail, { timeout: 40_000, interval: 100 }).toMatch(pattern)
  const state = await stateOf(pipe)
  expect(['Degraded', 'Failed']).toContain(state?.state)
  expect(state?.stateDetail).not.toMatch(/secret|wrong-one/)
})

/** Serves schemas by their numbers, from 1 on, as a registry does, while `work` runs. */
async function withRegistry(
  schemas: readonly object[],
  work: (url: string, registry: Server) => Promise<void>,
): Promise<void> {
  const registry = createServer((request, response) => {
    const schema = schemas[Number(/\d+$/.exec(request.url ?? '')?.[0]) - 1]
    response.writeHead(schema ? 200 : 404).end(JSON.stringify(schema ?? { error_code: 40403 }))
  })
  await new Promise<void>((ready) => registry.listen(0, '127.0.0.1', ready))
  try {
    await work(`http://127.0.0.1:${(registry.address() as AddressInfo).port}`, registry)
  } finally {
    registry.close()
  }
}
const framed = (schema: number, body: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, 0, schema]), body])

test('a sample leaves no connection to the schema registry', async () => {
  const schema: Schema = { type: 'record', name: 'E', fields: [{ name: 'id', type: 'long' }] }
  await kafka.createTopic('sampled', 1)
  await kafka.produce('sampled', [{ partition: 0, value: framed(1, Type.forSchema(schema).toBuffer({ id: 1 })) }])
  await withRegistry([{ schema: JSON.stringify(schema) }], async (url, registry) => {
    registry.keepAliveTimeout = 600_000
    const connections = () =>
      new Promise<number>((done, fail) =>
        registry.getConnections((error, count) => (error ? fail(error) : done(count))),
      )
    const source = {
      brokers: kafka.server.brokers,
      topics: 'sampled',
      format: 'AvroConfluent',
      schemaRegistry: { url },
    } as const
    const pipe = { ...pipeOf('sampled', source), id: 'sampled', internal: {} } as unknown as PipeDocument // sampling uses no more
    const checkHost = createHostCheck({ allowed: ['127.0.0.1'], own: [] })
    expect(await sampleTopic(pipe, 'datapipes', checkHost)).toEqual(['{"id":1}'])
    await expect.poll(connections).toBe(0)
  })
})

test(
  'reads Avro, as its schema changes, and bad records again once their schema is there',
  { timeout: 60_000 },
  async () => {
    const recordOf = (fields: { name: string; type: string }[]): Schema => ({ type: 'record', name: 'E', fields })
    const schemas = [
      recordOf([{ name: 'id', type: 'long' }]),
      recordOf([
        { name: 'id', type: 'long' },
        { name: 'text', type: 'string' },
      ]),
    ]
    const [before, after] = schemas.map((schema) => Type.forSchema(schema))
    await kafka.createTopic('avro', 1)
    await kafka.produce(
      'avro',
      [
        framed(1, before?.toBuffer({ id: 1 }) ?? Buffer.alloc(0)),
        framed(2, after?.toBuffer({ id: 2, text: 'über' }) ?? Buffer.alloc(0)),
        framed(2, Buffer.from([2])),
        framed(9, Buffer.from([18])),
      ].map((bytes) => ({ partition: 0, value: bytes })),
    )
    const answers: object[] = schemas.map((schema) => ({ schema: JSON.stringify(schema) }))
    await withRegistry(answers, async (url) => {
      const pipe = await pipes.create(
        pipeOf('avro', {
          brokers: kafka.server.brokers,
          topics: 'avro',
          format: 'AvroConfluent',
          schemaRegistry: { url },
        }),
      )
      await rows(`SELECT * FROM ${tableOf('avro')} ORDER BY id`).toEqual([
        { id: '1', text: '' },
        { id: '2', text: 'über' },
      ])
      await rows(`SELECT offset, reason FROM ${tableOf('avro_datapipes_error')} FINAL ORDER BY offset`).toEqual([
        { offset: '2', reason: 'the value ends too early' },
        { offset: '3', reason: 'the schema registry has no schema 9' },
      ])
      answers[8] = answers[0] ?? {}
      // The second time, nothing is left to load.
      const errors = tableOf('avro_datapipes_error')
      for (let times = 0; times < 2; times++) {
        const [before] = await pipes.query<{ at: string }>(`SELECT max(at) AS at FROM ${errors}`)
        await pipes.resend(pipe)
        // A record that is still bad has a newer row, and the others have none.
        await rows(`SELECT offset, reason FROM ${errors} FINAL WHERE at > '${before?.at}'`).toEqual([
          { offset: '2', reason: 'the value ends too early' },
        ])
        await rows(`SELECT count() AS left FROM ${errors} FINAL`).toEqual([{ left: '1' }])
        await rows(`SELECT id FROM ${tableOf('avro')} ORDER BY id`).toEqual([{ id: '1' }, { id: '2' }, { id: '9' }])
        await expect.poll(async () => (await stateOf(pipe))?.stateDetail).toMatch(/\. 1 bad record, see/)
      }
    })
  },
)

test(
  'bad records are loaded again once each, with kills, and without those whose own load is not complete',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipes-'))
    await mkdir(join(folder, 'files'))
    const start = () => startPipeProcess(folder, join(folder, 'files'))
    let own = await start()
    const ask = async (sql: string) => (await own.query<{ found: string }>(sql).catch(() => []))[0]?.found
    const loaded = `SELECT count() AS found FROM ${tableOf('resent')}`
    const left = `SELECT count() AS found FROM ${tableOf('resent_datapipes_error')} FINAL`
    const schema = Type.forSchema({ type: 'record', name: 'E', fields: [{ name: 'id', type: 'long' }] })
    // More than are loaded at once, in two parts, each no more than are kept of a batch: one replica may read all of it.
    const each = 900
    const records = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({
        partition: (from + at) % 2,
        value: framed(1, schema.toBuffer({ id: from + at })),
      }))
    await kafka.createTopic('resent', 2)
    await kafka.produce('resent', records(0, each))
    const answers: object[] = []
    try {
      await withRegistry(answers, async (url) => {
        const source = {
          brokers: kafka.server.brokers,
          topics: 'resent',
          format: 'AvroConfluent',
          schemaRegistry: { url },
        }
        const scaling = { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 0.5 }
        const pipe = await own.create({ ...pipeOf('resent', source as Partial<Source>), scaling })
        await expect.poll(() => ask(left)).toBe(String(each))
        await kafka.produce('resent', records(each, 2 * each))
        await expect.poll(() => ask(left)).toBe(String(2 * each))
        const offsets = async () => (await own.position()).partitions.map(({ offset }) => offset)
        await expect.poll(offsets).toEqual([each, each])
        await own.state('Stopped')
        await own.end()
        own = await start()
        // As if the load of the last records had not been completed: it was bad before the request, and is read after it. The
        // row of before is not kept, since the record is good now.
        await kafka.produce('resent', records(2 * each, 2 * each + 2))
        await own.command(
          `INSERT INTO ${tableOf('resent_datapipes_error')} (pipe_id, topic, partition, offset, reason) VALUES ('${pipe}', 'resent', 0, ${each}, 'no schema')`,
        )
        answers.push({ schema: JSON.stringify(schema) })
        await own.resend(pipe)
        await own.state('Running')
        for (const more of [2, 1002]) {
          await expect.poll(async () => Number(await ask(loaded)), { interval: 10 }).toBeGreaterThan(more)
          await own.kill()
          own = await start()
        }
        await expect.poll(() => ask(left)).toBe('0')
        await expect.poll(() => ask(loaded)).toBe(String(2 * each + 2))
        expect(await ask(`SELECT uniqExact(id) AS found FROM ${tableOf('resent')}`)).toBe(String(2 * each + 2))
      })
    } finally {
      await own.kill()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('reads Protobuf, also a message that is not the first of its file', { timeout: 60_000 }, async () => {
  const schema = `syntax = "proto3"; package shop;
    message Event { uint64 id = 1; string text = 2; }
    message Order { string text = 1; uint64 id = 2; }`
  const text = (at: number, value: string) => [(at << 3) | 2, Buffer.byteLength(value), ...Buffer.from(value)]
  await kafka.createTopic('protobuf', 1)
  await kafka.produce(
    'protobuf',
    // The path of the message follows the number of the schema: 0 is short for the first one.
    [
      [0, 0x08, 0xac, 0x02, ...text(2, 'über')],
      [2, 2, ...text(1, 'order'), 0x10, 7],
      [0, 0x0a, 0x7f],
    ].map((bytes) => ({ partition: 0, value: framed(1, Buffer.from(bytes)) })),
  )
  await withRegistry([{ schemaType: 'PROTOBUF', schema }], async (url) => {
    await pipes.create(
      pipeOf('protobuf', {
        brokers: kafka.server.brokers,
        topics: 'protobuf',
        format: 'Protobuf',
        schemaRegistry: { url },
      }),
    )
    await rows(`SELECT * FROM ${tableOf('protobuf')} ORDER BY id`).toEqual([
      { id: '7', text: 'order' },
      { id: '300', text: 'über' },
    ])
    await rows(`SELECT offset FROM ${tableOf('protobuf_datapipes_error')} FINAL`).toEqual([{ offset: '2' }])
  })
})

test('reads common types of Protobuf and 64-bit integers into their columns', { timeout: 60_000 }, async () => {
  const schema = `syntax = "proto3";
    import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/wrappers.proto";
    message Event {
      int64 id = 1; uint64 large = 2; google.protobuf.Timestamp at = 3; google.protobuf.Duration took = 4;
      google.protobuf.Int64Value perhaps = 5; google.protobuf.StringValue note = 6;
    }`
  const { root } = protobuf.parse(schema, { keepCase: true })
  for (const name of ['timestamp', 'duration', 'wrappers']) {
    root.addJSON(protobuf.common.get(`google/protobuf/${name}.proto`)?.nested ?? {})
  }
  const event = root.lookupType('Event')
  const valueOf = (fields: object) => [0, ...event.encode(event.fromObject(fields)).finish()]
  await kafka.createTopic('common', 1)
  await kafka.produce(
    'common',
    [
      valueOf({
        id: '-9223372036854775808',
        large: '18446744073709551615',
        at: { seconds: 1_795_000_000, nanos: 123_456_789 },
        took: { seconds: 3, nanos: 5 },
        perhaps: { value: '9223372036854775807' },
        note: { value: 'über' },
      }),
      valueOf({ id: 1, at: { seconds: -1, nanos: 999_999_999 }, took: { nanos: -500_000_000 } }),
      valueOf({ id: 2, at: { seconds: 1, nanos: -1 } }),
      valueOf({ id: 3, at: { seconds: 253_402_300_799 } }),
      // A text in place of the time.
      [0, 0x08, 4, 0x1a, 3, 0x0a, 1, 0x61],
    ].map((bytes) => ({ partition: 0, value: framed(1, Buffer.from(bytes)) })),
  )
  await withRegistry([{ schemaType: 'PROTOBUF', schema }], async (url) => {
    const columns = Object.entries({
      id: 'Int64',
      large: 'UInt64',
      at: "DateTime64(9, 'Europe/Berlin')",
      took: 'Decimal(21, 9)',
      perhaps: 'Nullable(Int64)',
      note: 'Nullable(String)',
    }).map(([name, type]) => ({ name, type }))
    const source = { brokers: kafka.server.brokers, topics: 'common', format: 'Protobuf' as const }
    const { destination, fieldMappings } = intoEvents(columns)
    const pipe = pipeOf('common', { ...source, schemaRegistry: { url } })
    await pipes.create({ ...pipe, destination: { ...destination, table: 'common' }, fieldMappings })
    await rows(
      `SELECT id, large, toString(toUnixTimestamp64Nano(at)) AS at, toString(took) AS took, perhaps, note
       FROM ${tableOf('common')} ORDER BY id`,
    ).toEqual([
      {
        id: '-9223372036854775808',
        large: '18446744073709551615',
        at: '1795000000123456789',
        took: '3.000000005',
        perhaps: '9223372036854775807',
        note: 'über',
      },
      { id: '1', large: '0', at: '-1', took: '-0.5', perhaps: null, note: null },
    ])
    await rows(`SELECT offset, reason FROM ${tableOf('common_datapipes_error')} FINAL ORDER BY offset`).toEqual([
      { offset: '2', reason: 'at: 1 seconds and -1 nanoseconds are no time' },
      { offset: '3', reason: expect.stringMatching(/^at: .*9999-12-31T23:59:59Z.*out of range/) },
      { offset: '4', reason: 'at.seconds: it was sent as another type than the schema has' },
    ])
  })
})

test.each([
  ['leaves out an aborted transaction', {}, ['1', '3']],
  ['reads it with kafka_read_committed off', { kafka_read_committed: false }, ['1', '2', '3']],
])('%s', { timeout: 60_000 }, async (_, settings, ids) => {
  const topic = `transactions-${ids.length}`
  await kafka.createTopic(topic, 1)
  await kafka.produce(topic, [{ partition: 0, value: '{"id":1}' }])
  await kafka.abort(topic, '{"id":2}')
  await kafka.produce(topic, [{ partition: 0, value: '{"id":3}' }])
  const pipe = pipeOf(topic, { brokers: kafka.server.brokers, topics: topic })
  await pipes.create({ ...pipe, settings: { ...pipe.settings, ...settings } })
  await rows(`SELECT id FROM ${tableOf(topic)} ORDER BY id`).toEqual(ids.map((id) => ({ id })))
})
