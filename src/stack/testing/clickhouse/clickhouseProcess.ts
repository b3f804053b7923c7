/** Starts `clickhouseServer.ts`, which a test can kill and restart on the same folder. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { engineEnvironment, messageOf } from '../childProcesses.ts'
import { program } from '#node/testing/program.ts'

export interface ClickhouseProcess {
  /** With user and password. */
  url: string
  port: number
  /** kill -9. */
  kill(): Promise<void>
}

const entry = program(join(import.meta.dirname, 'clickhouseServer.ts'))

/**
 * @param port 0 for any that is free
 * @param cluster that it is the only server of
 */
export async function startClickhouse(
  dataDir: string,
  password: string,
  port = 0,
  cluster = '',
): Promise<ClickhouseProcess> {
  const child = fork(entry.file, [dataDir, String(port), password, cluster], {
    execArgv: entry.execArgv,
    env: { ...engineEnvironment(), UV_THREADPOOL_SIZE: '24' },
  })
  const ready = await messageOf(child, 'ready')
  return {
    url: `http://default:${encodeURIComponent(password)}@127.0.0.1:${ready.port}/default`,
    port: ready.port,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
