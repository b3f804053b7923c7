/** Starts a real Apache Kafka broker for tests, alone in its cluster (KRaft). It needs Java and Maven. */
import { createHash } from 'node:crypto'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '#node/testing/freePort.ts'

export interface KafkaProcess {
  /** The port of the listener without TLS and sign-in. */
  port: number
  /** The ports of further listeners, by their name. */
  ports: Readonly<Record<string, number>>
  /** Its address as a pipe spells it. */
  brokers: string
  stop(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** Starts it again, on the same ports. */
  start(): Promise<void>
}

export interface KafkaOptions {
  /** Further listeners: their names, and the protocol of each, such as `SASL_SSL`. */
  listeners?: Readonly<Record<string, string>>
  /** Further properties of the broker. */
  properties?: Readonly<Record<string, string>>
  /** Users for SCRAM, as `kafka-storage format --add-scram` takes them. */
  scram?: readonly string[]
}

const run = promisify(execFile)

/** @throws Error with what is missing */
export async function startKafka(folder: string, options: KafkaOptions = {}): Promise<KafkaProcess> {
  const { listeners = {}, properties = {}, scram = [] } = options
  const classpath = await resolveClasspath()
  const names = ['PLAINTEXT', 'CONTROLLER', ...Object.keys(listeners)]
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()] as const)))
  const protocols = { PLAINTEXT: 'PLAINTEXT', CONTROLLER: 'PLAINTEXT', ...listeners }
  const addresses = names.map((name) => `${name}://127.0.0.1:${ports[name]}`)
  const file = join(folder, 'server.properties')
  const all = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${ports['CONTROLLER']}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: addresses.join(','),
    'advertised.listeners': addresses.filter((address) => !address.startsWith('CONTROLLER')).join(','),
    'listener.security.protocol.map': Object.entries(protocols)
      .map(([name, protocol]) => `${name}:${protocol}`)
      .join(','),
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(folder, 'data'),
    // Tests send records of other times, and the broker would delete those that are older than a week.
    'log.retention.ms': '-1',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    'auto.create.topics.enable': 'false',
    ...properties,
  }
  await writeFile(
    file,
    Object.entries(all)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  )
  const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-Xmx512m', '-cp', classpath]
  const users = scram.flatMap((user) => ['--add-scram', user])
  const format = ['kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', file, ...users]
  await run('java', [...java, ...format])
  let server: ChildProcess
  const isRunning = () => server.exitCode === null && server.signalCode === null
  const end = async () => {
    if (!isRunning()) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
  const endWithProcess = () => void server.kill('SIGKILL')
  const start = async () => {
    let log = ''
    const quiet = '-Dorg.slf4j.simpleLogger.defaultLogLevel=error'
    server = spawn('java', [...java, quiet, 'kafka.Kafka', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    server.stderr?.on('data', (text: Buffer) => (log = (log + text.toString()).slice(-2000)))
    // Also when this process ends without `stop`.
    process.on('exit', endWithProcess)
    server.once('exit', () => process.removeListener('exit', endWithProcess))
    for (const deadline = Date.now() + 150_000; !(await accepts(ports['PLAINTEXT'] ?? 0)); await sleep(50)) {
      if (isRunning() && Date.now() <= deadline) continue
      await end()
      throw new Error(`Kafka does not start: ${log}`)
    }
  }
  await start()
  const port = ports['PLAINTEXT'] ?? 0
  return {
    port,
    ports,
    brokers: `PLAINTEXT://127.0.0.1:${port}`,
    start,
    stop: end,
    kill: end,
  }
}

/**
 * The jars of the broker in Maven's cache, resolved once for each version. The list is kept in the checkout, because each run
 * of the specs has a temporary folder of its own.
 */
export function resolveClasspath(): Promise<string> {
  return (resolved ??= readClasspath())
}

let resolved: Promise<string> | undefined

async function readClasspath(): Promise<string> {
  const pom = join(import.meta.dirname, 'pom.xml')
  const version = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12)
  const folder = resolve(import.meta.dirname, '../../../../node_modules/.cache/kafka')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `classpath-${version}`)
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (known !== '' && known.split(':').every((jar) => existsSync(jar))) return known
  const written = `${file}.${process.pid}`
  try {
    await run('mvn', ['-q', '-B', '-f', pom, 'dependency:build-classpath', `-Dmdep.outputFile=${written}`])
  } catch (error) {
    throw new Error('The tests need a Kafka broker: install Java and Maven (apt-get, dnf or brew).', { cause: error })
  }
  renameSync(written, file)
  return readFileSync(file, 'utf8').trim()
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
