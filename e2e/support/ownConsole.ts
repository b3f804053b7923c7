/** A console without a stack, for tests of its own settings. It starts in seconds. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/node/testing/freePort.ts'
import { answers, startProduct } from './product.ts'

export interface TestConsole {
  /** By the name of this machine, at which passkeys work. */
  url: string
  stop(): Promise<void>
}

/** @param settingsFor the settings of a console at an origin, with the folder of its data */
export async function startConsole(
  settingsFor: (origin: string, dataDir: string) => Promise<Record<string, string>>,
): Promise<TestConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const dataDir = join(folder, 'data')
  const ui = await freePort()
  const url = `http://localhost:${ui}`
  const settings = await settingsFor(url, folder)
  const ports = { ui, api: 0, otlpHttp: 0, otlpGrpc: 0 }
  const baseURL = `http://127.0.0.1:${ui}`
  const stack = { ...settings, STACK: 'off', API_PORT: '', OTLP_HTTP_PORT: '', OTLP_GRPC_PORT: '' }
  const child = startProduct({ dataDir, ports, logFile: join(folder, 'log') }, stack)
  const ended = once(child, 'exit')
  for (;;) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'log'), 'utf8'))
    if (await answers({ baseURL })) break
    await sleep(100)
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
