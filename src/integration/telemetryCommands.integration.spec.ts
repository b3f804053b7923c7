/** The commands that the page of API keys prints for senders of telemetry, run by a shell against the collector. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectorOf, commandText, type CommandKind } from '#console/features/team/telemetryCommands.ts'
import { createTestCollector, ingestionKey, type TestCollector } from '#stack/testing/testCollector.ts'

const execute = promisify(execFile)
/** Without the proxy that specs of pipes set for the engine of this process. */
const shell = (command: string) => execute('sh', ['-c', command], { env: { PATH: process.env['PATH'] } })
let collector: TestCollector
/** The text for copying, with the key. */
let printed: (kind: CommandKind, key?: string) => string

beforeAll(async () => {
  collector = await createTestCollector()
  await collector.start()
  const { httpPort, grpcPort } = collector.current()
  const place = collectorOf('http://127.0.0.1:8000', { httpPort, grpcPort })
  if (!place) throw new Error('the collector does not listen')
  printed = (kind, key = ingestionKey) => commandText(kind, place, key)
})
afterAll(() => collector.close())

test('the curl command stores one record, of now', async () => {
  const before = Math.floor(Date.now() / 1000)
  const { stdout } = await shell(printed('curl'))
  expect(JSON.parse(stdout)).toEqual({})
  const after = Math.ceil(Date.now() / 1000)
  const rows = await collector.engine.query(
    `SELECT ServiceName, Body, toUnixTimestamp(Timestamp) BETWEEN ${before} AND ${after} AS isNow FROM otel_logs`,
  )
  expect(rows).toEqual([{ ServiceName: 'my-service', Body: 'Hello from curl', isNow: 1 }])
})

test('the curl command says that a key is wrong', async () => {
  const { stdout } = await shell(printed('curl', 'another-key'))
  expect(JSON.parse(stdout)).toMatchObject({ message: expect.stringMatching(/key/i) })
})
