/**
 * A process that speaks the HTTP interface of a ClickHouse server, as far as this project uses it, with the real engine
 * behind it: statement, database, settings, parameters, formats, keys, headers and errors as a server has them.
 * Arguments: data folder, port, password of the user `default`, and the name of a cluster that it is the only server of.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Session, type ChdbResult } from 'chdb'
import { textLiteral } from '../../telemetry/engine/params.ts'

const [directory = '', port = '0', password = '', cluster = ''] = process.argv.slice(2)
/** Keeps the engine open between requests. */
const first = new Session(directory, cluster ? { connectionArgs: [`--config-file=${configFile()}`] } : {})

/** Parameters of the query string that are no settings. */
const words = new Set(['query', 'database', 'query_id', 'user', 'password', 'session_id', 'default_format', 'role'])
/** Settings of a server's HTTP interface, which an engine without one does not know. */
const httpSettings =
  /^(wait_end_of_query|enable_http_compression|buffer_size|send_progress_in_http_headers|http_\w+|compress|decompress)$/

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => refuse(response, String(error)))
})
server.requestTimeout = 0
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ type: 'ready', port: typeof address === 'object' ? address?.port : undefined })
})
process.on('disconnect', () => process.exit(0))
process.on('exit', () => first.close())

/** The engine takes itself for the server at its port, though nothing listens there. */
function configFile(): string {
  const file = `${directory}.xml`
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    file,
    `<clickhouse>
      <tcp_port>9000</tcp_port>
      <remote_servers><${cluster}><shard><internal_replication>true</internal_replication>
        <replica><host>127.0.0.1</host><port>9000</port></replica></shard></${cluster}></remote_servers>
      <macros><shard>01</shard><replica>one</replica></macros>
    </clickhouse>`,
  )
  return file
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://server')
  const body = await read(request)
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  if (keyOf(request, url) !== password) {
    const hint = 'Authentication failed: password is incorrect, or there is no user with such name'
    return refuse(response, `Code: 516. DB::Exception: default: ${hint}. (AUTHENTICATION_FAILED)`)
  }
  const id = url.searchParams.get('query_id') || randomUUID()
  response.setHeader('x-clickhouse-query-id', id)
  response.setHeader('x-clickhouse-timezone', 'UTC')
  const query = url.searchParams.get('query') ?? ''
  const file = sentRows.test(query) ? fileOf(body) : undefined
  const statement = file ? insertFrom(query, file) : [query, body.toString()].filter(Boolean).join('\n')
  // A separate session: settings of one request do not affect the next.
  const session = new Session(directory)
  try {
    const result = await session.queryAsync(`${preamble(url.searchParams)}${statement}`, { format: 'TabSeparated' })
    response.setHeader('x-clickhouse-summary', JSON.stringify(summary(result)))
    response.end(result.bytes())
  } catch (error) {
    refuse(response, error instanceof Error ? error.message : String(error))
  } finally {
    session.close()
    if (file) rmSync(file)
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  // A request without an encoding gives buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The embedded engine takes no binary data with a statement. */
function fileOf(body: Buffer): string {
  const file = join(directory, `${randomUUID()}.rows`)
  writeFileSync(file, body)
  return file
}

/** Rows that a statement cannot have in its text: binary ones, and those that a SELECT reads. */
const sentRows = /FORMAT Native$|\binput\('[^']*'\).* FORMAT JSONEachRow$/s

function insertFrom(query: string, file: string): string {
  if (!query.endsWith('FORMAT Native')) {
    const source = `file(${textLiteral(file)}, 'JSONEachRow', $1)`
    return query.replace(/ FORMAT JSONEachRow$/, '').replace(/\binput\(('[^']*')\)/, source)
  }
  const columns = /\((.*)\) FORMAT Native$/s.exec(query)?.[1] ?? '*'
  return query.replace(/FORMAT Native$/, `SELECT ${columns} FROM file(${textLiteral(file)}, 'Native')`)
}

/** Parameters come as a server wants them: as text, escaped as in tab-separated values. */
function preamble(query: URLSearchParams): string {
  const database = query.get('database')
  const settings = [...query]
    .filter(([name]) => !words.has(name) && !httpSettings.test(name))
    .map(([name, value]) => `${name} = ${textLiteral(value)}`)
  const use = database ? [`USE \`${database.replaceAll(/[\\`]/g, '')}\``] : []
  return [...use, ...(settings.length > 0 ? [`SET ${settings.join(', ')}`] : [])]
    .map((statement) => `${statement}; `)
    .join('')
}

function keyOf(request: IncomingMessage, url: URL): string {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ')
  if (scheme === 'Basic')
    return Buffer.from(token, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  const header = request.headers['x-clickhouse-key']
  return typeof header === 'string' ? header : (url.searchParams.get('password') ?? '')
}

function summary({ rowsRead, bytesRead, elapsed }: ChdbResult) {
  return {
    read_rows: String(rowsRead),
    read_bytes: String(bytesRead),
    elapsed_ns: String(Math.round(elapsed * 1e9)),
  }
}

/** The code is in a header, the text in the body, followed by the server's version. */
function refuse(response: ServerResponse, message: string): void {
  const code = /Code: (\d+)/.exec(message)?.[1] ?? '0'
  const status = code === '516' ? 403 : code === '60' || code === '81' ? 404 : code === '62' ? 400 : 500
  response.writeHead(status, { 'x-clickhouse-exception-code': code, 'content-type': 'text/plain; charset=UTF-8' })
  response.end(`${message.trim()} (version 26.7.1.1 (official build))\n`)
}
