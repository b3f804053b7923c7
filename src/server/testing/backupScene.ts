/** A stack and a console on one data directory, each in a process of its own, and the commands that back them up. */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { currentTime } from '#node/clock/wallClock.ts'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { generousBudgetsFor } from '#gateway/testing/testGateway.ts'
import { program } from '#node/testing/program.ts'
import { messageOf } from '#stack/testing/childProcesses.ts'
import { startKillable, type KillableGateway } from './killableGateway.ts'

const source = resolve(import.meta.dirname, '..')
const environment = (env: Record<string, string>) => ({ PATH: process.env['PATH'], ...env })

interface Ended {
  code: number | null
  out: string
  err: string
}

/** A command that runs. */
export interface Command {
  child: ChildProcess
  ended: Promise<Ended>
}

export function command(name: 'backup' | 'restore', args: readonly string[], env: Record<string, string>): Command {
  const { file, execArgv } = program(join(source, 'backup', `${name}.ts`))
  const child = spawn(process.execPath, [...execArgv, file, ...args], { env: environment(env) })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (piece) => (texts.out += String(piece)))
  child.stderr.on('data', (piece) => (texts.err += String(piece)))
  return { child, ended: once(child, 'close').then(([code]) => ({ code, ...texts })) }
}

export interface BackupScene {
  dataDir: string
  gateway: KillableGateway
  stack: ChildProcess
  /** Sends a log line. Resolves once it is acknowledged. */
  log(body: string): Promise<void>
  /** The names of the dashboards that the stack has. */
  dashboards(): Promise<string[]>
  /** The bodies of log lines that the stack has. */
  logs(): Promise<string[]>
  close(): Promise<void>
}

/** @param env further variables of both, such as `DATABASE_URL` */
export async function startScene(dataDir: string, env: Record<string, string> = {}): Promise<BackupScene> {
  const { file, execArgv } = program(join(source, '../stack/startup/main.ts'))
  const ports = { API_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' }
  const quiet = { SAMPLE: '0', ALERTS: '0', RATE_LIMIT_OPEN_SOURCE: '0', RETENTION_DAYS: '3650' }
  const stack = fork(file, {
    execArgv,
    env: environment({ DATA_DIR: dataDir, ...quiet, ...ports, ...env }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ready = await messageOf(stack, 'ready')
  const { personalAccessKey, ingestionKey } = ready.credentials
  const url = `http://127.0.0.1:${ready.ports.api}`
  const pages = mkdtempSync(join(tmpdir(), 'backup-pages-'))
  const seed = { id: 'local', name: 'Local', variant: 'openSource', baseUrl: url, allowPrivate: true } as const
  const gateway = await startKillable({
    dataDir,
    distDir: minimalPages(pages),
    databaseUrl: env['DATABASE_URL'],
    secret: env['CONSOLE_SECRET'],
    seeds: [{ ...seed, accessKey: personalAccessKey }],
    budgets: generousBudgetsFor(url),
  })
  const read = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${personalAccessKey}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever came
    const { data } = (await response.json()) as any
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return data
  }
  return {
    dataDir,
    gateway,
    stack,
    async log(body) {
      const record = { timeUnixNano: `${currentTime()}000000`, body: { stringValue: body } }
      const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'backed-up' } }] }
      const response = await fetch(`http://127.0.0.1:${ready.ports.otlpHttp}/v1/logs`, {
        method: 'POST',
        headers: { authorization: ingestionKey, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] }),
      })
      if (!response.ok) throw new Error(`the log was refused: ${response.status}`)
      await response.arrayBuffer()
    },
    dashboards: async () => (await read('GET', '/dashboards')).map(({ name }: { name: string }) => name),
    async logs() {
      const sources = await read('GET', '/sources')
      const { id } = sources.find(({ kind }: { kind: string }) => kind === 'log')
      const now = currentTime()
      const [startTime, endTime] = [now - 86_400_000, now + 60_000].map((time) => new Date(time).toISOString())
      const rows = await read('POST', '/search', {
        sourceId: id,
        startTime,
        endTime,
        where: 'ServiceName:backed-up',
        select: 'Body',
        maxResults: 2000,
      })
      return rows.map((row: Record<string, string>) => row['Body'])
    },
    async close() {
      await gateway.kill()
      if (stack.exitCode === null && stack.signalCode === null) {
        const gone = once(stack, 'exit')
        stack.kill('SIGTERM')
        await gone
      }
      rmSync(pages, { recursive: true, force: true })
    },
  }
}
