/** Starts a real PostgreSQL server for tests. Its programs must be installed. */
import { execFileSync, spawn, spawnSync, type ChildProcess, type ExecFileSyncOptions } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#node/testing/freePort.ts'

export interface PostgresProcess {
  port: number
  /** Runs statements with psql. @returns what they print, or what went wrong */
  sql(statements: string): string
  /** A client that statements can be written to, one after the other. */
  client(): ReturnType<typeof spawn>
  /** A database as text, as `pg_dump` writes it. */
  dump(database: string): string
  /** The address of one of its databases. */
  url(database: string): string
  stop(): Promise<void>
  /** Ends all of its processes at once, like a power failure. */
  kill(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
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

/** Has the folder of an initialized server that was never started, to be copied: that takes a tenth of the time. */
export const templateVariable = 'TEST_POSTGRES_TEMPLATE'

/** The server refuses to run as root, so it runs as the user of its package, or as nobody. */
function serverUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? (userOf('postgres') ?? userOf('nobody')) : undefined
}

/** Makes the data folder of a server. @param folder gets it, and belongs to the server's user then */
export function makeTemplate(folder: string): string {
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'template')
  initialize(data, { ...user, stdio: 'ignore', cwd: folder })
  return data
}

function initialize(data: string, options: ExecFileSyncOptions): void {
  execFileSync(join(programFolder(), 'initdb'), ['-D', data, '-U', 'stack', '-A', 'trust', '--no-sync'], options)
}

/** @param settings such as `wal_level=logical` */
export async function startPostgres(folder: string, settings: readonly string[] = []): Promise<PostgresProcess> {
  const programs = programFolder()
  const program = (name: string) => join(programs, name)
  const port = await freePort()
  const data = join(folder, 'data')
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { ...user, stdio: 'ignore' as const, cwd: folder }
  const template = process.env[templateVariable]
  if (template) execFileSync('cp', ['-a', template, data], options)
  else initialize(data, options)
  const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off', ...settings]
  const login = ['-h', '127.0.0.1', '-p', String(port), '-U', 'stack', '-d', 'postgres']
  const sql = (statements: string) => {
    try {
      return execFileSync(program('psql'), [...login, '-At', '-c', statements], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trim()
    } catch (error) {
      return String(error)
    }
  }
  let server: ChildProcess
  const run = () => {
    const settings = all.flatMap((setting) => ['-c', setting])
    server = spawn(program('postgres'), ['-D', data, '-p', String(port), ...settings], options)
  }
  const end = async (signal: NodeJS.Signals) => {
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  /** @throws Error with its last output, after 20 seconds */
  const start = async () => {
    const deadline = Date.now() + 20_000
    run()
    for (let answer = sql('SELECT 1'); answer !== '1'; answer = sql('SELECT 1')) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not answer: ${answer}`)
      await sleep(100)
      // After a kill it does not start before the last of its former processes has noticed.
      if (server.exitCode !== null) run()
    }
  }
  await start()
  return {
    port,
    sql,
    client: () => spawn(program('psql'), login),
    dump: (database) =>
      execFileSync(program('pg_dump'), [...login.slice(0, -1), database], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
    url: (database) => `postgres://stack@127.0.0.1:${port}/${database}`,
    // A kill may have come before.
    stop: async () => (server.exitCode === null && server.signalCode === null ? end('SIGINT') : undefined),
    kill: () => end('SIGKILL'),
    start,
  }
}

function userOf(name: string): { uid: number; gid: number } | undefined {
  const id = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' })
  return id('-u').status === 0 ? { uid: Number(id('-u').stdout), gid: Number(id('-g').stdout) } : undefined
}
