/** The stack in a separate process, in a temporary folder, observed from outside. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '#stack/testing/childProcesses.ts'
import { program } from '#node/testing/program.ts'

export interface StackProcess {
  pid: number
  dataDir: string
  ports: { api: number; otlpHttp: number; otlpGrpc: number }
  credentials: { personalAccessKey: string; ingestionKey: string }
  alive(): boolean
  /** Kills the process and keeps its folder. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** @param folder of an earlier process; else a new one. `stop` removes it */
export async function startStackProcess(env: Record<string, string> = {}, folder?: string): Promise<StackProcess> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'soak-')))
  const entry = program(join(import.meta.dirname, '../../src/stack/startup/main.ts'))
  const child = fork(entry.file, {
    execArgv: entry.execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      UV_THREADPOOL_SIZE: '16',
      DATA_DIR: dataDir,
      SAMPLE: '0',
      LOG_LEVEL: 'error',
      API_PORT: '0',
      OTLP_HTTP_PORT: '0',
      OTLP_GRPC_PORT: '0',
      RATE_LIMIT_OPEN_SOURCE: '0',
      ...env,
    },
  })
  // The ready message, as `src/server/stackSupervisor.ts` checks it.
  const { ports, credentials }: Pick<StackProcess, 'ports' | 'credentials'> = await messageOf(child, 'ready')
  return {
    ports,
    credentials,
    pid: child.pid ?? 0,
    dataDir,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    alive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface Observed {
  /** Maximum resident bytes. */
  resident: number
  /** Longest response time of an API request in milliseconds. */
  away: number
  /** CPU milliseconds of the main thread during that time: what `away` would be on an otherwise idle machine. */
  busy: number
}

export interface Watch {
  /** The measurements since the last call. */
  take(): Promise<Observed>
  stop(): void
}

/** Requests the API repeatedly, and measures the memory of the process, until `stop`. Only Linux reports the memory. */
export function watch({ pid, ports, credentials }: StackProcess): Watch {
  const url = `http://127.0.0.1:${ports.api}/api/v2/alerts`
  const probe = fork(join(import.meta.dirname, 'probe.ts'), [url, credentials.personalAccessKey, String(pid)], {
    execArgv: ['--import', 'tsx'],
  })
  let resident = 0
  const timer = setInterval(() => {
    resident = Math.max(resident, residentBytes(pid))
  }, 20)
  return {
    async take() {
      const reply = once(probe, 'message')
      probe.send('tell')
      // As printed by `probe.ts`.
      const [seen] = (await reply) as [Pick<Observed, 'away' | 'busy'>]
      const observed = { ...seen, resident }
      resident = residentBytes(pid)
      return observed
    },
    stop() {
      clearInterval(timer)
      probe.disconnect()
    },
  }
}

/** Resident bytes of a process; 0 if the system does not report them. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
