/**
 * `SOAK_MINUTES=60 npm run soak mixedLoad`: one product under everything at once, at a modest rate: telemetry over HTTP and gRPC,
 * searches, charts, dashboards, alerts that fire, a file pipe, and sessions. Memory, descriptors, threads and files are measured
 * sixty times; nothing that should level off may grow (`growth.ts`), and no request may fail. `SOAK_CHART` is the file of the charts.
 */
import { setMaxListeners } from 'node:events'
import { appendFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { intoEvents } from '../src/stack/testing/managedClient.ts'
import { startReceiver } from '../src/stack/testing/testReceiver.ts'
import { chartsOf, growthOf, quarters, shown, type Series } from './growth.ts'
import { bytesIn, observeProduct } from './processes/observedProcesses.ts'
import { openOtlpLoad } from './otlpLoad.ts'
import { startProduct } from './processes/product.ts'
import { ProductClient } from './processes/productClient.ts'
import { createWatchedTile } from './watchedTile.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 60)
const chartFile = process.env['SOAK_CHART'] ?? join(tmpdir(), 'mixed-load.svg')
const measurements = 60
/** Dashboards that are written at a time; the oldest is deleted. */
const maxDashboards = 20
const megabyte = 1e6

/** @returns what grows, what failed, and what did not arrive */
export async function mixedLoad(): Promise<string[]> {
  const receiver = await startReceiver()
  const product = await startProduct({ RATE_LIMIT_OPEN_SOURCE: '0', RATE_LIMIT_MANAGED: '0' })
  try {
    const { consoleUrl, credentials, dataDir, ports } = product
    const apiUrl = `http://127.0.0.1:${ports.api}`
    const client = new ProductClient(consoleUrl, apiUrl, credentials)
    const otlp = openOtlpLoad({
      httpPort: ports.otlpHttp,
      grpcPort: ports.otlpGrpc,
      ingestionKey: credentials.ingestionKey,
    })
    const load = new Load(client, otlp, dataDir)
    await load.prepare(receiver.url, product.password)
    const watched = new Measurements(product.pid, dataDir, [consoleUrl, apiUrl])
    const stop = new AbortController()
    const running = load.run(stop.signal)
    for (let done = 0; done < measurements; done++) {
      await sleep((minutes * 60_000) / measurements)
      await watched.take(load)
      await writeFile(
        chartFile,
        chartsOf(`Mixed load for ${minutes} minutes`, watched.series(), minutes / measurements),
      )
    }
    stop.abort()
    await running
    otlp.close()
    const faults = report(watched.series(), load, receiver.requests.length)
    const stacks = watched.stackPids.size
    return stacks === 1 ? faults : [...faults, `the stack was restarted ${stacks - 1} times`]
  } finally {
    await product.remove()
    await receiver.close()
  }
}

function report(series: readonly Series[], load: Load, notifications: number): string[] {
  for (const { name, unit, values } of series) {
    console.log(`| ${name} | ${quarters(values).map(shown).join(' | ')} | ${unit} |`)
  }
  console.log(`${load.total} requests, ${load.errors} errors, ${notifications} notifications; charts in ${chartFile}`)
  const faults = series.flatMap((one) => growthOf(one) ?? [])
  for (const [message, count] of load.messages) faults.push(`${count} × ${message}`)
  // The alert fires every other minute; its windows need two of them.
  if (minutes >= 6 && notifications < minutes / 2) faults.push(`only ${notifications} notifications arrived`)
  return faults
}

/** Everything that people, senders and schedules do, each task at its own interval. */
class Load {
  total = 0
  errors = 0
  readonly messages = new Map<string, number>()
  readonly #dashboards: string[] = []
  #sources: Record<string, string> = {}
  #pipeFiles = 0
  #password = ''
  readonly #client: ProductClient
  readonly #otlp: ReturnType<typeof openOtlpLoad>
  readonly #dataDir: string

  constructor(client: ProductClient, otlp: ReturnType<typeof openOtlpLoad>, dataDir: string) {
    this.#client = client
    this.#otlp = otlp
    this.#dataDir = dataDir
  }

  async prepare(receiver: string, password: string): Promise<void> {
    this.#password = password
    await this.#client.signIn(password)
    const sources: { id: string; kind: string }[] = await this.#client.stack('GET', '/sources')
    this.#sources = Object.fromEntries(sources.map(({ id, kind }) => [kind, id]))
    const call = (method: string, path: string, body?: unknown) => this.#client.stack(method, path, body)
    const onTile = await createWatchedTile(call, receiver, 'ServiceName:flip')
    for (const threshold of [1, 2, 3]) {
      await call('POST', '/alerts', { ...onTile, interval: '1m', threshold, name: `Soak ${threshold}` })
    }
    await this.#client.managed('POST', '/datapipes', {
      name: 'Soak',
      source: {
        objectStorage: {
          type: 'file',
          format: 'JSONEachRow',
          url: join(this.#dataDir, 'files', '*.jsonl'),
          compression: 'auto',
          isContinuous: true,
        },
      },
      ...intoEvents([
        { name: 'id', type: 'UInt64' },
        { name: 'text', type: 'String' },
      ]),
    })
  }

  /** Runs all tasks until the signal, and waits for what is under way. */
  async run(signal: AbortSignal): Promise<void> {
    // Each task waits for it.
    setMaxListeners(0, signal)
    const every = async (seconds: number, task: () => Promise<unknown>) => {
      while (!signal.aborted) {
        this.total++
        await task().catch((error: unknown) => this.#count(error))
        await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
      }
    }
    await Promise.all([
      every(2, () => this.#otlp.send('logs', `service-${this.total % 12}`, 200, 'http')),
      every(2, () => this.#otlp.send('logs', `service-${this.total % 12}`, 200, 'grpc')),
      every(2, () => this.#otlp.send('traces', `service-${this.total % 12}`, 100, 'http')),
      every(2, () => this.#otlp.send('traces', `service-${this.total % 12}`, 100, 'grpc')),
      every(5, () => this.#otlp.send('metrics', 'queue', 50, 'http')),
      every(5, () => this.#otlp.send('metrics', 'queue', 50, 'grpc')),
      every(5, () => this.#fireEveryOtherMinute()),
      every(3, () => this.#search()),
      every(4, () => this.#chart()),
      every(5, () => this.#saveDashboard()),
      every(10, () => this.#client.page('/c/local-open-source/dashboards')),
      every(10, () => this.#client.visit(this.#password)),
      every(10, () => this.#client.stack('GET', '/alerts')),
      every(15, () => this.#client.managed('GET', '/datapipes')),
      every(30, () => this.#dropFile()),
    ])
  }

  #count(error: unknown): void {
    this.errors++
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 200)
    this.messages.set(message, (this.messages.get(message) ?? 0) + 1)
  }

  async #fireEveryOtherMinute(): Promise<void> {
    if (Math.floor(Date.now() / 60_000) % 2 === 0) await this.#otlp.send('logs', 'flip', 3, 'http')
  }

  #search(): Promise<unknown> {
    const now = Date.now()
    return this.#client.stack('POST', '/search', {
      sourceId: this.#sources['log'],
      startTime: new Date(now - 900_000).toISOString(),
      endTime: new Date(now).toISOString(),
      where: this.total % 2 === 0 ? 'SeverityText:ERROR' : `products ${this.total % 50}`,
      maxResults: 200,
    })
  }

  #chart(): Promise<unknown> {
    const now = Date.now()
    const kind = this.total % 2 === 0 ? 'log' : 'trace'
    return this.#client.stack('POST', '/charts/series', {
      startTime: now - 3_600_000,
      endTime: now,
      granularity: '1m',
      series: [{ sourceId: this.#sources[kind], aggFn: 'count', where: '', groupBy: ['ServiceName'] }],
    })
  }

  /** Creates one, reads it, saves it, and deletes the oldest. */
  async #saveDashboard(): Promise<void> {
    const { id } = await this.#client.stack('POST', '/dashboards', { name: `Load ${this.total}`, tags: [], tiles: [] })
    this.#dashboards.push(id)
    await this.#client.stack('GET', `/dashboards/${id}`)
    await this.#client.stack('PUT', `/dashboards/${id}`, {
      name: `Load ${this.total} saved`,
      tags: ['load'],
      tiles: [],
    })
    if (this.#dashboards.length > maxDashboards) {
      await this.#client.stack('DELETE', `/dashboards/${this.#dashboards.shift()}`)
    }
  }

  /** A complete file appears at once, as uploads do. */
  async #dropFile(): Promise<void> {
    const name = join(this.#dataDir, 'files', String(++this.#pipeFiles))
    const rows = Array.from({ length: 1000 }, (_, index) => `{"id":${this.#pipeFiles * 1000 + index},"text":"row"}\n`)
    await appendFile(`${name}.part`, rows.join(''))
    await rename(`${name}.part`, `${name}.jsonl`)
  }
}

/** The measured values, and the share of their growth that is noise. */
class Measurements {
  /** The processes that ran the stack, one after the other. */
  readonly stackPids = new Set<number>()
  readonly #values = new Map<string, Series & { values: number[] }>()
  readonly #pid: number
  readonly #dataDir: string
  /** The origins of console and stack. */
  readonly #origins: readonly string[]

  constructor(pid: number, dataDir: string, origins: readonly string[]) {
    this.#pid = pid
    this.#dataDir = dataDir
    this.#origins = origins
  }

  series(): Series[] {
    return [...this.#values.values()]
  }

  async take(load: Load): Promise<void> {
    const product = observeProduct(this.#pid)
    for (const pid of product.stack.pids) this.stackPids.add(pid)
    for (const [part, { resident, descriptors, threads }] of Object.entries(product)) {
      this.#add(`${part}: resident memory`, 'MB', resident / megabyte, 30)
      this.#add(`${part}: open descriptors`, '', descriptors, 20)
      this.#add(`${part}: threads`, '', threads, 10)
    }
    for (const [at, part] of ['console', 'stack'].entries()) {
      const heap = await heapOf(this.#origins[at] ?? '').catch(() => null)
      if (heap !== null) this.#add(`${part}: JavaScript heap`, 'MB', heap / megabyte, 15, true)
    }
    for (const name of ['console.db', 'stack.db', 'engine']) {
      this.#add(`${name}: size`, 'MB', bytesIn(join(this.#dataDir, name)) / megabyte)
    }
    for (const name of ['console.db-wal', 'stack.db-wal', 'inserts']) {
      this.#add(`${name}: size`, 'MB', bytesIn(join(this.#dataDir, name)) / megabyte, 8)
    }
    this.#add('errors', '', load.errors)
  }

  #add(name: string, unit: string, value: number, allowance?: number, isCollected = false): void {
    const judged = allowance === undefined ? {} : { allowance, isCollected }
    const series = this.#values.get(name) ?? { name, unit, values: [], ...judged }
    series.values.push(value)
    this.#values.set(name, series)
  }
}

/** The used heap, as the metrics endpoint of a process reports it. */
async function heapOf(origin: string): Promise<number> {
  // The interval may be that after which a server ends an idle connection.
  const response = await fetch(`${origin}/metrics`, { headers: { connection: 'close' } })
  const text = await response.text()
  return Number(/^v8js_memory_heap_used_bytes (\S+)$/m.exec(text)?.[1] ?? Number.NaN)
}
