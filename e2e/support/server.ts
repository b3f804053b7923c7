/**
 * Builds the page, then starts the servers that tests ask for (`started.ts`): stacks with an engine, as `npm start` does,
 * a Kafka broker and a Kinesis server. A run of tests that need none of them starts none.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPage } from '../../src/server/build.ts'
import { bundle, bundleServers, workerPrograms } from '../../src/server/bundle.js'
import { kafkaClients } from '../../src/stack/testing/kafka/kafkaClients.ts'
import { startKafka } from '../../src/stack/testing/kafka/kafkaProcess.ts'
import { startKinesis } from '../../src/stack/testing/streams/kinesisServer.ts'
import {
  brokerFile,
  brokerFolder,
  brokerUser,
  folder,
  kinesisPort,
  plainBrokerFile,
  programsFolder,
  root,
  serverPort,
  stacks,
} from './environment.ts'
import { answers, startProduct } from './product.ts'

const scramListener = {
  'listener.name.signed_in.scram-sha-512.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
}

/** Each is started once, however many tests ask for it. */
const starting = new Map<string, Promise<unknown>>()
const stopping: (() => unknown)[] = []
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0))

const starter = createServer((request, response) => {
  const name = request.url?.slice(1) ?? ''
  if (request.method !== 'POST') return void response.end()
  const server = starting.get(name) ?? start(name)
  starting.set(name, server)
  server.then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
stopping.push(() => starter.close())
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// The runner waits for the port.
await Promise.all([buildPage(root, console.log), bundlePrograms()])
if (!ending.signal.aborted) starter.listen(serverPort, '127.0.0.1')

/** The programs that each worker starts: from a bundle, which loads in a tenth of the time that its sources take. */
async function bundlePrograms(): Promise<void> {
  rmSync(programsFolder, { recursive: true, force: true })
  const withoutEngineProcess = 'e2e/support/withoutEngineProcess.ts'
  await bundle(root, { withoutEngineProcess, ...workerPrograms }, programsFolder)
}

async function start(name: string): Promise<unknown> {
  if (name === 'kafka') return startBroker()
  if (name === 'kinesis') {
    const server = await startKinesis(kinesisPort)
    return stopLater(() => server.stop())
  }
  return startStack(Number(name.replace('stack/', '')))
}

async function startStack(index: number): Promise<void> {
  const stack = stacks[index]
  if (!stack) throw new Error(`There are only ${stacks.length} stacks.`)
  // Once for all of them.
  await (bundled ??= bundleServers(root, console.log))
  const server: ChildProcess = startProduct(stack)
  // Its tests would wait for nothing.
  server.on('exit', (code) => end(code ?? 1))
  stopLater(() => server.kill('SIGTERM'))
  while (!ending.signal.aborted && !(await answers(stack))) await sleep(200)
}
let bundled: ReturnType<typeof bundleServers> | undefined

/** The Kafka broker of all stacks. Its address is in a file. */
async function startBroker(): Promise<void> {
  rmSync(brokerFolder, { recursive: true, force: true })
  mkdirSync(brokerFolder, { recursive: true })
  const running = await startKafka(brokerFolder, {
    listeners: { SIGNED_IN: 'SASL_PLAINTEXT' },
    properties: { 'sasl.enabled.mechanisms': 'SCRAM-SHA-512', ...scramListener },
    scram: [`SCRAM-SHA-512=[name=${brokerUser.username},password=${brokerUser.password}]`],
  })
  stopLater(() => running.stop())
  await kafkaClients(() => running).createTopic('events', 4)
  writeFileSync(plainBrokerFile, `127.0.0.1:${running.port}`)
  writeFileSync(brokerFile, `SASL_PLAINTEXT://127.0.0.1:${running.ports['SIGNED_IN']}`)
}

/** At the end, or now if that has come while the server was starting. */
function stopLater(stop: () => unknown): void {
  if (ending.signal.aborted) stop()
  else stopping.push(stop)
}

function end(code: number): void {
  if (ending.signal.aborted) return
  ending.abort()
  process.exitCode = code
  for (const stop of stopping.splice(0)) stop()
}
