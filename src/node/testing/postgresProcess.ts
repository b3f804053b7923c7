/** Starts a real PostgreSQL server for tests. Its programs must be installed. */
import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, Pool } from 'pg'
import { freePort } from '#node/testing/freePort.ts'

export interface PostgresProcess {
  port: number
  /**
   * Runs statements in the database `postgres`, on a connection that later calls use again: starting one takes ten times the
   * processor time of a statement. A transaction must end with its statements.
   * @returns the rows of the last one
   */
  sql(statements: string): Promise<SqlRow[]>
  /** The address of one of its databases. */
  url(database: string): string
  stop(): Promise<void>
  /** Ends all of its processes at once, like a power failure. */
  kill(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
}

/** A row by column, as the driver reads it: `bigint` and `numeric` are text. */
type SqlRow = Record<string, unknown>

/** Runs statements on a connection of their own. @returns the rows of the last one */
export async function runSql(url: string, statements: string): Promise<SqlRow[]> {
  const client = new Client(url)
  try {
    await client.connect()
    return await lastRows(client, statements)
  } finally {
    await client.end()
  }
}

async function lastRows(on: Client | Pool, statements: string): Promise<SqlRow[]> {
  // Several statements have a list of results, which the types of the driver leave out.
  const results = [(await on.query(statements)) as unknown].flat() as { rows: SqlRow[] }[]
  return results.at(-1)?.rows ?? []
}

/** Connections that neither keep the process running nor fail it when their server ends. */
function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, allowExitOnIdle: true, idleTimeoutMillis: 0 })
  pool.on('error', () => undefined)
  return pool
}

/** A database as text, as `pg_dump` writes it. */
export function dumpOf(url: string): string {
  return execFileSync(join(programFolder(), 'pg_dump'), [url], { encoding: 'utf8', maxBuffer: 2 ** 28 })
}

/** Where the server's programs are: Debian keeps them off the path. */
function programFolder(): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const onPath = (process.env['PATH'] ?? '').split(delimiter)
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...onPath, '/usr/local/bin']
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')))
  if (!found) throw new Error('The tests need a PostgreSQL server: install postgresql (apt-get, dnf or brew).')
  return found
}

/** The server refuses to run as root, so it runs as the user of its package, or as nobody. */
function serverUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? (userOf('postgres') ?? userOf('nobody')) : undefined
}

function userOf(name: string): { uid: number; gid: number } | undefined {
  const { stdout } = spawnSync('id', [name], { encoding: 'utf8' })
  const [, uid, gid] = /^uid=(\d+).* gid=(\d+)/.exec(stdout) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/**
 * Makes a data folder to start servers from, each with a copy: that takes a tenth of the time.
 * @param folder gets it, and belongs to the server's user then
 */
export async function makeTemplate(folder: string): Promise<string> {
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'template')
  await initialize(data, { ...user, cwd: folder })
  return data
}

const run = promisify(execFile)

async function initialize(data: string, options: { uid?: number; gid?: number; cwd: string }): Promise<void> {
  await run(join(programFolder(), 'initdb'), ['-D', data, '-U', 'stack', '-A', 'trust', '--no-sync'], options)
}

export interface PostgresOptions {
  /** Such as `wal_level=logical`. */
  settings?: readonly string[]
  /** The folder that `makeTemplate` made. Default: a data folder is initialized, which takes a second. */
  template?: string
}

/** @param folder for its data and its socket; belongs to the server's user then */
export async function startPostgres(
  folder: string,
  { settings = [], template }: PostgresOptions = {},
): Promise<PostgresProcess> {
  const port = await freePort()
  const data = join(folder, 'data')
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { ...user, cwd: folder }
  if (template === undefined) await initialize(data, options)
  else await run('cp', ['-a', template, data], options)
  const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off', ...settings]
  const url = (database: string) => `postgres://stack@127.0.0.1:${port}/${database}`
  const launch = () =>
    spawn(
      join(programFolder(), 'postgres'),
      ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: 'ignore' },
    )
  let server: ChildProcess
  const end = async (signal: NodeJS.Signals) => {
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  /** @throws the error of the last attempt to connect, after 20 seconds */
  const start = async () => {
    const deadline = performance.now() + 20_000
    server = launch()
    for (;;) {
      try {
        await runSql(url('postgres'), 'SELECT 1')
        return
      } catch (error) {
        if (performance.now() > deadline) throw error
      }
      await sleep(50)
      // After a kill it does not start before the last of its former processes has noticed.
      if (server.exitCode !== null) server = launch()
    }
  }
  await start()
  const pool = openPool(url('postgres'))
  return {
    port,
    sql: (statements) => lastRows(pool, statements),
    url,
    // A kill may have come before.
    stop: async () => (server.exitCode === null && server.signalCode === null ? end('SIGINT') : undefined),
    kill: () => end('SIGKILL'),
    start,
  }
}
