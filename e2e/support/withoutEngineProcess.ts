/**
 * Runs products without an engine, one after the other: for each message with the settings of one, the last one ends, and
 * the next one starts. It is composed as `npm start` does it, but in one process. Its argument is the folder of the checkout.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { openGateway } from '../../src/server/openGateway.ts'
import { readSettings } from '../../src/server/serverSettings.ts'
import type { StackReady } from '../../src/server/stackSupervisor.ts'
import { readConfig } from '../../src/stack/config.ts'
import { startStack } from '../../src/stack/startup/runningStack.ts'

const settings = z.record(z.string(), z.string())
const [, , root = ''] = process.argv
// The page was built before the run, by `server.ts`.
const build = readFileSync(join(root, 'dist/.stamp'), 'utf8')

let running: { close(): Promise<void> } | undefined

process.on('message', (message) => {
  restart(settings.parse(message)).then(
    ({ api }) => process.send?.({ api }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function restart(own: z.infer<typeof settings>) {
  await running?.close()
  running = undefined
  const env = { ...process.env, ...own }
  const listeners: ((credentials: StackReady['credentials']) => void)[] = []
  const stack = await startStack(
    { ...readConfig(env), telemetry: false },
    {
      onCredentials: (credentials) => {
        for (const listener of listeners) listener({ ...credentials })
      },
    },
  )
  const opened = { credentials: { ...stack.credentials }, ports: stack.ports }
  const gateway = await openGateway({
    settings: readSettings(env),
    pages: { distDir: join(root, 'dist') },
    build,
    opened,
    stack: {
      ready: Promise.resolve(opened),
      onCredentials: (listener) => void listeners.push(listener),
      followKey: stack.followKey,
    },
  })
  running = {
    close: async () => {
      await gateway.close()
      await stack.close()
    },
  }
  return stack.ports
}
