/**
 * One address in front of two engines, each request at the other one, as that of a service or a cluster of two replicas. What one of
 * them stored is carried to the other late, in order, and at once where a request asks for it: by `select_sequential_consistency`,
 * before DDL and before mutations. It does what the servers do that cannot be had here, and refuses what they would forget between requests.
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startClickhouse, type ClickhouseProcess } from './clickhouseProcess.ts'

export interface ReplicatedFront {
  /** With user, password and database. */
  url: string
  /** The cluster of both replicas. */
  cluster: string
  /** How many requests each of them got. */
  requests: readonly [number, number]
  /** Takes a replica away, or brings it back; it catches up then. */
  away(replica: 0 | 1, isAway: boolean): void
  /** Resolves once both have everything. */
  settled(): Promise<void>
  close(): Promise<void>
}

interface FrontOptions {
  folder: string
  /** A service shares DDL by itself; a cluster only ON CLUSTER. */
  kind: 'cloud' | 'cluster'
  /** Milliseconds until the other replica has what one of them stored. */
  lagMs?: number
  /** Sends each insert twice, as a proxy that lost the first answer. */
  repeatsInserts?: boolean
}

interface Request {
  /** The query string. */
  params: URLSearchParams
  body: Buffer
  headers: Record<string, string>
  /** The statement, wherever it is. */
  sql: string
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

const clusterName = 'default'
const database = 'shared'

export async function startReplicatedFront({ folder, ...options }: FrontOptions): Promise<ReplicatedFront> {
  const password = 'a password'
  const replicas = await Promise.all(
    ['one', 'two'].map(
      async (name) => new Replica(await startClickhouse(join(folder, name), password, 0, clusterName)),
    ),
  )
  const [one, two] = replicas as [Replica, Replica] // of two names
  const headers = { authorization: `Basic ${Buffer.from(`default:${password}`).toString('base64')}` }
  for (const replica of replicas) {
    const sql = `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`
    await replica.send({ params: new URLSearchParams(), body: Buffer.from(sql), headers, sql })
  }
  const pair = new ReplicaPair(one, two, options)
  const server = createServer((incoming, response) => {
    read(incoming)
      .then((request) => pair.answer(request))
      .catch((error: unknown) => refusal(String(error)))
      .then((answer) => reply(response, answer))
  })
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://default:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    cluster: clusterName,
    requests: pair.requests,
    away: (at, isAway) => (at === 0 ? one : two).setAway(isAway),
    settled: () => pair.settled(),
    async close() {
      server.closeAllConnections()
      server.close()
      await Promise.all(replicas.map((replica) => replica.kill()))
    },
  }
}

/** Sends each request to one of two replicas, and tells the other one what it has to follow. */
class ReplicaPair {
  readonly requests: [number, number] = [0, 0]
  readonly #one: Replica
  readonly #two: Replica
  readonly #options: Omit<FrontOptions, 'folder'>
  /** The inserts that are stored. */
  readonly #tokens = new Set<string>()
  #turn = 0

  constructor(one: Replica, two: Replica, options: Omit<FrontOptions, 'folder'>) {
    this.#one = one
    this.#two = two
    this.#options = options
  }

