/** A real PostgreSQL server for tests, where one is installed. */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface PostgresProcess {
  port: number
  /** Runs statements with psql. @returns what they print, or what went wrong */
  sql(statements: string): string
  /** A client that statements can be written to, one after the other. */
  client(): ReturnType<typeof spawn>
  stop(): Promise<void>
}

/** The folder of the server's programs; null, with a line that says so, where there is none. */
export const postgresPrograms = programFolder()
if (!postgresPrograms)
  process.stderr.write('Postgres pipes are not tested: no PostgreSQL server is installed (Debian: postgresql)\n')

/** Where Debian and others put them. */
function programFolder(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(debian, version, 'bin')), '/usr/local/bin', '/opt/homebrew/bin']
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** @param settings such as `wal_level=logical` */
export async function startPostgres(folder: string, settings: readonly string[] = []): Promise<PostgresProcess> {
  const program = (name: string) => join(postgresPrograms ?? '', name)
  const port = await freePort()
  const data = join(folder, 'data')
  // The server refuses to run as root: there it runs as the user that its package made.
  const user = process.getuid?.() === 0 ? userOf('postgres') : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { ...user, stdio: 'ignore' as const, cwd: folder }
  execFileSync(program('initdb'), ['-D', data, '-U', 'stack', '-A', 'trust', '--no-sync'], options)
  const all = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off', ...settings]
  const server = spawn(
    program('postgres'),
    ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
    options,
  )
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
  await untilItAnswers(() => sql('SELECT 1'))
  return {
    port,
    sql,
    client: () => spawn(program('psql'), login),
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await gone
    },
  }
}

/** @throws Error with what it said last, after 20 seconds */
async function untilItAnswers(ask: () => string): Promise<void> {
  const patience = Date.now() + 20_000
  for (let answer = ask(); answer !== '1'; answer = ask()) {
    if (Date.now() > patience) throw new Error(`PostgreSQL does not answer: ${answer}`)
    await sleep(100)
  }
}

function userOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo // it listens on a port
      probe.close(() => resolve(port))
    })
  })
}
