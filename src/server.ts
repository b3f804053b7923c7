/** The composition root: builds the page if it is outdated, starts the stack and the gateway, and prints the sign-in link. */
import { createServer } from 'node:net'
import { join } from 'node:path'
import { collectGarbageWhenIdle } from '#node/process/idleMemory.ts'
import { makeDataDir } from '#stack/startup/dataDir.ts'
import { buildPage } from './server/build.ts'
import { lockDataDir } from './server/dataDirLock.ts'
import { keepDiskReserve } from './server/process/diskReserve.ts'
import { watchParent } from './server/process/parentProcess.ts'
import { readSettings, StartError, type Settings } from './server/serverSettings.ts'
import { superviseStack, type StackSupervisor } from './server/stackSupervisor.ts'
import { welcome } from './server/welcome.ts'

/** This file runs from the sources in development, and as a bundle by `npm start`: see `start.js`. */
const isBundle = import.meta.filename.endsWith('.js')
const root = join(import.meta.dirname, isBundle ? '../..' : '..')
const stackEntry = join(import.meta.dirname, isBundle ? 'stack.js' : 'stack/startup/main.ts')
const developing = process.argv.includes('--dev')
const say = (line: string) => console.log(line)

/** The running parts. They are stopped in reverse order. */
const running: { stop(): Promise<void> }[] = []

async function start(): Promise<void> {
  // The stack reads it, too.
  if (process.argv.includes('--accept-data-loss')) process.env['ACCEPT_DATA_LOSS'] = '1'
  const settings = readSettings(process.env)
  await refuseTakenPort(settings)
  await makeDataDir(settings.DATA_DIR).catch(({ message }: Error) => {
    throw new StartError(message)
  })
  const lock = await lockDataDir(settings.DATA_DIR)
  running.push({ stop: () => lock.release() })
  const reserve = keep(keepDiskReserve({ dataDir: settings.DATA_DIR, say }))
  const stack = settings.STACK === 'on' ? keep(superviseStack(stackEntry, say)) : null
  // The gateway is loaded and opened while the stack starts, and listens after it.
  const [{ openGateway }, page, opened] = await Promise.all([
    import('./server/openGateway.ts'),
    preparePages(settings),
    stack?.opened ?? null,
  ])
  const gateway = await openGateway({ settings, ...page, opened, stack }).catch((error: unknown) => {
    throw isTaken(error) ? takenPort(settings) : error
  })
  running.push({ stop: () => gateway.close() })
  reserve.started()
  const stopCollecting = collectGarbageWhenIdle()
  running.push({ stop: async () => stopCollecting() })
  say(welcome(gateway.signInUrl(), settings, opened))
}

async function preparePages({ BASE_PATH }: Settings) {
  if (developing) {
    // Imported only here, because the development server is large.
    const { developPage } = await import('./server/develop.ts')
    return { pages: keep(await developPage(root, BASE_PATH)), build: 'development' }
  }
  return { build: await buildPage(root, say), pages: { distDir: join(root, 'dist') } }
}

function keep<T extends Pick<StackSupervisor, 'stop'>>(part: T): T {
  running.push(part)
  return part
}

/** Checked before anything slow begins. */
async function refuseTakenPort(settings: Settings): Promise<void> {
  await new Promise<void>((free, fail) => {
    const probe = createServer()
    probe.once('error', (error) => fail(isTaken(error) ? takenPort(settings) : unusableHost(settings, error)))
    probe.listen({ host: settings.HOST, port: settings.UI_PORT }, () => probe.close(() => free()))
  })
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

function takenPort({ UI_PORT }: Settings): StartError {
  return new StartError(
    `Port ${UI_PORT} is already in use. Stop the program that uses it, or set UI_PORT to another port.`,
  )
}

function unusableHost({ HOST, UI_PORT }: Settings, { message }: Error): StartError {
  return new StartError(`The console cannot listen on HOST ${HOST} and UI_PORT ${UI_PORT} (${message}).`)
}

async function end(code: number): Promise<void> {
  for (const part of running.splice(0).toReversed()) await part.stop().catch(() => {})
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0))
watchParent(process.env, () => void end(0))

try {
  await start()
} catch (error) {
  if (!(error instanceof StartError)) console.error(error)
  else if (error.message) console.error(error.message)
  await end(1)
}