  /** Both have what was stored before. One that is away catches up later. */
  async settled(): Promise<void> {
    await Promise.all([this.#one.settled(), this.#two.settled()])
  }

  async answer(received: Request): Promise<Answer> {
    const { kind, repeatsInserts = false } = this.#options
    if (received.params.has('session_id')) return refusal('sessions are of one replica')
    if (/\bTEMPORARY\b/.test(received.sql)) return refusal('temporary tables are of one replica')
    const { replica, other } = this.#next()
    const isOnCluster = / ON CLUSTER `?\w+`?/.test(received.sql)
    const request = plain(received)
    if (received.sql.includes("'cloud_mode'") && kind === 'cloud') request.params.set('cloud_mode', '1')
    if (received.sql.startsWith('KILL')) {
      // A balancer may send each attempt to the same one.
      if (!isOnCluster) return this.#one.send(request)
      return other.isAway ? replica.send(request) : merged([await replica.send(request), await other.send(request)])
    }
    if (received.sql.includes('clusterAllReplicas(')) return this.#fromAll(request)
    if (/^(INSERT|ALTER TABLE \S+( ON CLUSTER \S+)? \(?(DELETE|UPDATE) )/.test(received.sql)) {
      const answer = await this.#store(request, replica, other)
      return repeatsInserts && received.sql.startsWith('INSERT') ? this.#store(request, other, replica) : answer
    }
    if (/^(CREATE|DROP|ALTER|EXCHANGE|RENAME|TRUNCATE)\b/.test(received.sql)) {
      if (kind === 'cloud' || isOnCluster) return this.#onBoth(request, replica, other)
      return replica.send(request)
    }
    if (received.params.get('select_sequential_consistency') === '1') await replica.settled()
    return replica.send(request)
  }

  #next(): { replica: Replica; other: Replica } {
    for (;;) {
      const at = this.#turn++ % 2 === 0 ? 0 : 1
      const [replica, other] = at === 0 ? [this.#one, this.#two] : [this.#two, this.#one]
      if (replica.isAway && !other.isAway) continue
      this.requests[at]++
      return { replica, other }
    }
  }

  async #fromAll(request: Request): Promise<Answer> {
    const asked = [this.#one, this.#two].filter(({ isAway }) => !isAway)
    return merged(await Promise.all(asked.map((each) => each.send(numbered(request, each === this.#one ? 1 : 2)))))
  }

  /** Carries a request out at both, at one that is away later. Answers what the first says. */
  async #onBoth(request: Request, replica: Replica, other: Replica): Promise<Answer> {
    await this.settled()
    const answer = await replica.send(request)
    if (answer.status === 200) await other.carry(request, 0)
    return answer
  }

  async #store(request: Request, replica: Replica, other: Replica): Promise<Answer> {
    const { lagMs = 300 } = this.#options
    const isMutation = request.sql.startsWith('ALTER')
    if (isMutation) await this.settled()
    const key = tokenOf(request)
    if (key !== null && this.#tokens.has(key)) return { status: 200, headers: {}, body: Buffer.alloc(0) }
    const answer = await replica.send(request)
    if (answer.status !== 200) return answer
    if (key !== null) this.#tokens.add(key)
    const carried = other.carry(request, lagMs)
    if (isMutation && request.sql.includes('mutations_sync = 3') && !other.isAway) await carried
    return answer
  }
}

/** One of the engines, with what it has not got yet. */
class Replica {
  isAway = false
  readonly #process: ClickhouseProcess
  #last: Promise<unknown> = Promise.resolve()
  /** Resolves once it is back; null while it is there. */
  #back: { promise: Promise<void>; resolve(): void } | null = null

  constructor(process: ClickhouseProcess) {
    this.#process = process
  }

  async send({ params, body, headers }: Request): Promise<Answer> {
    const address = `http://127.0.0.1:${this.#process.port}/?${params}`
    const answer = await fetch(address, { method: 'POST', body: new Uint8Array(body), headers })
    const kept = ['x-clickhouse-query-id', 'x-clickhouse-summary', 'x-clickhouse-exception-code', 'content-type']
    return {
      status: answer.status,
      headers: Object.fromEntries(
        kept.flatMap((name) => [[name, answer.headers.get(name) ?? '']]).filter(([, value]) => value),
      ),
      body: Buffer.from(await answer.arrayBuffer()),
    }
  }

  /** Carries out later what the other one has done. */
  carry(request: Request, lagMs: number): Promise<unknown> {
    this.#last = this.#last.then(async () => {
      if (lagMs > 0) await setTimeout(lagMs)
      await this.#back?.promise
      const { status, body } = await this.send(request)
      if (status !== 200) throw new Error(`a replica cannot follow: ${body.toString()}`)
    })
    return this.isAway ? Promise.resolve() : this.#last
  }

  settled(): Promise<unknown> {
    return this.isAway ? Promise.resolve() : this.#last
  }

  setAway(isAway: boolean): void {
    this.isAway = isAway
    if (isAway) this.#back ??= pending()
    else {
      this.#back?.resolve()
      this.#back = null
    }
  }

  kill = () => this.#process.kill()
}

function pending(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  // A request without an encoding gives buffers.
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const params = new URL(incoming.url ?? '/', 'http://front').searchParams
  const headers = { authorization: incoming.headers.authorization ?? '' }
  return { params, body, headers, sql: (params.get('query') ?? body.toString()).trim() }
}

/** The statement for a single engine: without cluster and replication, and with one name for each table. */
function plain({ params, body, headers, sql }: Request): Request {
  const said = sql
    .replace(/ ON CLUSTER `?\w+`?/, '')
    .replace(/\bENGINE = Replicated(\w*MergeTree)/, 'ENGINE = $1')
    .replace(/^(CREATE TABLE(?: IF NOT EXISTS)? (?:`[^`]*`\.?|\w+\.?)+)/, `$1 UUID '${randomUUID()}'`)
  const own = new URLSearchParams(params)
  if (!own.has('query')) return { params: own, body: Buffer.from(said), headers, sql: said }
  own.set('query', said)
  return { params: own, body, headers, sql: said }
}

/** The number of the replica in place of the column that a cluster has for it. */
function numbered(request: Request, number: number): Request {
  const sql = request.sql.replaceAll(/\b_shard_num\b/g, `toUInt32(${number})`)
  return { ...request, sql, body: Buffer.from(sql) }
}

/** The token that says that an insert is the same as an earlier one; null if nothing does. */
function tokenOf({ params, body, sql }: Request): string | null {
  if (!sql.startsWith('INSERT') || params.get('insert_deduplicate') === '0') return null
  return params.get('insert_deduplication_token') ?? createHash('sha256').update(sql).update(body).digest('hex')
}

/** The rows of all replicas, in the format of queries. */
function merged(answers: readonly Answer[]): Answer {
  const failed = answers.find(({ status }) => status !== 200)
  const [first] = answers
  if (!first || failed) return failed ?? refusal('no replica is there')
  const text = first.body.toString()
  if (!text.startsWith('{')) return first
  const tables = answers.map(({ body }) => JSON.parse(body.toString()) as { data: unknown[] }) // the format says so
  return { ...first, body: Buffer.from(JSON.stringify({ ...tables[0], data: tables.flatMap(({ data }) => data) })) }
}

function refusal(message: string): Answer {
  return {
    status: 500,
    headers: { 'x-clickhouse-exception-code': '1001' },
    body: Buffer.from(`Code: 1001. DB::Exception: ${message}. (STD_EXCEPTION)`),
  }
}

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers)
  response.end(body)
}
