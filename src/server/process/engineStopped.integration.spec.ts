/** A stack whose engine stops after a fatal error in one of its threads, while its process goes on. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { program } from '#node/testing/program.ts'
import { superviseStack, type StackSupervisor } from '../stackSupervisor.ts'

const stackEntry = program(resolve(import.meta.dirname, '../../stack/startup/main.ts')).file

/** On a signal, a thread of the stack fills its memory until V8 aborts, which the limits of the thread do not prevent. */
const fatalThread = `
  import { Worker } from 'node:worker_threads'
  const fill = "const parts = Array.from({ length: 60000 }, (_, at) => 'x'.repeat(3000) + at); const kept = []; " +
    "for (let text = ''; ;) { text += parts.join(''); kept.push(text.replaceAll('x', 'y')) }"
  const limits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
  const start = () => new Worker(fill, { eval: true, resourceLimits: limits }).on('error', start)
  process.on('SIGUSR2', start)`

let stack: StackSupervisor | undefined
let dataDir: string
afterEach(async () => {
  await stack?.stop()
  vi.unstubAllEnvs()
  rmSync(dataDir, { recursive: true, force: true })
})

test('is restarted at once', async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'engine-stopped-'))
  const env = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fatalThread)}`,
    DATA_DIR: dataDir,
    API_PORT: '0',
    OTLP_HTTP_PORT: '0',
    OTLP_GRPC_PORT: '0',
    SAMPLE: '0',
    LOG_LEVEL: 'silent',
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const said: string[] = []
  let starts = 0
  stack = superviseStack(stackEntry, (line) => said.push(line))
  stack.onCredentials(() => starts++)
  await stack.ready
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', stackEntry], { encoding: 'utf8' })
  process.kill(Number(stdout), 'SIGUSR2')
  await expect.poll(() => said).toEqual(['The stack exited (its telemetry engine stopped) and was restarted.'])
  await expect.poll(() => starts).toBe(2)
})
